/** The expected values of each panel of "GenAI Observability (OpenTelemetry)", by its title. */
import type { Truth, Window } from "../ledger";
import type { Named } from "../truths";
import type { Expected } from "./compare";
import type { Fact, Labels, Measure } from "./facts";
import type { Ledger, Selection, Where } from "./ledger";
import { percentile } from "./percentiles";
import { sdks } from "./sdks";
import { messages } from "./spans";
import type { Call, ModelCall } from "./world";

/** The maximum number of spans in a table. */
const maxSpans = 20;

export type PanelTruth = (ledger: Ledger, window: Window, selected: Selection) => Expected;

const failed: Where = ({ error }) => error !== "";
const succeeded: Where = ({ error }) => error === "";

const named = (name: string, truth: Truth | undefined): Named => new Map(truth ? [[name, truth]] : []);
const one = (truth: Truth | undefined): Named => named("", truth);

/** The quotient. Undefined if the divisor is 0. */
function quotient(dividend: Truth, divisor: Truth | undefined): Truth | undefined {
  if (!divisor || divisor.value === 0) return undefined;
  const value = dividend.value / divisor.value;
  return { value, slack: value * (dividend.slack / (dividend.value || 1) + divisor.slack / divisor.value) };
}

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

/** A graph, from the values of each step. */
const graph =
  (at: (ledger: Ledger, step: Window, selected: Selection) => Named): PanelTruth =>
  (ledger, _window, selected) => ({ kind: "series", at: (step) => at(ledger, step, selected) });

/** A percentile by the name of its series. */
function percentiles(facts: readonly Fact[], share: number, nameOf: (labels: Labels) => string): Named {
  const names = new Set(facts.map(({ labels }) => nameOf(labels)));
  return new Map(
    [...names].flatMap((name) => {
      const of = facts.filter(({ labels }) => nameOf(labels) === name);
      return [...named(name, percentile(share, of))];
    }),
  );
}

const secondsOf = (ledger: Ledger, measure: Measure, window: Window, selected: Selection, where: Where): Truth => ({
  value: ledger.facts(measure, window, selected, where).reduce((sum, { seconds }) => sum + (seconds ?? 0), 0),
  slack: 0,
});

export const truths: Record<string, PanelTruth> = {
  Requests: total("requests"),
  "Error Rate": (ledger, window, selected) => ({
    kind: "values",
    values: one(quotient(ledger.total("requests", window, selected, failed), ledger.increase("requests", window, selected).get(""))),
  }),
  "p95 Latency": (ledger, window, selected) => ({
    kind: "slowest",
    values: percentiles(ledger.timed("requests", window, selected), 0.95, ({ application }) => application),
  }),
  Tokens: total("tokens"),
  Cost: total("cost"),
  "Cost / Request": (ledger, window, selected) => ({
    kind: "values",
    values: one(
      quotient(
        ledger.total("cost", window, selected, succeeded),
        // Each request with a cost is one fact.
        { value: ledger.facts("cost", window, selected, succeeded).length, slack: 0 },
      ),
    ),
  }),

  "Requests by Outcome": graph(
    (ledger, step, selected) =>
      new Map([
        ...named("Successful", ledger.total("requests", step, selected, succeeded)),
        ...named("Failed", ledger.total("requests", step, selected, failed)),
      ]),
  ),
  Latency: graph(
    (ledger, step, selected) =>
      new Map(
        [50, 95, 99].flatMap((percent) => [
          ...percentiles(ledger.timed("requests", step, selected), percent / 100, ({ application }) => `p${percent} ${application}`),
        ]),
      ),
  ),
  "Time to First Token": graph((ledger, step, selected) =>
    percentiles(ledger.timed("firstToken", step, selected), 0.95, ({ application }) => application),
  ),
  "Tokens by Type": graph(
    (ledger, step, selected) =>
      new Map([
        ...ledger.increase("tokens", step, selected, "tokenType"),
        ...named("cached", ledger.total("cachedTokens", step, selected)),
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
        [...ledger.increase("agents", step, selected, "agent")].flatMap(([agent, count]) => {
          const of: Where = (labels) => labels.agent === agent;
          return [...named(agent, quotient(secondsOf(ledger, "agents", step, selected, of), count))];
        }),
      ),
  ),
  "Tool Calls by Tool": by("tools", "tool"),
  "Tool Errors by Tool": by("tools", "tool", { where: failed }),
  "MCP Operations by Method": by("mcp", "method"),

  "Requests by System": by("databases", "system"),
  "Requests by DB Operation": by("databases", "operation"),
  "p95 Latency by System": graph((ledger, step, selected) =>
    percentiles(ledger.timed("databases", step, selected), 0.95, ({ system, application }) => `${system} ${application}`),
  ),
  "GenAI Requests, table": (ledger, window, selected) => ({
    kind: "rows",
    rows: ledger.spans("model", window, selected, maxSpans).map((call) => ({
      ...spanCells(call),
      Operation: call.model.operation,
      Model: call.model.model,
      ...contentsOf(call),
      ...(call.error ? {} : usageOf(call)),
    })),
  }),
  "VectorDB Requests, table": (ledger, window, selected) => ({
    kind: "rows",
    rows: ledger.spans("database", window, selected, maxSpans).map((call) => ({
      ...spanCells(call),
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
  ...(call.error ? { Error: call.error } : {}),
});

const contentsOf = (call: ModelCall) =>
  sdks[call.process.sdk].contents
    ? {
        Prompt: messages("user", call.prompt),
        ...(call.completion === undefined ? {} : { Completion: messages("assistant", call.completion) }),
      }
    : {};

const usageOf = ({ process, inputTokens, outputTokens, cost }: ModelCall) => ({
  "Tokens in": inputTokens,
  ...(outputTokens === undefined ? {} : { "Tokens out": outputTokens }),
  ...(sdks[process.sdk].labelled ? { Cost: cost } : {}),
});

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
