/** The expected values of each panel of "GenAI Observability (OpenTelemetry)", by its title. */
import type { Window } from "../ledger";
import type { Named } from "../truths";
import type { Expected, Row } from "./compare";
import type { Fact, Labels, Measure } from "./facts";
import type { Ledger, Selection, Where } from "./ledger";
import { percentile } from "./percentiles";
import { sdks } from "./sdks";
import { messages } from "./spans";
import type { Call, ModelCall } from "./world";

/** The maximum number of spans in a table. */
const maxSpans = 20;

export type PanelTruth = (ledger: Ledger, window: Window, selected: Selection) => Expected;

const failed: Where = ({ error }) => error !== undefined;
const succeeded: Where = ({ error }) => error === undefined;

/** A number, or none if it is not finite. */
const one = (name: string, value: number): Named => new Map(Number.isFinite(value) ? [[name, { value, slack: 0 }]] : []);

const total =
  (measure: Measure): PanelTruth =>
  (ledger, window, selected) => ({ kind: "values", values: ledger.increase(measure, window, selected) });

const by =
  (measure: Measure, label: keyof Labels, options: { where?: Where; top?: number } = {}): PanelTruth =>
  (ledger, window, selected) => ({
    kind: "values",
    values: ledger.increase(measure, window, selected, label, options.where),
    ...(options.top === undefined ? {} : { top: options.top }),
  });

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
const countOf = (measure: Measure, where: Where | undefined, ledger: Ledger, window: Window, selected: Selection) =>
  ledger.facts(measure, window, selected, where).length;

/** A graph, from the values of each step. */
const graph =
  (at: (ledger: Ledger, step: Window, selected: Selection) => Named): PanelTruth =>
  (ledger, _window, selected) => ({ kind: "series", at: (step) => at(ledger, step, selected) });

/** A percentile of times by the name of its series. */
function percentiles(share: number, measure: Measure, nameOf: (labels: Labels) => string, ...view: [Ledger, Window, Selection]): Named {
  const [ledger, window, selected] = view;
  const groups = new Map<string, [Fact, ...Fact[]]>();
  for (const fact of ledger.timed(measure, window, selected)) {
    const name = nameOf(fact.labels);
    groups.set(name, [fact, ...(groups.get(name) ?? [])]);
  }
  return new Map([...groups].map(([name, facts]) => [name, percentile(share, facts, ledger.mode)]));
}

export const truths: Record<string, PanelTruth> = {
  Requests: total("requests"),
  "Error Rate": (...view) => {
    const [failures, all] = [countOf("requests", failed, ...view), countOf("requests", undefined, ...view)];
    return { kind: "values", values: one("", failures / all) };
  },
  "p95 Latency": (...view) => ({ kind: "slowest", values: percentiles(0.95, "requests", ({ application }) => `${application}`, ...view) }),
  Tokens: total("tokens"),
  Cost: total("cost"),
  "Cost / Request": (ledger, window, selected) => {
    const facts = ledger.facts("cost", window, selected, succeeded);
    return { kind: "values", values: one("", sumOf(facts.map(({ value }) => value)) / facts.length) };
  },

  "Requests by Outcome": graph(
    (...view) =>
      new Map([...one("Successful", countOf("requests", succeeded, ...view)), ...one("Failed", countOf("requests", failed, ...view))]),
  ),
  "p95 Latency by Application": graph((...view) => percentiles(0.95, "requests", ({ application }) => `${application}`, ...view)),
  "p95 Time to First Token": graph((...view) => percentiles(0.95, "firstToken", ({ application }) => `${application}`, ...view)),
  "Tokens by Type": graph(
    (ledger, step, selected) =>
      new Map([
        ...ledger.increase("tokens", step, selected, "tokenType"),
        ...one("cached", sumOf(ledger.facts("cachedTokens", step, selected).map(({ value }) => value))),
      ]),
  ),
  "Cost by Model": graph((ledger, step, selected) => ledger.increase("cost", step, selected, "model")),

  "Top Models by Requests": by("requests", "model", { top: 5 }),
  "Top Models by Tokens": by("tokens", "model", { top: 5 }),
  "Top Models by Cost": by("cost", "model", { top: 5 }),
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
  ),
  "Tool Calls by Tool": by("tools", "tool"),
  "Tool Errors by Tool": by("tools", "tool", { where: failed }),
  "MCP Operations by Method": by("mcp", "method"),

  "Requests by System": by("databases", "system"),
  "Requests by DB Operation": by("databases", "operation"),
  "p95 Latency by System": graph((...view) =>
    percentiles(0.95, "databases", ({ system, application }) => `${system} ${application}`, ...view),
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
  return {
    ...(contents && { Prompt: messages("user", prompt), Completion: completion && messages("assistant", completion) }),
    ...(error === undefined && { "Tokens in": inputTokens, "Tokens out": outputTokens, Cost: costs && cost }),
  };
}

const notSent = /^Not sent$|SDK sends|^Nothing arrives\. .* sends? it/;

/** The texts of panels without data, where it is not "No data": many SDKs never send it. */
export const emptyTexts: Record<string, RegExp> = {
  Cost: notSent,
  "Cost / Request": notSent,
  "Cost by Model": notSent,
  "Top Models by Cost": notSent,
  "Errors by Type": /^No errors$/,
  "Invocations by Agent": notSent,
  "Mean Duration by Agent": notSent,
  "MCP Operations by Method": notSent,
  "Tool Calls by Tool": notSent,
  "Tool Errors by Tool": /^No failed calls\./,
  "Requests by System": notSent,
  "Requests by DB Operation": notSent,
  "p95 Latency by System": notSent,
};
