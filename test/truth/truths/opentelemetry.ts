/** The expected values of each panel of "GenAI Observability (OpenTelemetry)", by its title. */
import { costGroup } from "../costs";
import type { Fact, Labels, Measure } from "../facts";
import type { Where } from "../ledger";
import { percentile } from "../percentiles";
import { sdks } from "../telemetry/sdks";
import { messages } from "../telemetry/spans";
import type { Call, ModelCall } from "../world/world";
import { graph, known, maxSpans, one, type PanelTruth, type Row, sumOf, topModels, type View, values } from "./expected";
import { dollars, percent, seconds, short, type Text, time, usd, whole } from "./texts";

const failed: Where = ({ error }) => error !== undefined;
const succeeded: Where = ({ error }) => error === undefined;

const by = (measure: Measure, label?: keyof Labels, { text = whole, where, top }: { text?: Text; where?: Where; top?: number } = {}) =>
  values((ledger, window, selected) => ledger.increase(measure, window, selected, label, where), text, top);

const countOf = (where: Where | undefined, ...[ledger, window, selected]: View) => ledger.facts("requests", window, selected, where).length;

/** A percentile of times by the name of its series. */
function percentiles(share: number, measure: Measure, nameOf: (labels: Labels) => string, ...[ledger, window, selected]: View) {
  const groups = new Map<string, [Fact, ...Fact[]]>();
  for (const fact of ledger.facts(measure, window, selected)) {
    const name = nameOf(fact.labels);
    groups.set(name, [fact, ...(groups.get(name) ?? [])]);
  }
  return new Map([...groups].map(([name, facts]) => [name, percentile(share, facts)]));
}

const byApplication = ({ application }: Labels) => `${application}`;

export const openTelemetry: Record<string, PanelTruth> = {
  Requests: by("requests"),
  "Error Rate": values((...view) => one("", countOf(failed, ...view) / countOf(undefined, ...view)), percent),
  "p95 Latency": (...view) => ({ kind: "slowest", values: percentiles(0.95, "duration", byApplication, ...view), text: time }),
  Tokens: by("tokens", undefined, { text: short }),
  Cost: values(
    (ledger, window, selected) => {
      const models = [...ledger.increase("tokens without cost", window, selected, "model").values()].filter(({ value }) => value > 0);
      const cost = sumOf(ledger.facts("cost", window, selected).map(({ value }) => value));
      return new Map([...one("Cost", cost), ...one("models without a price", models.length)]);
    },
    (value, name) => (name === "Cost" ? usd(2)(value) : whole(value)),
  ),
  "Cost / Request": values((ledger, { from, to }, selected) => {
    const facts = ledger.facts("cost", { from, to }, selected, succeeded);
    const cost = sumOf(facts.map(({ value }) => value));
    const groups = new Set(ledger.facts("cost", { from: 0, to }, selected).map(costGroup));
    return one("", cost / ledger.facts("requests", { from, to }, selected, succeeded).filter((fact) => groups.has(costGroup(fact))).length);
  }, usd()),

  "Requests by Outcome": graph(
    (...view) => new Map([...one("Successful", countOf(succeeded, ...view)), ...one("Failed", countOf(failed, ...view))]),
  ),
  "p95 Latency by Application": graph((...view) => percentiles(0.95, "duration", byApplication, ...view), seconds),
  "p95 Time to First Token": graph((...view) => percentiles(0.95, "firstToken", byApplication, ...view), seconds),
  "Tokens by Type": graph(
    (ledger, step, selected) =>
      new Map([
        ...ledger.increase("tokens", step, selected, "tokenType"),
        ...one("cached", sumOf(ledger.facts("cachedTokens", step, selected).map(({ value }) => value))),
      ]),
    short,
  ),
  "Cost by Model": graph((ledger, step, selected) => ledger.increase("cost", step, selected, "model"), dollars),

  "Top Models by Requests": by("requests", "model", { top: topModels }),
  "Top Models by Tokens": by("tokens", "model", { text: short, top: topModels }),
  "Top Models by Cost": by("cost", "model", { text: usd(), top: topModels }),
  "Tokens without Cost": values(
    (ledger, window, selected) => ledger.increase("tokens without cost", window, selected, "model"),
    short,
    topModels,
  ),
  "Requests by Provider": by("requests", "provider"),
  "Requests by Operation": by("requests", "operation"),
  "Requests by Environment": by("requests", "environment"),
  "Requests by Application": by("requests", "application"),
  "Errors by Type": by("requests", "error", { where: failed, top: 10 }),

  "Invocations by Agent": by("agents", "agent"),
  "Mean Duration by Agent": graph(
    (ledger, step, selected) =>
      new Map(
        [...ledger.increase("agents", step, selected, "agent")].flatMap(([name, { value }]) => {
          const facts = ledger.facts("agents", step, selected, ({ agent }) => agent === name);
          return [...one(name, sumOf(facts.map(({ seconds }) => seconds)) / value)];
        }),
      ),
    seconds,
  ),
  "Tool Calls by Tool": by("tools", "tool"),
  "Tool Errors by Tool": by("tools", "tool", { where: failed }),
  "MCP Operations by Method": by("mcp", "method"),

  "Requests by System": by("databases", "system"),
  "Requests by DB Operation": by("databases", "operation"),
  "p95 Latency by System": graph(
    (...view) => percentiles(0.95, "databases", ({ system, application }) => `${system} ${application}`, ...view),
    seconds,
  ),
  "GenAI Requests, table": (ledger, window, selected) => ({
    kind: "rows",
    rows: ledger.spans("model", window, selected, maxSpans).map((call) => ({
      ...spanCells(call),
      Model: call.model.model,
      ...modelCells(call),
    })),
  }),
  "VectorDB Requests, table": (ledger, window, selected) => ({
    kind: "rows",
    rows: ledger.spans("database", window, selected, maxSpans).map((call) => ({
      ...spanCells(call),
      Error: call.error,
      System: call.database.system,
      Operation: call.database.operation,
    })),
  }),
};

/** What the tables of all spans show. */
const spanCells = (call: Call) => ({
  Time: call.start,
  Application: call.process.application,
  Duration: (call.end - call.start) * 1_000_000,
  Status: call.error ? "failed" : "ok",
});

function modelCells({ process, error, prompt, completion, inputTokens, outputTokens, cost }: ModelCall): Row {
  const { contents, cost: costs } = sdks[process.sdk];
  const text = (value: number | undefined, written: Text) => (known(value) === undefined ? undefined : written(value as number));
  return {
    ...(contents && { Prompt: messages("user", prompt), Completion: completion && messages("assistant", completion) }),
    ...(error === undefined && { "Tokens in": text(inputTokens, whole), "Tokens out": text(outputTokens, whole) }),
    ...(error === undefined && costs && { Cost: text(cost, usd(6)) }),
  };
}
