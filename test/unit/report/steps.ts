/** Builds previews as the engine prints them. Recorded output is in `test/recorded/pulumi`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../../../src/report/json";
import { parsePreview } from "../../../src/report/parse-preview";
import { type ReportOptions, renderReport } from "../../../src/report/render";

/** The folder of recorded output. */
export const recordings = join(__dirname, "../../recorded/pulumi");
export const recorded = (file: string) => readFileSync(join(recordings, file), "utf8");

const dashboard = "grafana:oss/dashboard:Dashboard";
export const ruleGroupType = "grafana:alerting/ruleGroup:RuleGroup";

export type Values = Record<string, Json>;

interface StepOptions {
  op?: string;
  type?: string;
  name?: string;
  before?: Values | undefined;
  after?: Values | undefined;
  more?: Record<string, unknown>;
  /** Fields of both states. */
  state?: Record<string, unknown>;
}

export function step({ op = "update", type = dashboard, name = "it", before, after, more, state }: StepOptions) {
  const urn = `urn:pulumi:dev::project::${type}::${name}`;
  const stateOf = (inputs: Values | undefined) => inputs && { urn, custom: true, type, inputs, ...state };
  return { op, urn, ...(before && { oldState: stateOf(before) }), ...(after && { newState: stateOf(after) }), detailedDiff: null, ...more };
}

/** The steps of a resource that is refreshed first, with its outputs in the state and in the cloud. */
export function refreshed(options: StepOptions, stored: Values, found: Values) {
  const [refresh, change] = [step({ ...options, op: "refresh" }), step(options)];
  return [
    { ...refresh, oldState: { ...refresh.oldState, outputs: stored } },
    { ...change, oldState: { ...change.oldState, outputs: found } },
  ];
}

export const dashboardStep = (before: Json, after: Json, name = "it") =>
  step({ name, before: { configJson: JSON.stringify(before) }, after: { configJson: JSON.stringify(after) } });

/** A model of a dashboard with this number of panels. */
export const modelWith = (panels: number, query: string): Json => ({
  title: "T",
  panels: [...Array(panels).keys()].map((place) => ({ title: `Panel ${place}`, type: "stat", targets: [{ expr: `${query} ${place}` }] })),
});

/** A group of recording rules, by the names of their series. */
export const recordingRules = (queries: Record<string, string>): Values => ({
  rules: Object.entries(queries).map(([name, expr]) => ({ name, datas: [{ refId: "A", model: JSON.stringify({ expr }) }] })),
});

export const preview = (...steps: unknown[]) => JSON.stringify({ steps, changeSummary: {} });

/** The lines of the report on these steps, below its title. */
export const linesOf = (steps: readonly unknown[], options?: ReportOptions) =>
  renderReport([parsePreview(preview(...steps))], options)
    .markdown.trim()
    .split("\n")
    .slice(2);
