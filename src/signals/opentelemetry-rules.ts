/**
 * The rules that record the measures of "GenAI Observability (OpenTelemetry)": the only place that reads several names, labels and bounds as one. A process
 * can send several names: its calls count once, with the first one that it sends.
 */
import { pricesOf } from "../prices/prices";
import { asHistogram, boundLabel, boundSteps } from "./bounds";
import { budgetRules, costRules } from "./costs";
import type { RecordingRule } from "./counters";
import { identify, identifyingLabels, processIdentity, processLabels } from "./identity";
import type { Naming } from "./names/translate";
import { type Measure, openTelemetryMeasures, type Source } from "./opentelemetry-measures";
import { finite, group, indent, isOneOf, minuteIncrease, overMinutes, select, sum, withLabel } from "./promql";

/** The name of the recorded series with the number of processes that sent requests in a minute, by application and environment. */
export const recordedProcesses = "application:gen_ai_processes:count1m";

/** The rules, one for each measure, one for the processes, and those of costs, which read them. Every SDK sends requests, their latency, and tokens. */
export function openTelemetryRecordingRules(
  naming: Naming,
  prices = pricesOf(),
  budgets: Readonly<Record<string, number>> = {},
): RecordingRule[] {
  const { pricedRequests: _, ...measures } = openTelemetryMeasures(naming);
  const { requests, latency, tokens } = measures;
  const always: readonly Measure[] = [requests, latency, tokens];
  const recorded = Object.values(measures).map((measure) => ruleOf(measure, always.includes(measure)));
  return [...recorded, processesRule(requests), ...costRules(measures, prices), ...budgetRules(budgets, measures)];
}

/** The series that most SDKs send. */
export const openTelemetryArrivals = (naming: Naming) => [
  ...new Set(openTelemetryRecordingRules(naming).flatMap(({ reads, always }) => (always ? reads : []))),
];

/** The counters of requests, one for each name, with a selector of all their series. */
export const openTelemetryCounters = (naming: Naming) =>
  sentSeries(openTelemetryMeasures(naming).requests).map((series) => ({ series, selector: select(series) }));

/** Names of all series that SDKs send for it. */
export const sentSeries = ({ sets }: Measure): string[] => [...new Set(sets.flatMap(({ sources }) => sources.map(({ series }) => series)))];

function ruleOf(measure: Measure, always: boolean): RecordingRule {
  const { recorded, series, identities, labels, bounds, sets } = measure;
  const queries = sets.map(({ sources, label }, index) => {
    const query = sources.map(increasesOf).join("\nor ");
    if (index === 0) return query;
    const others = label ? "processes, or of other operations" : "processes";
    return `# Of other ${others}, by another name.\nor on (${[...processLabels, label].filter(Boolean).join(", ")}) (\n${indent(query)}\n)`;
  });
  const processes = sentSeries(measure).map((name) => name.replace(/_(bucket|sum)$/, "_count"));
  const identified = identify(queries.join("\n"), identities, processes, bounds ? boundSteps(bounds) : []);
  const summed = sum(`\n${indent(identified)}\n`, ...(bounds ? [boundLabel] : []), ...identities, ...labels);
  return { name: recorded, query: overMinutes(bounds ? asHistogram(summed) : summed, "1m"), reads: series, always };
}

/** The increases of one source, by the labels of SDKs. */
function increasesOf({ series, ofNative, filters, except, label: [name, value] = ["", ""] }: Source): string {
  const selector = select(series, ...filters);
  // PromQL does not compare histograms with numbers.
  const native = () => finite(`histogram_${ofNative}(\n${indent(minuteIncrease(selector, (query) => query))}\n)`);
  const counted = ofNative ? native() : minuteIncrease(selector);
  const query = except ? `(\n${indent(counted)}\n)\nunless last_over_time(${select(series, ...except)}[3h])` : counted;
  return name ? withLabel(`\n${indent(query)}\n`, name, value) : query;
}

/** A measure does not tell an idle process from one that is gone: it is recorded for three hours after the last sample. */
function processesRule(requests: Measure): RecordingRule {
  const series = sentSeries(requests);
  const sending = group(`last_over_time(${select("", isOneOf("__name__", series))}[1m])`, ...identifyingLabels(processIdentity));
  const processes = sum(`\n${indent(identify(sending, processIdentity, series))}\n`, ...processIdentity);
  return { name: recordedProcesses, query: overMinutes(processes, "1m"), reads: requests.series, always: true };
}
