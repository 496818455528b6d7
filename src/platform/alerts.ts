/** Alert rules that Grafana evaluates, each in a group of its own in the folder of the dashboards. */
import type * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import type { Alerts } from "../alerts/definitions";
import type { AlertRule } from "../alerts/rule";
import { templateOf } from "../alerts/template";
import { qualifiedStack, stackLabel } from "./ownership";

/** What alert rules refer to. */
export interface AlertSurroundings {
  /** The uid of the folder: known once the folder exists. */
  folder: pulumi.Output<string>;
  /** The uid of the datasource that the rules read. */
  prometheus: pulumi.Input<string>;
  /** The uid of the dashboard with the rules' panels. */
  dashboard: string;
}

/**
 * Declares the rules. Grafana's provider matches the rules of a group by their positions, so that a new rule could take the state of another
 * one: each rule has a group of its own, whose name is its title.
 *
 * @param named the name and the options of the resource of a rule, by its id
 */
export function createAlertRules(
  named: (id: string) => [string, pulumi.CustomResourceOptions],
  alerts: Alerts,
  surroundings: AlertSurroundings,
): grafana.alerting.RuleGroup[] {
  return alerts.rules.map((rule) => {
    const [name, options] = named(rule.id);
    const group = { name: rule.title, folderUid: surroundings.folder, intervalSeconds: 60 * rule.everyMinutes };
    return new grafana.alerting.RuleGroup(name, { ...group, rules: [ruleArgs(rule, alerts, surroundings)] }, options);
  });
}

function ruleArgs(rule: AlertRule, { service, contactPoint, runbooks }: Alerts, { prometheus, dashboard }: AlertSurroundings) {
  const { title, severity, unit, summary, description, panelId, forMinutes, above, runbook } = rule;
  const expression = { datasource: { type: "__expr__", uid: "__expr__" }, type: "math", expression: `$A > ${above}` };
  return {
    name: title,
    condition: "B",
    for: goDuration(forMinutes),
    // Telemetry of LLMs comes in bursts: rules that watch for silence return a value when something is silent.
    noDataState: "OK",
    execErrState: "Error",
    labels: { severity, service, [stackLabel]: qualifiedStack() },
    annotations: {
      summary: templateOf(summary, unit, "grafana"),
      description: templateOf(description, unit, "grafana"),
      ...(runbooks && { runbook_url: `${runbooks}#${runbook}` }),
      // Links the rule to its panel, which shows the rule's state.
      __dashboardUid__: dashboard,
      __panelId__: String(panelId),
    },
    datas: [
      ruleQuery("A", prometheus, { from: 600, to: 0 }, { expr: rule.query, instant: true, range: false }),
      ruleQuery("B", "__expr__", { from: 0, to: 0 }, expression),
    ],
    ...(contactPoint && { notificationSettings: { contactPoint } }),
  };
}

/** A duration as Grafana's provider stores it: in another spelling, it would be drift in each report of a change. */
function goDuration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return `${hours > 0 ? `${hours}h` : ""}${minutes > 0 ? `${minutes % 60}m` : ""}0s`;
}

/** A query of a rule. Grafana adds the limits to a query that lacks them, so that each preview would show a difference. */
export const ruleQuery = (
  refId: string,
  datasourceUid: pulumi.Input<string>,
  relativeTimeRange: { from: number; to: number },
  model: object,
) => ({ refId, datasourceUid, relativeTimeRange, model: JSON.stringify({ refId, ...model, intervalMs: 1000, maxDataPoints: 43200 }) });
