/** Alert rules that Grafana evaluates, each in a group of its own in the folder of the dashboards. */
import type * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import type { Alerts } from "../alerts/definitions";
import { type AlertRule, runbookLink } from "../alerts/rule";
import { dashboardLinkOf, descriptionOf, severityOf } from "../alerts/template";
import { qualifiedStack, stackLabel } from "./ownership";

/** The uids of the folder, of the datasource that the rules read, and of the dashboard with their panels. */
type References = { folder: pulumi.Output<string>; prometheus: pulumi.Input<string>; dashboard: string };

/**
 * Declares the rules. Each rule has a group of its own, whose name is its title: Grafana's provider matches the rules of a group by
 * position, so that a new rule could take the state of another one.
 *
 * @param named the name and the options of the resource of a rule, by its id
 */
export function createAlertRules(
  named: (id: string) => [string, pulumi.CustomResourceOptions],
  alerts: Alerts,
  references: References,
): grafana.alerting.RuleGroup[] {
  return alerts.rules.map((rule) => {
    const [name, options] = named(rule.id);
    const group = { name: rule.title, folderUid: references.folder, intervalSeconds: 60 * rule.everyMinutes };
    return new grafana.alerting.RuleGroup(name, { ...group, rules: [ruleArgs(rule, alerts, references)] }, options);
  });
}

function ruleArgs(rule: AlertRule, alerts: Alerts, { prometheus, dashboard }: References) {
  const { title, query, above, forMinutes, keepMinutes, summary, panelId } = rule;
  const { service, contactPoint, runbooks } = alerts;
  return {
    name: title,
    condition: "C",
    for: goDuration(forMinutes),
    // Grafana before 12 drops it.
    ...(keepMinutes > 0 && { keepFiringFor: goDuration(keepMinutes) }),
    // Telemetry of LLMs comes in bursts. A rule that watches for silence has a value while it is silent.
    noDataState: "OK",
    execErrState: "Error",
    labels: { severity: severityOf(rule, "grafana"), service, [stackLabel]: qualifiedStack() },
    annotations: {
      summary,
      description: descriptionOf(rule, "grafana"),
      dashboard_url: dashboardLinkOf(rule, alerts.dashboard),
      ...(runbooks && { runbook_url: runbookLink(runbooks, rule) }),
      // Links the rule to its panel, which shows the rule's state.
      __dashboardUid__: dashboard,
      __panelId__: String(panelId),
    },
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
  const condition = {
    type: "query",
    evaluator,
    operator: { type: "and" },
    query: { params: ["C"] },
    reducer: { type: "last", params: [] },
  };
  return { datasource: { type: "__expr__", uid: "__expr__" }, type: "threshold", expression: "A", conditions: [condition] };
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
