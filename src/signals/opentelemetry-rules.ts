/** The text of the rules that record what SDKs send: one for each source, whose calls it identifies and adds up. */
import { type Prices, pricesOf } from "../prices/prices";
import { budgetRules, costRules } from "./costs";
import type { RecordingRule } from "./counters";
import { exportedJob, identify, identifyingLabels, modelIdentity, process, processIdentity, written } from "./identity";
import { type HistogramPart, type Naming, seriesName } from "./names/translate";
import { conventionLabel, type MeasureName, measures, sourceLabel } from "./opentelemetry-measures";
import { type Condition, type Sent, type Source, sources } from "./opentelemetry-sources";
import { finite, group, indent, isOneOf, literally, overMinutes, quote, relabel, select, sum } from "./promql";
import { watchedRules } from "./watched";

/** The name of the recorded series with the number of processes that sent requests in a minute, by application and environment. */
export const recordedProcesses = "application:gen_ai_processes:count1m";

/** Every SDK sends these, by one of their names. Few send no durations: their source is that of tokens. */
const always: readonly MeasureName[] = ["requests", "latency", "tokens"];

/** What the rules of costs read. */
const readByCosts: readonly MeasureName[] = ["requests", "tokens", "tokenRequests", "cachedTokens", "measuredCost"];

/** Whose requests a rule reads. */
interface Side {
  filters: readonly string[];
  isGateway?: boolean;
}

/** Applications that are gateways, and who counts: each call is counted once. */
export interface Gateways {
  names: readonly string[];
  countedBy: "sdks" | "gateways";
}

/** What the rules take from the settings. */
interface RuleOptions {
  /** Default to the list. */
  prices?: Prices | undefined;
  budgets?: Readonly<Record<string, number>>;
  gateways?: Gateways | undefined;
  /** The service, if alerts on costs count its samples. */
  service?: string | undefined;
}

/** The rules of each source, one for the processes, those of costs and of alerts, which read them. */
export function openTelemetryRecordingRules(
  naming: Naming,
  { prices = pricesOf(), budgets = {}, gateways, service }: RuleOptions = {},
): RecordingRule[] {
  const rules = gateways ? rulesOfSides(gateways, naming) : sources.filter(isOfSdks).map((source) => ruleOf(source, naming));
  return [...rules, processesRule(naming), ...costRules(prices), ...budgetRules(budgets), ...watchedRules(service)];
}

const isOfSdks = ({ ofGateways }: Source) => !ofGateways;

/** Those of the side that counts, and of the requests of the other one. Gateways send some names only. Agents and databases are those of SDKs. */
function rulesOfSides({ names, countedBy }: Gateways, naming: Naming): RecordingRule[] {
  const pattern = quote(`(.+/)?(${names.map(literally).join("|")})`);
  const ofGateways: Side = { filters: [`job=~${pattern}`], isGateway: true };
  const ofSdks: Side = { filters: [`job!~${pattern}`, `${exportedJob}!~${pattern}`] };
  const isOfModels = ({ measure }: Source) => measures[measure].identities === modelIdentity;
  const bySdks = [ofSdks, sources.filter(isOfSdks)] as const;
  const byGateways = [ofGateways, sources.filter(({ name }) => !["inference", "spring", "tokens"].includes(name))] as const;
  const [[side, counted], [other, others]] = countedBy === "sdks" ? [bySdks, byGateways] : [byGateways, bySdks];
  return [
    ...counted.map((source) => ruleOf(source, naming, isOfModels(source) ? side : undefined)),
    ...others.filter(({ measure }) => measure === "requests").map((source) => ruleOf({ ...source, measure: "uncounted" }, naming, other)),
  ];
}

/** The names of a measure's series, of histograms in both of their forms. */
export const sentSeries = (measure: MeasureName, naming: Naming): string[] => [
  ...new Set(sources.filter((source) => source.measure === measure && isOfSdks(source)).flatMap((source) => seriesOf(source, naming))),
];

/** The counters of requests, one for each name, with a selector of all their series. */
export const openTelemetryCounters = (naming: Naming) =>
  sentSeries("requests", naming).map((series) => ({ series, selector: select(series) }));

/** The names of a metric's part. Prometheus stores an exponential histogram as one series, whose count and sum are functions. */
const namesOf = ({ metric, isClassic }: Pick<Sent, "metric" | "isClassic">, part: HistogramPart, naming: Naming) => [
  seriesName(metric, naming, part),
  ...(metric.kind === "histogram" && part !== "bucket" && !isClassic ? [seriesName(metric, naming)] : []),
];

