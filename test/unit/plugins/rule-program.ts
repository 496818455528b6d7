/** The recorded programs with a rule group. */
import type { Values } from "../../sandbox/plugins/values";
import type { Declared, Deployment } from "./deployment";
import { type Request, read, type Stage, types } from "./replay";

export const both = ["Error rate", "Latency p95"];

/** The steps of a deployment that changes only the group. */
export const only = (step: string): Record<string, string> => ({ f: "same", prom: "same", r: step });
export const created = { steps: { f: "create", prom: "create", r: "create" }, errors: {} };

export interface Options {
  /** Added to each rule. */
  each?: Values;
  /** The rules have own uids. */
  own?: boolean;
  /** Of the rule "Error rate". */
  threshold?: number;
  group?: Values;
}

const errors = "sum(rate(llm_errors_total[5m]))";
const p95 = "histogram_quantile(0.95, sum by (le) (rate(llm_latency_bucket[5m])))";
const known: Record<string, { expr: string; panel: string; limit: number; uid: string }> = {
  "Error rate": { expr: errors, panel: "4", limit: 1, uid: "error-rate" },
  "Latency p95": { expr: p95, panel: "7", limit: 5, uid: "latency-p95" },
  "New rule": { expr: "sum(up)", panel: "9", limit: 1, uid: "new-rule" },
};

export function ruleProgram(rules: readonly string[], options: Options = {}): Declared[] {
  const uid = "r12-llm-observability";
  const dataSource = { type: "prometheus", name: "r12-metrics", uid: "r12-llm-metrics", url: "http://127.0.0.1:9090" };
  const group = {
    name: "R12 LLM",
    folderUid: uid,
    intervalSeconds: 60,
    rules: rules.map((name) => (name === "Cost per minute" ? recordingRule() : alertRule(name, options))),
  };
  return [
    { type: types.folder, name: "f", inputs: { title: "R12 LLM Observability", uid } },
    { type: types.dataSource, name: "prom", inputs: dataSource },
    { type: types.ruleGroup, name: "r", needs: "f", inputs: { ...group, ...options.group } },
  ];
}

function alertRule(name: string, { each, own, threshold }: Options): Values {
  const { expr = "", panel, limit = 0, uid } = known[name] ?? {};
  const added = { intervalMs: 1000, maxDataPoints: 43200 };
  const query = (refId: string, datasourceUid: string, from: number, model: Values) => ({
    refId,
    datasourceUid,
    relativeTimeRange: { from, to: 0 },
    model: JSON.stringify({ refId, ...model, ...added }),
  });
  const expression = { datasource: { type: "__expr__", uid: "__expr__" } };
  const above = name === "Error rate" ? (threshold ?? limit) : limit;
  const conditions = [{ type: "query", evaluator: { type: "gt", params: [above] } }];
  return {
    ...(own ? { uid } : {}),
    name,
    condition: "C",
    for: "5m",
    noDataState: "OK",
    execErrState: "Error",
    annotations: { __dashboardUid__: "r12-svc-llm-monitoring", __panelId__: panel, summary: `${name} is high` },
    labels: { service: "svc", severity: "warning" },
    datas: [
      query("A", "r12-llm-metrics", 600, { expr, instant: true }),
      query("B", "__expr__", 0, { type: "reduce", expression: "A", reducer: "last", ...expression }),
      query("C", "__expr__", 0, { type: "threshold", expression: "B", conditions, ...expression }),
    ],
    ...each,
  };
}

function recordingRule(): Values {
  const model = { refId: "A", expr: "sum(increase(gen_ai_cost[1m]))", instant: true, intervalMs: 1000, maxDataPoints: 43200 };
  return {
    name: "Cost per minute",
    record: { metric: "r12:cost:per_minute", from: "A", targetDatasourceUid: "r12-llm-metrics" },
    datas: [{ refId: "A", datasourceUid: "r12-llm-metrics", relativeTimeRange: { from: 600, to: 0 }, model: JSON.stringify(model) }],
  };
}

/** A deployment whose group has the rules of the first answer in the recording. */
export async function deployed(stage: Stage, scenario: string, program: readonly Declared[]): Promise<Deployment> {
  const deployment = await stage.deployment();
  const inputsOf = (name: string): Values => program.find((declared) => declared.name === name)?.inputs ?? {};
  const inputs = inputsOf("r");
  const [folder, title] = [String(inputs.folderUid), String(inputs.name)];
  const list = read(`grafana/${scenario}.json`).find(({ request }: { request: Request }) => request.path.endsWith("/alert-rules")).response
    .body;
  const get = (path: string, body: unknown) => ({
    request: { method: "GET", path, headers: {}, body: null },
    response: { status: 200, body },
  });
  const rules = list.filter(({ folderUID, ruleGroup }: Record<string, string>) => folderUID === folder && ruleGroup === title);
  const path = `/api/v1/provisioning/folder/${folder}/rule-groups/${encodeURIComponent(title)}`;
  stage.left = [
    get(path, { title, folderUid: folder, interval: 60, rules }),
    ...rules.map((rule: { uid: string }) => get(`/api/v1/provisioning/alert-rules/${rule.uid}`, rule)),
  ];
  const id = `1:${folder}:${title}`;
  const ids: Record<string, string> = { f: `0:${folder}`, prom: `1:${inputsOf("prom").uid}`, r: `0:${folder}:${title}` };
  const group = await deployment.plugin.read(types.ruleGroup, id, { ...inputs, id }, {});
  for (const { type, name, inputs: given } of program) {
    const checked = (await deployment.plugin.check(type, name, given)).inputs;
    const outputs = name === "r" ? (group?.outputs ?? {}) : { ...checked, id: ids[name] };
    deployment.state.set(name, { type, id: ids[name] ?? "", inputs: checked, outputs });
  }
  stage.sent = [];
  return deployment;
}
