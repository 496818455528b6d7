/** The expected values of each panel of "GenAI Observability (OpenTelemetry)", by its title. */
import type { Fact, Labels, Measure } from "../facts";
import { grouped, type Named, type Selection, type Truth, type Where, type Window } from "../ledger";
import { percentile } from "../percentiles";
import { sdks } from "../telemetry/sdks";
import { messages } from "../telemetry/spans";
import type { Call, ModelCall } from "../world/world";
import { graph, known, maxSpans, one, type PanelTruth, type Row, sumOf, type View, values } from "./expected";
import { percent, seconds, short, type Text, time, usd, whole, wholePercent } from "./texts";

const failed: Where = ({ error }) => error !== undefined;
const succeeded: Where = ({ error }) => error === undefined;

const by = (measure: Measure, label?: keyof Labels, { text = whole, where, top }: { text?: Text; where?: Where; top?: number } = {}) =>
  values((ledger, window, selected) => ledger.increase(measure, window, selected, label, where), text, top);

/** What the variable `by` selects. */
const chosen = ({ by = ["model"] }: Selection) => by[0] as "model" | "provider" | "application" | "environment";

/** A percentile of times by the name of its series. */
function percentiles(share: number, measure: Measure, nameOf: (labels: Labels) => string, ...[ledger, window, selected]: View) {
  const groups = new Map<string, [Fact, ...Fact[]]>();
  for (const fact of ledger.facts(measure, window, selected)) {
    const name = nameOf(fact.labels);
    groups.set(name, [fact, ...(groups.get(name) ?? [])]);
  }
  return new Map([...groups].flatMap(([name, facts]) => [[name, percentile(share, facts, fewest)] as const]).filter(isKnown));
}

const isKnown = (entry: readonly [string, Truth | undefined]): entry is [string, Truth] => entry[1] !== undefined;

/** Of at least ten requests. */
const fewest = 10;
const percentileOfAll = (measure: Measure) => values((...view) => percentiles(0.95, measure, () => "", ...view), time);
const percentileBy = (share: number, measure: Measure, ...view: View) =>
  percentiles(share, measure, (labels) => labels[chosen(view[2])] || "(none)", ...view);
const percentileGraph = (measure: Measure): PanelTruth => tenOf(graph((...view) => percentileBy(0.95, measure, ...view), seconds));

/** At each point, ten series at most. */
const tenOf =
  (truth: PanelTruth): PanelTruth =>
  (...view) =>
    ({ ...truth(...view), top: 10 }) as ReturnType<PanelTruth>;

/** The quotient of what both have. */
const quotient = (dividend: Named, divisor: Named): Named =>
  new Map([...dividend].flatMap(([name, { value }]) => [...one(name, value / (divisor.get(name)?.value ?? Number.NaN))]));

/** A part cannot be more than the whole: some SDKs count it beside the whole. */
const partOf = (part: Named, whole: Named): Named => new Map([...quotient(part, whole)].filter(([, { value }]) => value <= 1));

const increaseBy = (measure: Measure, where: Where | undefined, ...[ledger, window, selected]: View) =>
  ledger.increase(measure, window, selected, chosen(selected), where);

/** The part of the successful requests that the cost contains, if it lacks some. */
function requestsWithCost(...[ledger, window, selected]: View): Named {
  const without = sumOf(ledger.facts("requests without tokens", window, selected).map(({ value }) => value));
  const share = 1 - without / ledger.facts("requests", window, selected, succeeded).length;
  return new Map(share < 0.995 ? one("requests with tokens", share) : []);
}

/** What SDKs report of the gateways' requests. */
function coverage(by: "application" | undefined, ...[ledger, window, selected]: View): Named {
  const reported = ledger.increase("requests", window, selected, by);
  const seen = ledger.increase("gateway requests", window, selected, by);
  return new Map([...seen].flatMap(([name, { value }]) => [...one(name, (reported.get(name)?.value ?? 0) / value)]));
}

/** The ten largest of the time range, and the sum of the others. */
const largest =
  (measure: Measure, text = whole): PanelTruth =>
  (ledger, window, selected) => {
    const all = [...increaseBy(measure, undefined, ledger, window, selected)].sort(([, left], [, right]) => right.value - left.value);
    const names = new Set(all.slice(0, 10).map(([name]) => name));
    const at = (step: Window) =>
      grouped(
        [...increaseBy(measure, undefined, ledger, step, selected)].map(([name, { value }]) => ({
          name: names.has(name) ? name : "others",
          value,
        })),
      );
    return { kind: "series", at, text: () => text };
  };

/** The same time of the month before, or its last day. */
function monthBefore(time: number): number {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() - 1);
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}

/** A column has one type: numbers as text are left out. */
const hasNumbers = ({ process, error }: Call) => !sdks[process.sdk].textTokens || error !== undefined;

const requestRows =
  (cells: (call: ModelCall) => Row, where?: (call: Call, selected: Selection) => boolean): PanelTruth =>
  (ledger, window, selected) => ({
    kind: "rows",
    rows: ledger
      .spans("model", window, selected, maxSpans, where && ((call) => where(call, selected)))
      .map((call) => ({ ...spanCells(call), Model: call.model.model, ...cells(call) })),
  });

