/** The expected values of each panel of "GenAI Observability (OpenTelemetry)", by its title. */
import type { Truth, Window } from "../ledger";
import type { Named } from "../truths";
import type { Expected } from "./compare";
import type { Labels, Measure } from "./facts";
import type { Ledger, Selection, Where } from "./ledger";
import { percentile } from "./percentiles";

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

const percentileOf = (share: number, measure: Measure, ledger: Ledger, window: Window, selected: Selection, where?: Where) =>
  percentile(share, measure, ledger.facts(measure, window, selected, where));

const secondsOf = (ledger: Ledger, measure: Measure, window: Window, selected: Selection, where: Where): Truth => ({
  value: ledger.facts(measure, window, selected, where).reduce((sum, { fact }) => sum + (fact.seconds ?? 0), 0),
  slack: 0,
});

export const truths: Record<string, PanelTruth> = {
  Requests: total("requests"),
  "Error Rate": (ledger, window, selected) => ({
    kind: "values",
    values: one(quotient(ledger.total("requests", window, selected, failed), ledger.increase("requests", window, selected).get(""))),
  }),
  "P95 Latency": (ledger, window, selected) => ({
    kind: "percentile",
    truth: percentileOf(0.95, "requests", ledger, window, selected),
  }),
  Tokens: total("tokens"),
  Cost: total("cost"),
  "Cost per Request": (ledger, window, selected) => ({
    kind: "values",
    values: one(
      quotient(
        ledger.total("cost", window, selected, succeeded),
        // Each request with a cost is one fact.
        { value: ledger.facts("cost", window, selected, succeeded).length, slack: 0 },
      ),
    ),
  }),

  "Requests over Time": graph(
    (ledger, step, selected) =>
      new Map([
        ...named("Successful", ledger.total("requests", step, selected, succeeded)),
        ...named("Failed", ledger.total("requests", step, selected, failed)),
      ]),
  ),
  "Latency over Time": graph(
    (ledger, step, selected) =>
      new Map(
        [50, 95, 99].flatMap((percent) => [...named(`p${percent}`, percentileOf(percent / 100, "requests", ledger, step, selected))]),
      ),
  ),
  "Time to First Token": graph((ledger, step, selected) => named("p95", percentileOf(0.95, "firstToken", ledger, step, selected))),
  "Tokens over Time": graph(
    (ledger, step, selected) =>
      new Map([
        ...ledger.increase("tokens", step, selected, "tokenType"),
        ...named("cached", ledger.total("cachedTokens", step, selected)),
      ]),
  ),
  "Cost over Time": graph((ledger, step, selected) => ledger.increase("cost", step, selected, "model")),

  "Top Models by Requests": by("requests", "model", { top: 5 }),
  "Top Models by Tokens": by("tokens", "model", { top: 5 }),
  "Top Models by Cost": by("cost", "model", { top: 5 }),
  "Requests by Provider": by("requests", "provider"),
  "Requests by Operation": by("requests", "operation"),
  "Requests by Environment": by("requests", "environment"),
  "Requests by Application": by("requests", "application"),
  "Errors by Type": by("requests", "error", { where: failed, top: 10 }),

  "Agent Invocations": by("agents", "agent"),
  "Agent Duration": (ledger, window, selected) => ({
    kind: "values",
    values: new Map(
      [...ledger.increase("agents", window, selected, "agent")].flatMap(([agent, count]) => {
        const of: Where = (labels) => labels.agent === agent;
        return [...named(agent, quotient(secondsOf(ledger, "agents", window, selected, of), count))];
      }),
    ),
  }),
  "Tool Calls": by("tools", "tool"),
  "Tool Errors": by("tools", "tool", { where: failed }),
  "MCP Operations": by("mcp", "method"),

  "Requests by System": by("databases", "system"),
  "Requests by Database Operation": by("databases", "operation"),
  "Database Latency": graph((ledger, step, selected) => {
    const systems = new Set(ledger.facts("databases", step, selected).map(({ fact }) => fact.labels.system as string));
    return new Map(
      [...systems].flatMap((system) => {
        const of: Where = (labels) => labels.system === system;
        return [...named(system, percentileOf(0.95, "databases", ledger, step, selected, of))];
      }),
    );
  }),
};
