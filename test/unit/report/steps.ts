/** Builds previews as the engine prints them. Recorded output is in `test/recorded/pulumi`. */
import type { Json } from "../../../src/report/json";

const dashboard = "grafana:oss/dashboard:Dashboard";
export const ruleGroupType = "grafana:alerting/ruleGroup:RuleGroup";

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

/** A group of recording rules, by the names of their series. */
export const recordingRules = (queries: Record<string, string>): Record<string, Json> => ({
  rules: Object.entries(queries).map(([name, expr]) => ({ name, datas: [{ refId: "A", model: JSON.stringify({ expr }) }] })),
});

export const preview = (...steps: unknown[]) => JSON.stringify({ steps, changeSummary: {} });
