/** Recording rules and alert rules of a stack's settings, in the format of Prometheus' rule files. */
import { Document, isMap, stringify } from "yaml";
import { type Alerts, defineAlerts } from "../alerts/definitions";
import type { AlertRule } from "../alerts/rule";
import { textsOf } from "../alerts/template";
import { defineDashboards } from "../dashboards/definitions";
import type { Settings } from "../settings";
import type { RecordingRule } from "../signals/counters";
import { indent } from "../signals/promql";

/** The files; undefined for one without rules. `alerts` has rules even if the setting is off. @param by the command that writes them */
export function ruleTexts(settings: Settings, by: string): Record<"rules" | "alerts", string | undefined> {
  const withAlerts = { ...settings, alerts: { ...settings.alerts, state: "on" as const } };
  const isOwner = settings.grafana.managedResources === "all";
  const groups = defineDashboards(withAlerts).all.flatMap(({ sdk }): RuleGroup[] => {
    if (!isOwner || !sdk || sdk.rules.length === 0) return [];
    return sdk.telemetry === "spec" ? [["llm-observability", sdk.rules]] : groupsOf("llm-observability-otel", sdk.rules);
  });
  const alerts = defineAlerts(withAlerts).all;
  const file = (what: string, document: string, text: string) => `# ${what}: see ${document}. Written by ${by}.\n${text}`;
  const recording = "src/settings/README.md, and for their parts src/signals/README.md";
  const alerting = "Alert rules for Prometheus and Mimir with an Alertmanager, on what the recording rules write";
  const links = `# Links lead to ${settings.grafana.url}: if your Grafana has another address, replace it.\n`;
  const written = stringify(alertFile(alerts), { lineWidth: 0 });
  return {
    rules: groups.length > 0 ? file("Recording rules for Prometheus, Mimir and Grafana Cloud", recording, withComments(groups)) : undefined,
    alerts: alerts.length > 0 ? file(alerting, "src/alerts/README.md", links + written) : undefined,
  };
}

type RuleGroup = readonly [name: string, rules: readonly RecordingRule[]];

/** A group for each part of the rules: by default, a Mimir accepts 20 rules in a group. */
export const groupsOf = (name: string, rules: readonly RecordingRule[]): RuleGroup[] =>
  [undefined, "times", "alerts"].map((each) => [each ? `${name}-${each}` : name, rules.filter(({ group }) => group === each)]);

/** The rule file as text, with the comment of each rule above it. */
export function withComments(groups: readonly RuleGroup[]): string {
  const document = new Document(ruleFile(Object.fromEntries(groups)));
  for (const [place, [, rules]] of groups.entries()) {
    for (const [index, { comment }] of rules.entries()) {
      const rule = document.getIn(["groups", place, "rules", index], true);
      if (comment && isMap(rule)) rule.commentBefore = comment.replace(/^/gm, " ");
      const labels = isMap(rule) && rule.get("labels", true);
      if (isMap(labels)) labels.flow = true;
    }
  }
  return document.toString({ lineWidth: 0 });
}

/** A rule file with a group for each dashboard: https://prometheus.io/docs/prometheus/latest/configuration/recording_rules/ */
export const ruleFile = (groups: Readonly<Record<string, readonly RecordingRule[]>>) => ({
  groups: Object.entries(groups).map(([name, rules]) => ({
    name,
    interval: "1m",
    // SDKs export each minute, and a rule that misses a late sample never sees it again. Rules for alerts read what other groups record.
    // A minute later, it is written, whatever the time and the duration of an evaluation.
    query_offset: rules.some(({ group }) => group === "alerts") ? "2m" : "1m",
    rules: rules.map(({ name, labels, query }) => ({ record: name, ...(labels && { labels }), expr: `${query}\n` })),
  })),
});

/** A rule file with a group for each interval of evaluation: https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/ */
export function alertFile(all: readonly Omit<Alerts, "dashboardUid">[]) {
  const fileRules = all.flatMap((alerts) =>
    alerts.rules.map((rule) => ({
      minutes: rule.everyMinutes,
      alert: rule.title,
      expr: `${condition(rule)}\n`,
      for: `${rule.forMinutes}m`,
      ...(rule.keepMinutes > 0 && { keep_firing_for: `${rule.keepMinutes}m` }),
      ...textsOf(rule, alerts, "prometheus"),
    })),
  );
  const intervals = [...new Set(fileRules.map(({ minutes }) => minutes))].sort((left, right) => left - right);
  return {
    groups: intervals.map((interval) => ({
      name: `llm-observability-alerts-${interval}m`,
      interval: `${interval}m`,
      rules: fileRules.flatMap(({ minutes, ...rule }) => (minutes === interval ? [rule] : [])),
    })),
  };
}

/** PromQL that has a value while the rule's condition holds. */
export const condition = ({ query, above }: AlertRule) => `(\n${indent(query)}\n) > ${above}`;
