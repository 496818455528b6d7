/** The recording rules of today's telemetry. One rule for each source identifies its calls and adds them up. */
import { type Prices, pricesOf } from "../prices/prices";
import { budgetRules, costRules } from "./costs";
import type { RecordingRule } from "./counters";
import { exportedJob, identify, identifyingLabels, modelIdentity, processIdentity, processLabels, writtenLabels } from "./identity";
import { type HistogramPart, type Naming, seriesName } from "./names/translate";
import { conventionLabel, type Measure, type MeasureName, measures, sourceLabel } from "./opentelemetry-measures";
import { type Condition, isRequest, type MetricSelection, type Source, sources } from "./opentelemetry-sources";
import { finite, group, indent, isOneOf, literally, overMinutes, quote, relabel, select, sum } from "./promql";
import { watchedRules } from "./watched";

/** The name of the recorded series with the number of processes that sent requests in a minute, by application and environment. */
export const recordedProcesses = "application:gen_ai_processes:count1m";

/** Most SDKs send these measures. The source `tokens` is for SDKs without durations, so it may stay empty. */
const always: readonly MeasureName[] = ["requests", "latency", "tokens"];

/** The measures that the rules of costs read. */
const readByCosts: readonly MeasureName[] = ["requests", "tokens", "tokenRequests", "cachedTokens", "measuredCost"];

/** The applications that are gateways, and the side whose requests count. Both sides report the same call. */
export type Gateways = { names: readonly string[]; countedBy: "sdks" | "gateways" };

/** The settings of the rules. */
export interface RuleOptions {
  /** Default to the price list. */
  prices?: Prices | undefined;
  budgets?: Readonly<Record<string, number>>;
  gateways?: Gateways | undefined;
  /** The service, if alerts on costs count its samples. */
  service?: string | undefined;
}

/** A source with its measure. */
type MeasureSource = Source & { measure: MeasureName };

const allSources = (Object.entries(sources) as [MeasureName, readonly Source[]][]).flatMap(([measure, ofMeasure]) =>
  ofMeasure.map((source): MeasureSource => ({ ...source, measure })),
);
const ofSdks = allSources.filter(({ ofGateways }) => !ofGateways);

/** One side of a call, SDKs or gateways: what it sends, and filters of its series. */
type Side = { sources: readonly MeasureSource[]; filters: readonly string[]; isGateway?: true };

/** What SDKs send, without a filter by application. */
const allSdks: Side = { sources: ofSdks, filters: [] };

/** The names of sources that no gateway sends. */
const sdkOnlySources = ["inference", "spring", "tokens"];

/** The side that counts, and the other one, which has no sources without gateways. */
function sidesOf(gateways?: Gateways): readonly [counted: Side, other: Side] {
  if (!gateways) return [allSdks, { ...allSdks, sources: [] }];
  const pattern = quote(`(.+/)?(${gateways.names.map(literally).join("|")})`);
  const sdks: Side = { ...allSdks, filters: [`job!~${pattern}`, `${exportedJob}!~${pattern}`] };
  const sentByGateways = allSources.filter(({ name }) => !sdkOnlySources.includes(name));
  const ofGateways: Side = { filters: [`job=~${pattern}`], isGateway: true, sources: sentByGateways };
  return gateways.countedBy === "sdks" ? [sdks, ofGateways] : [ofGateways, sdks];
}

/** Filters of the counters that rules of requests, durations and tokens read. */
export const countedFilters = (gateways?: Gateways) => sidesOf(gateways)[0].filters;

/**
 * The rules of sources and of processes, and the rules of costs and of alerts, which read the series of the first ones. Of the side that
 * does not count, only requests are recorded. Agents, tools and databases are always those of SDKs.
 */
export function openTelemetryRecordingRules(
  naming: Naming,
  { prices = pricesOf(), budgets = {}, gateways, service }: RuleOptions = {},
): RecordingRule[] {
  const [counted, other] = sidesOf(gateways);
  const isOfModels = ({ measure }: MeasureSource) => measures[measure].identities === modelIdentity;
  const uncounted = other.sources.filter(({ measure }) => measure === "requests");
  return [
    ...counted.sources.map((source) => ruleOf(source, naming, isOfModels(source) ? counted : allSdks)),
    ...uncounted.map((source) => ruleOf({ ...source, measure: "uncounted" }, naming, other)),
    processesRule(naming, counted),
    ...[...costRules(prices), ...budgetRules(budgets), ...watchedRules(service)],
  ];
}

/** The names of the series that SDKs send for a measure. A histogram can have two forms. */
export const sentSeries = (measure: MeasureName, naming: Naming): string[] => [
  ...new Set(ofSdks.filter((source) => source.measure === measure).flatMap((source) => seriesOf(source, naming))),
];

/** The names of all series that the rules read. */
export const readSeries = (naming: Naming) => new Set(allSources.flatMap((source) => seriesOf(source, naming)));

/** The counters of requests, one for each name, with a selector of all their series. */
export const openTelemetryCounters = (naming: Naming) =>
  sentSeries("requests", naming).map((series) => ({ series, selector: select(series) }));

