/** Alert rules that Grafana evaluates, each in a group of its own in the folder of the dashboards. */
import type * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import type { AlertRule } from "../alerts/rule";
import { templateOf } from "../alerts/template";
import { qualifiedStack, stackLabel } from "./ownership";

export interface AlertsArgs {
  rules: readonly AlertRule[];
  /** Uid of the datasource that the rules read. */
  prometheusUid: string;
  /** Uid of the dashboard with the rules' panels. */
  dashboardUid: string;
  /** The label `service`, by which Grafana's notification policies can select contact points. */
  service: string;
  /** The name of the contact point. Defaults to the one that Grafana's notification policies select. */
  contactPoint?: string | undefined;
  /** Address of the runbooks, without an anchor. Defaults to none. */
  runbooks?: string | undefined;
}

/** Grafana adds these to a query that lacks them, so that each preview would show a difference. */
const limits = { intervalMs: 1000, maxDataPoints: 43200 };

/**
 * Declares the rules. Grafana's provider matches the rules of a group by their positions, so that a new rule could take the state of another
 * one: each rule has a group of its own, whose name is its title.
 *
 * @param prefix of the resources' names
 * @param folder its uid, which is known once the folder exists
 */
export function createAlertRules(
  prefix: string,
  args: AlertsArgs,
  folder: pulumi.Output<string>,
  options: pulumi.CustomResourceOptions,
): grafana.alerting.RuleGroup[] {
  return args.rules.map((rule) => {
    const group = {
      name: rule.title,
      folderUid: folder,
      intervalSeconds: 60 * rule.everyMinutes,
      rules: [ruleArgs(rule, args, qualifiedStack())],
    };
    return new grafana.alerting.RuleGroup(`${prefix}alert-${rule.id}`, group, options);
  });
}

function ruleArgs(rule: AlertRule, { prometheusUid, dashboardUid, service, contactPoint, runbooks }: AlertsArgs, stack: string) {
  const { title, severity, unit, summary, description, panelId, forMinutes, above, runbook } = rule;
  const expression = { datasource: { type: "__expr__", uid: "__expr__" }, type: "math", expression: `$A > ${above}` };
  return {
    name: title,
    condition: "B",
    for: goDuration(forMinutes),
    // Telemetry of LLMs comes in bursts: rules that watch for silence return a value when something is silent.
    noDataState: "OK",
    execErrState: "Error",
    labels: { severity, service, [stackLabel]: stack },
    annotations: {
      summary: templateOf(summary, unit, "grafana"),
      description: templateOf(description, unit, "grafana"),
      ...(runbooks && { runbook_url: `${runbooks}#${runbook}` }),
      // Links the rule to its panel, which shows the rule's state.
      __dashboardUid__: dashboardUid,
      __panelId__: String(panelId),
    },
    datas: [
      query("A", prometheusUid, { from: 600, to: 0 }, { expr: rule.query, instant: true, range: false }),
      query("B", "__expr__", { from: 0, to: 0 }, expression),
    ],
    ...(contactPoint && { notificationSettings: { contactPoint } }),
  };
}

/** A duration as Grafana's provider stores it: in another spelling, it would be drift in each report of a change. */
function goDuration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return `${hours > 0 ? `${hours}h` : ""}${minutes > 0 ? `${minutes % 60}m` : ""}0s`;
}

const query = (refId: string, datasourceUid: string, relativeTimeRange: { from: number; to: number }, model: object) => ({
  refId,
  datasourceUid,
  relativeTimeRange,
  model: JSON.stringify({ refId, ...model, ...limits }),
});