export const openTelemetry: Record<string, PanelTruth> = {
  Requests: by("requests"),
  "Error Rate": values(
    (...[ledger, window, selected]) =>
      one("", ledger.facts("requests", window, selected, failed).length / ledger.facts("requests", window, selected).length),
    percent,
  ),
  "p95 Latency": percentileOfAll("duration"),
  "p95 First Token": percentileOfAll("firstToken"),
  Tokens: by("tokens", undefined, { text: short }),
  Cost: values(
    (ledger, window, selected) => {
      const models = [...ledger.increase("tokens without cost", window, selected, "model").values()].filter(({ value }) => value > 0);
      const cost = sumOf(ledger.facts("cost", window, selected).map(({ value }) => value));
      return new Map([...one("Cost", cost), ...one("unpriced models", models.length), ...requestsWithCost(ledger, window, selected)]);
    },
    (value, name) => (name === "Cost" ? usd() : name === "requests with tokens" ? wholePercent : whole)(value),
  ),

  "By $by": (...view) => {
    const requests = increaseBy("requests", undefined, ...view);
    const input = increaseBy("tokens", ({ tokenType }) => tokenType === "input", ...view);
    const cost = increaseBy("cost", undefined, ...view);
    return {
      kind: "numbers",
      top: 15,
      columns: {
        Requests: { values: requests, text: whole },
        Errors: { values: quotient(increaseBy("requests", failed, ...view), requests), text: percent },
        p95: { values: percentileBy(0.95, "duration", ...view), text: time },
        "First token": { values: percentileBy(0.95, "firstToken", ...view), text: time },
        Tokens: { values: increaseBy("tokens", undefined, ...view), text: short },
        Cached: { values: partOf(increaseBy("cachedTokens", undefined, ...view), input), text: percent },
        Cost: { values: cost, text: usd() },
        "Cost / request": { values: quotient(cost, increaseBy("priced requests", undefined, ...view)), text: usd() },
      },
    };
  },

  "Requests by $by": largest("requests"),
  "Error Rate by $by": tenOf(
    graph((...view) => {
      const enough = [...increaseBy("requests", undefined, ...view)].filter(([, { value }]) => value >= fewest);
      return quotient(increaseBy("requests", failed, ...view), new Map(enough));
    }, percent),
  ),
  "p95 Latency by $by": percentileGraph("duration"),
  "p95 First Token by $by": percentileGraph("firstToken"),
  "Cost by $by": largest("cost", usd()),

  "Failed Requests": requestRows(
    ({ error }) => ({ Error: error, Message: error, Status: undefined }),
    ({ error }) => error !== undefined,
  ),
  "Slow Requests": requestRows(
    ({ error, inputTokens, outputTokens }) => (error === undefined ? tokenCells(inputTokens, outputTokens) : {}),
    (call, { slow = ["10s"] }) => hasNumbers(call) && call.end - call.start > Number.parseInt(slow[0] as string, 10) * 1000,
  ),
  "Newest Requests": requestRows((call) => modelCells(call), hasNumbers),

  "Tokens by Type": graph(
    (ledger, step, selected) =>
      new Map([
        ...ledger.increase("tokens", step, selected, "tokenType"),
        ...one("cached", sumOf(ledger.facts("cachedTokens", step, selected).map(({ value }) => value))),
      ]),
    short,
  ),
  "Cost of the Period": by("cost", undefined, { text: usd(2) }),
  "A Month Before": values(
    (ledger, { from, to }, selected) => ledger.increase("cost", { from: monthBefore(from), to: monthBefore(to) }, selected),
    usd(2),
  ),
  "Tokens without Cost": values((ledger, window, selected) => ledger.increase("tokens without cost", window, selected, "model"), short, 10),
  "Requests by Operation": by("requests", "operation"),
  "Errors by Type": graph((...[ledger, step, selected]) => ledger.increase("requests", step, selected, "error", failed)),

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
  "Newest Requests to Vector Databases": (ledger, window, selected) => ({
    kind: "rows",
    rows: ledger.spans("database", window, selected, maxSpans).map((call) => ({
      ...spanCells(call),
      Error: call.error,
      System: call.database.system,
      Operation: call.database.operation,
    })),
  }),
};

/** The row of gateways, in a dashboard that has some. */
export const gatewayPanels: Record<string, PanelTruth> = {
  Coverage: values(
    (...view) =>
      new Map([
        ...one("seen by SDKs", coverage(undefined, ...view).get("")?.value ?? Number.NaN),
        ...one("by gateways", sumOf(view[0].facts("gateway requests", view[1], view[2]).map(({ value }) => value))),
      ]),
    (value, name) => (name === "by gateways" ? whole : percent)(value),
  ),
  "Coverage by Application": values((...view) => coverage("application", ...view), percent),
};

/** What the tables of all spans show. */
const spanCells = (call: Call) => ({
  Time: call.start,
  Application: call.process.application,
  Duration: (call.end - call.start) * 1_000_000,
  Status: call.error ? "failed" : "ok",
});

const tokenCells = (inputTokens: number | undefined, outputTokens: number | undefined): Row => ({
  "Tokens in": written(inputTokens, whole),
  "Tokens out": written(outputTokens, whole),
});

const written = (value: number | undefined, text: Text) => (known(value) === undefined ? undefined : text(value as number));

function modelCells({ process, error, prompt, completion, inputTokens, outputTokens, cost }: ModelCall): Row {
  const { contents, cost: costs } = sdks[process.sdk];
  return {
    ...(contents && { Prompt: messages("user", prompt), Completion: completion && messages("assistant", completion) }),
    ...(error === undefined && tokenCells(inputTokens, outputTokens)),
    ...(error === undefined && costs && { Cost: written(cost, usd()) }),
  };
}
