/** The recorded programs with a rule group. */
import type { Values } from "../../sandbox/plugins/values";
import type { Declared } from "./deployment";
import { types } from "./replay";

interface Options {
  /** Added to each rule. */
  each?: Values;
  /** Of the rule "Error rate". */
  threshold?: number;
}

const errors = "sum(rate(llm_errors_total[5m]))";
const p95 = "histogram_quantile(0.95, sum by (le) (rate(llm_latency_bucket[5m])))";
const known: Record<string, { expr: string; panel: string; limit: number }> = {
  "Error rate": { expr: errors, panel: "4", limit: 1 },
  "Latency p95": { expr: p95, panel: "7", limit: 5 },
  "New rule": { expr: "sum(up)", panel: "9", limit: 1 },
};

/** @param rules the names of its rules */
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
    { type: types.ruleGroup, name: "r", needs: "f", inputs: group },
  ];
}

function alertRule(name: string, { each, threshold }: Options): Values {
  const { expr = "", panel, limit = 0 } = known[name] ?? {};
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
