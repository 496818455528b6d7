/** Values of the variables of "GenAI Observability (OpenTelemetry)": those of the common labels, which no series has until a query or a rule adds them. */
import type { CounterMode } from "./counters";
import { type Identity, identify, identityLabels } from "./identity";
import { type Measure, recordedMeasure } from "./measures";
import type { Naming } from "./names/translate";
import { openTelemetryMeasures } from "./opentelemetry-measures";
import { group, quote, select } from "./promql";

export interface VariableQuery {
  /** A query of Grafana's Prometheus variables. */
  query: string;
  /** Finds the value in a text of the result, for `query_result`. */
  regex?: string;
}

/** The query of the values of a common label. */
export function variableQuery(identity: Identity, mode: CounterMode, naming: Naming = "prometheus"): VariableQuery {
  const { requests, agents, tools, mcp, databases } = openTelemetryMeasures(naming);
  const ofProcesses = identity === "application" || identity === "environment";
  const measures: readonly Measure[] = ofProcesses ? [requests, agents, tools, mcp, databases] : [requests];
  if (mode === "recorded") return { query: `label_values(${named(measures.map(recordedMeasure))}, ${identity})` };
  const presence = [...new Set(measures.flatMap((measure) => measure.presence))];
  const series = group(`last_over_time(${named(presence)}[$__range])`, ...identityLabels([identity], naming));
  const labelled = identify(series, [identity], { series: presence, window: "$__range", infoWindow: "$__range" }, naming);
  // Grafana's text of a result is `{label="value"} number time`.
  return { query: `query_result(${onOneLine(group(labelled, identity))})`, regex: `/^{${identity}="(.*)"} /` };
}

const named = (series: readonly string[]) => (series.length === 1 ? select(series.join()) : `{__name__=~${quote(series.join("|"))}}`);

/** Grafana recognizes `query_result` on one line only, where a comment would not end. */
const onOneLine = (query: string) => query.replace(/#.*$/gm, "").replace(/\s*\n\s*/g, " ");