const seriesOf = ({ sent, part }: Source, naming: Naming) => sent.flatMap((each) => namesOf(each, part, naming));

/** A selector of the series of several names. */
const named = ([name = "", ...others]: readonly string[], ...filters: readonly string[]) =>
  others.length === 0 ? select(name, ...filters) : select("", isOneOf("__name__", [name, ...others]), ...filters);

/** As long as a process that has ended counts as one that could continue. */
const last = (selector: string) => `last_over_time(${selector}[3h])`;

function ruleOf(source: Source, naming: Naming, side: Side = { filters: [] }): RecordingRule {
  const { measure, name, from, part, sent, all, only = [], except = [], steps, labels, isNative } = source;
  const { recorded, identities, labels: others } = measures[measure];
  // Two names can be one in a naming.
  const [value = "", ...alternatives] = new Set(sent.map((each) => lastValues(each, source, naming, side)));
  const values = [value, ...alternatives.map((other) => `or ${all ? "" : `on (${process}) `}${inParentheses(other)}`)].join("\n");
  const conditions = [
    ...only.map((condition) => `and ${matching(condition, naming)}`),
    ...except.map((condition) => `unless ${matching(condition, naming)}`),
  ];
  // The buckets of a process are many, and its counts few.
  const processes = sent.flatMap((each) =>
    isNative ? seriesName(each.metric, naming) : namesOf(each, part === "bucket" ? "count" : part, naming),
  );
  const by = others.filter((label) => !(labels && label in labels) && !(isNative && label === "le"));
  return {
    name: recorded,
    comment: from,
    labels: { [sourceLabel]: name, ...labels },
    query: overMinutes(
      sum(
        `\n${indent(identify(increase(values, isNative), identities, named([...new Set(processes)]), conditions, steps, side.isGateway))}\n`,
        ...identities,
        ...by,
      ),
      "1m",
    ),
    reads: seriesOf(source, naming)[0] ?? "",
    always: always.includes(measure) && !isNative && name !== "tokens",
    ...(isNative && { onlyExternal: true }),
    ...(!readByCosts.includes(measure) && { part: "times" }),
  };
}

/** The last values of a metric. */
function lastValues({ metric, steps = [], isClassic, ...sent }: Sent, { part, isNative }: Source, naming: Naming, side: Side): string {
  const filters = [...(sent.filters ?? []), ...side.filters];
  const native = last(select(seriesName(metric, naming), ...filters));
  const value = isNative ? native : last(select(seriesName(metric, naming, part), ...filters));
  const isBoth = metric.kind === "histogram" && part !== "bucket" && !isClassic && !isNative;
  const values = isBoth ? `${value}\nor histogram_${part}(${native})` : value;
  return steps.length > 0 ? relabel(values, steps) : values;
}

/** Of several lines. */
const inParentheses = (query: string) => (query.includes("\n") ? `(\n${indent(query)}\n)` : query);

/** The increase in the last full minute of the clock: see `counterIncrease`. No sum is negative. PromQL does not compare histograms with numbers. */
function increase(values: string, isNative = false): string {
  const each = isNative ? values : `${finite(inParentheses(values))} >= 0`;
  return `60 * irate((${each})[2m:1m])\nor ${each}`;
}

const matched = {
  process: `on (${process})`,
  operation: `on (${process}, ${conventionLabel("operation")})`,
  series: `ignoring (${written}, le)`,
};

const matching = ({ metrics, part, filters, on }: Condition, naming: Naming) =>
  `${matched[on]} ${last(named([...new Set(metrics.flatMap((metric) => namesOf({ metric }, part, naming)))], ...filters))}`;

/** A measure does not tell an idle process from one that is gone: it is recorded for three hours after the last sample. */
function processesRule(naming: Naming): RecordingRule {
  const series = sentSeries("requests", naming);
  const sending = group(`last_over_time(${named(series)}[1m])`, ...identifyingLabels(processIdentity));
  const processes = sum(`\n${indent(identify(sending, processIdentity, named(series)))}\n`, ...processIdentity);
  return {
    name: recordedProcesses,
    comment: "Processes that send.",
    query: overMinutes(processes, "1m"),
    reads: series[0] ?? "",
    always: true,
  };
}
