/** Builds previews as the engine prints them. Recorded output is in `test/recorded/pulumi`. */
import type { Json } from "../../../src/report/json";

const dashboard = "grafana:oss/dashboard:Dashboard";

interface StepOptions {
  op?: string;
  type?: string;
  name?: string;
  before?: Record<string, Json> | undefined;
  after?: Record<string, Json> | undefined;
  more?: Record<string, unknown>;
  /** Fields of both states. */
  state?: Record<string, unknown>;
}

export function step({ op = "update", type = dashboard, name = "it", before, after, more, state }: StepOptions) {
  const urn = `urn:pulumi:dev::project::${type}::${name}`;
  const stateOf = (inputs: Record<string, Json> | undefined) => inputs && { urn, custom: true, type, inputs, ...state };
  return { op, urn, ...(before && { oldState: stateOf(before) }), ...(after && { newState: stateOf(after) }), detailedDiff: null, ...more };
}

export const dashboardStep = (before: Json, after: Json, name = "it") =>
  step({ name, before: { configJson: JSON.stringify(before) }, after: { configJson: JSON.stringify(after) } });

export const preview = (...steps: unknown[]) => JSON.stringify({ steps, changeSummary: {} });
