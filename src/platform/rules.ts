/** Alert rules and recording rules that Grafana evaluates, as groups in the folder of the dashboards. */
import type * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import type { Alerts } from "../alerts/definitions";
import type { AlertRule } from "../alerts/rule";
import { textsOf } from "../alerts/template";
import { recordingGroup } from "../dashboards/names";
import { evaluatedByGrafana, type RecordingRule } from "../signals/counters";
import type { Named, Placement } from "./dashboard";
import { qualifiedStack } from "./ownership";

/** The folder of the rules, and the uids of the datasources, of which rules read that of Prometheus. */
type References = Omit<Placement, "owner">;

/**
 * Declares the rules. Each rule has a group of its own, whose name is its title: Grafana's provider matches the rules of a group by
 * position, so that a new rule could take the state of another one.
 *
 * @param named the name and the options of the resource of a rule, by its id
 */
export function createAlertRules(named: (id: string) => Named, alerts: Alerts, { folderUid, datasources }: References) {
  return alerts.rules.map((rule) => {
    const [name, options] = named(rule.id);
    const group = { name: rule.title, folderUid, intervalSeconds: 60 * rule.everyMinutes };
    return new grafana.alerting.RuleGroup(name, { ...group, rules: [ruleArgs(rule, alerts, datasources.prometheus)] }, options);
  });
}

function ruleArgs(rule: AlertRule, alerts: Alerts, prometheus: pulumi.Output<string>) {
  const { title, query, above, forMinutes, keepMinutes, panelId } = rule;
  const { contactPoint, dashboardUid } = alerts;
  const { labels, annotations } = textsOf(rule, alerts, "grafana");
  return {
    name: title,
    condition: "C",
    for: goDuration(forMinutes),
    // Grafana before 12 drops it.
    ...(keepMinutes > 0 && { keepFiringFor: goDuration(keepMinutes) }),
    // Telemetry of LLMs comes in bursts. A rule that watches for silence has a value while it is silent.
    noDataState: "OK",
    execErrState: "Error",
    labels: { ...labels, stack: qualifiedStack() },
    // Links the rule to its panel, which shows the rule's state.
    annotations: { ...annotations, __dashboardUid__: dashboardUid, __panelId__: String(panelId) },
    datas: [
      ruleQuery("A", prometheus, { from: 600, to: 0 }, { expr: query, instant: true, range: false }),
      ruleQuery("C", "__expr__", { from: 0, to: 0 }, threshold(above)),
    ],
    ...(contactPoint && { notificationSettings: { contactPoint } }),
  };
}

/** One query and one threshold: Grafana opens such a rule in its simple editor. */
function threshold(above: number) {
  const evaluator = { type: "gt", params: [above] };
  const reducer = { type: "last", params: [] };
  const condition = { type: "query", evaluator, operator: { type: "and" }, query: { params: ["C"] }, reducer };
  return { datasource: { type: "__expr__", uid: "__expr__" }, type: "threshold", expression: "A", conditions: [condition] };
}

/** A duration as Grafana's provider stores it: in another spelling, it would be drift in each report of a change. */
function goDuration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return `${hours > 0 ? `${hours}h` : ""}${minutes > 0 ? `${minutes % 60}m` : ""}0s`;
}

/** Seconds between two evaluations, and the time by which samples may be late. The rules calculate the increase of a minute. */
const minute = 60;

/**
 * Declares the group, without the rules whose results Grafana does not write. The labels of a rule are added to its series.
 *
 * Grafana stores any group, also with an unknown target or with an invalid name. The checks read the state of its rules.
 */
export function createRecordingRules([name, options]: Named, rules: readonly RecordingRule[], { folderUid, datasources }: References) {
  const group = { name: recordingGroup, folderUid, intervalSeconds: minute };
  const recorded = evaluatedByGrafana(rules).map(({ name, query, labels }) => ({
    // The title of a rule is unique in a folder.
    name: [name, ...Object.values(labels ?? {})].join(" "),
    // The query is evaluated at `to`, in seconds before now.
    datas: [ruleQuery("A", datasources.prometheus, { from: 2 * minute, to: minute }, { expr: query, instant: true, range: false })],
    ...(labels && { labels }),
    record: { from: "A", metric: name, targetDatasourceUid: datasources.prometheus },
  }));
  return new grafana.alerting.RuleGroup(name, { ...group, rules: recorded }, options);
}

/** A query of a rule. Grafana adds the limits to a query that lacks them, so that each preview would show a difference. */
const ruleQuery = (refId: string, datasourceUid: pulumi.Input<string>, relativeTimeRange: { from: number; to: number }, model: object) => ({
  refId,
  datasourceUid,
  relativeTimeRange,
  model: JSON.stringify({ refId, ...model, intervalMs: 1000, maxDataPoints: 43200 }),
});
