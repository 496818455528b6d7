/** The recorded programs with a group of alert rules. */
import type { Values } from "../../sandbox/plugins/values";
import type { Declared } from "./deployment";
import { types } from "./replay";

export interface Names {
  of: string;
  title: string;
}

export interface Options {
  /** What the rules have beside the usual. */
  each?: Values;
  /** The rules have uids of the program's. */
  own?: boolean;
  /** Without what Grafana adds to queries by itself. */
  bare?: boolean;
  /** The error rate that is too much. */
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

export function ruleProgram({ of, title }: Names, rules: readonly string[], options: Options = {}): Declared[] {
  const uid = `${of}llm-observability`;
  const dataSource = { type: "prometheus", name: `${of}metrics`, uid: `${of}llm-metrics`, url: "http://127.0.0.1:9090" };
  const group = {
    name: `${title}LLM`,
    folderUid: uid,
    intervalSeconds: 60,
    rules: rules.map((name) => (name === "Cost per minute" ? recordingRule(of) : alertRule(of, name, options))),
  };
  return [
    { type: types.folder, name: "f", inputs: { title: `${title}LLM Observability`, uid } },
    { type: types.dataSource, name: "prom", inputs: dataSource },
    { type: types.ruleGroup, name: "r", needs: "f", inputs: { ...group, ...options.group } },
  ];
}

function alertRule(of: string, name: string, { each, own, bare, threshold }: Options): Values {
  const { expr = "", panel, limit = 0, uid } = known[name] ?? {};
  const added = bare ? {} : { intervalMs: 1000, maxDataPoints: 43200 };
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
    annotations: { __dashboardUid__: `${of}svc-llm-monitoring`, __panelId__: panel, summary: `${name} is high` },
    labels: { service: "svc", severity: "warning" },
    datas: [
      query("A", `${of}llm-metrics`, 600, { expr, instant: true }),
      query("B", "__expr__", 0, { type: "reduce", expression: "A", reducer: "last", ...expression }),
      query("C", "__expr__", 0, { type: "threshold", expression: "B", conditions, ...expression }),
    ],
    ...each,
  };
}

function recordingRule(of: string): Values {
  const model = { refId: "A", expr: "sum(increase(gen_ai_cost[1m]))", instant: true, intervalMs: 1000, maxDataPoints: 43200 };
  const metric = of === "" ? "llm:cost:per_minute" : "r12:cost:per_minute";
  return {
    name: "Cost per minute",
    record: { metric, from: "A", targetDatasourceUid: `${of}llm-metrics` },
    datas: [{ refId: "A", datasourceUid: `${of}llm-metrics`, relativeTimeRange: { from: 600, to: 0 }, model: JSON.stringify(model) }],
  };
}