/** The series of a part of a metric, and how to read the last values of each. Prometheus stores an exponential histogram as one series. */
function formsOf({ metric, isClassic }: MetricSelection, part: HistogramPart, naming: Naming, isNative = false) {
  const exponential = seriesName(metric, naming);
  if (isNative) return [{ name: exponential, read: last }];
  const classic = { name: seriesName(metric, naming, part), read: last };
  if (metric.kind === "counter" || part === "bucket" || isClassic) return [classic];
  return [classic, { name: exponential, read: (selector: string) => `histogram_${part}(${last(selector)})` }];
}

/** The names of the series that a source sends for a part of a metric. */
const seriesOf = ({ measure, metrics, isNative }: MeasureSource, naming: Naming, part = measures[measure].part) =>
  metrics.flatMap((each) => formsOf(each, part, naming, isNative).map(({ name }) => name));

/** A selector of the series of several names. */
const named = ([name = "", ...others]: readonly string[], ...filters: readonly string[]) =>
  others.length === 0 ? select(name, ...filters) : select("", isOneOf("__name__", [name, ...others]), ...filters);

/** A process without samples for three hours has ended. */
const last = (selector: string) => `last_over_time(${selector}[3h])`;

function ruleOf(source: MeasureSource, naming: Naming, { filters, isGateway }: Side): RecordingRule {
  const { from, metrics, all, only = [], except = [], steps, labels, isNative } = source;
  const measure: Measure = measures[source.measure];
  const { series: name, part, identities } = measure;
  // With `no-suffixes`, two metrics can have the same name.
  const [value = "", ...alternatives] = new Set(metrics.map((each) => lastValues(each, filters, formsOf(each, part, naming, isNative))));
  const values = [value, ...alternatives.map((other) => `or ${all ? "" : `on (${processLabels}) `}${inParentheses(other)}`)].join("\n");
  const conditions = [
    ...only.map((condition) => `and ${matching(condition, naming)}`),
    ...except.map((condition) => `unless ${matching(condition, naming)}`),
  ];
  // `_count` has fewer series than `_bucket`.
  const series = named([...new Set(seriesOf(source, naming, part === "bucket" ? "count" : part))]);
  const identified = identify(increase(values, isNative), { identities, series, conditions, steps, isGateway });
  const by = measure.labels.filter((label) => !(labels && label in labels) && !(isNative && label === "le"));
  return {
    name,
    comment: from,
    labels: { [sourceLabel]: source.name, ...labels },
    query: overMinutes(sum(`\n${indent(identified)}\n`, ...identities, ...by), "1m"),
    reads: seriesOf(source, naming)[0] ?? "",
    always: always.includes(source.measure) && !isNative && source.name !== "tokens",
    ...(isNative && { onlyExternal: true }),
    ...(!readByCosts.includes(source.measure) && { group: "times" }),
  };
}

/** The last values of a metric. */
function lastValues({ filters = [], steps = [] }: MetricSelection, others: readonly string[], forms: ReturnType<typeof formsOf>): string {
  const values = forms.map(({ name, read }) => read(select(name, ...filters, ...others))).join("\nor ");
  return steps.length > 0 ? relabel(values, steps) : values;
}

/** Only a query of several lines needs parentheses. */
const inParentheses = (query: string) => (query.includes("\n") ? `(\n${indent(query)}\n)` : query);

/**
 * The increase in the last full minute of the clock: see `counterIncrease`. Negative values are left out. PromQL cannot compare a native
 * histogram with a number.
 */
function increase(values: string, isNative = false): string {
  const each = isNative ? values : `${finite(inParentheses(values))} >= 0`;
  return `60 * irate((${each})[2m:1m])\nor ${each}`;
}

const matched = {
  process: `on (${processLabels})`,
  operation: `on (${processLabels}, ${conventionLabel("operation")})`,
  series: `ignoring (${writtenLabels}, le)`,
};

const matching = ({ metrics, part, filters, on }: Condition, naming: Naming) => {
  const names = metrics.flatMap((metric) => formsOf({ metric }, part, naming).map(({ name }) => name));
  return `${matched[on]} ${last(named([...new Set(names)], ...filters))}`;
};

/**
 * The processes whose requests count, also idle ones; those of gateways by the application that calls. The series of measures go on for
 * three hours after the last sample of a process, and do not tell an idle process from one that has ended.
 */
function processesRule(naming: Naming, { filters, isGateway, sources }: Side): RecordingRule {
  const requests = sources.filter(({ measure }) => measure === "requests");
  const series = [...new Set(requests.flatMap((source) => seriesOf(source, naming)))];
  const sending = group(`last_over_time(${named(series, isRequest, ...filters)}[1m])`, ...identifyingLabels(processIdentity, isGateway));
  const identified = identify(sending, { identities: processIdentity, series: named(series), isGateway });
  return {
    name: recordedProcesses,
    comment: "Processes that send.",
    query: overMinutes(sum(`\n${indent(identified)}\n`, ...processIdentity), "1m"),
    reads: series[0] ?? "",
    always: true,
  };
}
