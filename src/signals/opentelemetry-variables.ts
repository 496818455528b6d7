/** Values of the variables of "GenAI Observability (OpenTelemetry)". */
import { seriesRead } from "./counters";
import { type Identity, identityLabels } from "./identity";
import { defaultEnvironmentAttribute, type Reading } from "./opentelemetry-builder";
import { openTelemetryMeasures } from "./opentelemetry-measures";
import { isOneOf, select } from "./promql";

/** The labels that a panel can select. Directly, not the provider: SDKs have two labels for it. */
export const selectable = (mode: Reading["mode"]): readonly Identity[] =>
  mode === "recorded" ? ["application", "environment", "provider", "model"] : ["application", "environment", "model"];

/** The query of Grafana's Prometheus variables for the values of a label. */
export function variableQuery(
  identity: Identity,
  { mode, naming = "prometheus", environmentAttribute = defaultEnvironmentAttribute }: Reading,
): string {
  const { requests, tokens, agents, tools, mcp, databases } = openTelemetryMeasures(naming);
  const ofProcesses = identity === "application" || identity === "environment";
  const series = (ofProcesses ? [requests, tokens, agents, tools, mcp, databases] : [requests]).map((measure) => seriesRead(measure, mode));
  const label = identityLabels(mode, naming, environmentAttribute)[identity];
  return `label_values(${select("", isOneOf("__name__", series))}, ${label})`;
}
