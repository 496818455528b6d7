/**
 * Measurements of today's SDKs, each with the series that telemetry generations have for it. A process can send several of them: its calls count once, with
 * the first series that it sends.
 */
import { asHistogram, type Bounds, boundLabel, boundSteps } from "./bounds";
import type { CounterMode, RecordingRule } from "./counters";
import { type Identity, identify, identityLabels, selected } from "./identity";
import type { Naming } from "./names/translate";
import {
  counterIncrease,
  type Duration,
  group,
  indent,
  isOneOf,
  lastMinute,
  matchesVariable,
  select,
  sum,
  type Window,
  withLabel,
} from "./promql";

/** A series with a measurement. */
export interface Source {
  series: string;
  filters: readonly string[];
  /** A label that the series lacks, with its value. */
  label?: readonly [name: string, value: string];
}

/** A counter, or a part of a histogram, by what identifies a call and by further labels. */
export interface Measure {
  /** The name of the recorded series, without level and operation. */
  name: string;
  /** The series of each telemetry generation, which are added. The preferred generation is the first one. */
  generations: readonly (readonly Source[])[];
  /** Series that the same processes send, one with few labels for each generation. */
  presence: readonly string[];
  identities: readonly Identity[];
  /** The labels by which panels group and filter it, apart from the common ones and from `le`. */
  labels: readonly string[];
  /** Of buckets: panels group them by `le`. */
  bounds?: Bounds;
  naming: Naming;
}

/** The name of the recorded series, `level:metric:operation`: the increase in a minute, by the common labels and by the measure's own. */
export const recordedMeasure = ({ name }: Measure) => `application:${name}:increase1m`;

/** The series that a panel reads. */
export const seriesOfMeasure = (measure: Measure, mode: CounterMode): string[] =>
  mode === "recorded" ? [recordedMeasure(measure)] : sourcesOf(measure);

const sourcesOf = ({ generations }: Measure) => [...new Set(generations.flat().map(({ series }) => series))];

/** The increase of a measure in a window, of the selected calls, in total or by labels. That of buckets is a histogram. */
export function increaseOf(
  measure: Measure,
  mode: CounterMode,
  window: Window,
  filters: readonly string[],
  ...by: readonly string[]
): string {
  const { identities, labels } = measure;
  if (mode === "recorded") {
    const selection = identities.map((identity) => matchesVariable(identity, identity));
    return recordedIncrease(measure, window, [...selection, ...filters], by);
  }
  const own = by.filter((label) => labels.includes(label));
  const windows = { window, infoWindow: "$__range" };
  const query = withIdentity(measure, own, windows, (source, grouped) =>
    counterIncrease(select(source.series, ...source.filters, ...filters), window, ...grouped),
  );
  return summed(measure, selected(query, identities), by);
}

/** The sum of the recorded minutes. */
const recordedIncrease = (measure: Measure, window: Window, filters: readonly string[], by: readonly string[]) =>
  sum(`sum_over_time(${select(recordedMeasure(measure), ...filters)}[${window}])`, ...(measure.bounds ? ["le"] : []), ...by);

/** The increase of a measure in a window, of all calls, in total or by labels: common ones or the measure's own. */
export function totalIncrease(
  measure: Measure,
  mode: CounterMode,
  window: Duration,
  filters: readonly string[],
  ...by: readonly string[]
): string {
  const { identities } = measure;
  if (mode === "recorded") return recordedIncrease(measure, window, filters, by);
  const common = identities.filter((identity) => by.includes(identity));
  const own = by.filter((label) => !common.some((identity) => identity === label));
  const query = withIdentity({ ...measure, identities: common }, own, { window, infoWindow: window }, (source, grouped) =>
    counterIncrease(select(source.series, ...source.filters, ...filters), window, ...grouped),
  );
  return summed(measure, query, by);
}

/** The common labels of the processes that send a measure, whether it increases or not: those with samples in a window. */
export function sendersOf(measure: Measure, mode: CounterMode, window: Duration, ...by: readonly Identity[]): string {
  const { presence, naming } = measure;
  if (mode === "recorded") return group(`last_over_time(${recordedMeasure(measure)}[${window}])`, ...by);
  const samples = group(`last_over_time(${select("", isOneOf("__name__", presence))}[${window}])`, ...identityLabels(by, naming));
  return group(`\n${indent(identify(samples, by, { series: presence, window, infoWindow: window }, naming))}\n`, ...by);
}

/** The rule that records the increase of a measure in each minute. */
export function recordingRuleOf(measure: Measure): RecordingRule {
  const { identities, labels } = measure;
  // A process sends its resource with each export, but not all receivers store it with each.
  const windows = { window: "1m", infoWindow: "1h" };
  const query = withIdentity(measure, labels, windows, ({ series, filters }, grouped) => lastMinute(select(series, ...filters), grouped));
  return {
    name: recordedMeasure(measure),
    query: summed(measure, query, [...identities, ...labels]),
    reads: sourcesOf(measure)[0] ?? "",
  };
}

function summed({ bounds }: Measure, query: string, by: readonly string[]): string {
  const lines = `\n${indent(query)}\n`;
  return bounds ? asHistogram(sum(lines, boundLabel, ...by)) : sum(lines, ...by);
}

/** The increases of all generations, with the common labels and with the own ones. */
function withIdentity(
  { generations, presence, identities, bounds, naming }: Measure,
  labels: readonly string[],
  windows: { window: string; infoWindow: string },
  increase: (source: Source, grouped: readonly string[]) => string,
): string {
  const grouped = [...identityLabels(identities, naming), ...labels, ...(bounds ? ["le"] : [])];
  const parts = generations.map((sources) => {
    const queries = sources.map((source) =>
      labelled(source, (own) =>
        increase(
          source,
          grouped.filter((label) => label !== own),
        ),
      ),
    );
    return queries.length === 1 ? queries[0] : `(\n${indent(queries.join("\nor "))}\n)`;
  });
  const [first = "", ...others] = parts;
  const increases = `# The increase of the counters, by process and by the labels of SDKs.\n${first}`;
  const all = [
    increases,
    ...others.map((query) => `# That of other processes, which send the same calls by another name.\nor on (job, instance) ${query}`),
  ].join("\n");
  return identify(all, identities, { series: presence, ...windows }, naming, bounds ? boundSteps(bounds) : []);
}

/** The series of one source, with the label that tells it apart from the others of its generation. */
function labelled({ label: [name, value] = ["", ""] }: Source, query: (label: string) => string): string {
  return name ? withLabel(query(name), name, value) : query("");
}
