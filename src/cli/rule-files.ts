/** Recording rules and alert rules in the format of Prometheus' rule files. */
import type { AlertRule } from "../alerts/rule";
import { templateOf } from "../alerts/template";
import type { RecordingRule } from "../signals/counters";
import { indent } from "../signals/promql";

/** A rule file with a group for each dashboard: https://prometheus.io/docs/prometheus/latest/configuration/recording_rules/ */
export const ruleFile = (groups: Readonly<Record<string, readonly RecordingRule[]>>) => ({
  groups: Object.entries(groups).map(([name, rules]) => ({
    name,
    interval: "1m",
    query_offset: "1m", // SDKs export each minute, and a rule that misses a late sample never sees it again.
    rules: rules.map(({ name, labels, comment, query }) => ({
      record: name,
      ...(labels && { labels }),
      expr: `${comment ? `# ${comment}\n` : ""}${query}\n`,
    })),
  })),
});

/**
 * A rule file with a group for each interval of evaluation: https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/
 *
 * @param labels of all alerts, in addition to `severity`
 * @param runbooks the address of the runbooks, without an anchor
 */
export function alertFile(rules: readonly AlertRule[], labels: Readonly<Record<string, string>>, runbooks?: string) {
  const fileRule = (rule: AlertRule) => ({
    alert: rule.title,
    expr: `${condition(rule)}\n`,
    for: `${rule.forMinutes}m`,
    labels: { severity: rule.severity, ...labels },
    annotations: {
      summary: templateOf(rule.summary, rule.unit, "prometheus"),
      description: templateOf(rule.description, rule.unit, "prometheus"),
      ...(runbooks && { runbook_url: `${runbooks}#${rule.runbook}` }),
    },
  });
  const intervals = [...new Set(rules.map(({ everyMinutes }) => everyMinutes))].sort((left, right) => left - right);
  return {
    groups: intervals.map((minutes) => ({
      name: `llm-observability-alerts-${minutes}m`,
      interval: `${minutes}m`,
      rules: rules.filter(({ everyMinutes }) => everyMinutes === minutes).map(fileRule),
    })),
  };
}

/** PromQL that has a value while the rule's condition holds. */
export const condition = ({ query, above }: AlertRule) => `(\n${indent(query)}\n) > ${above}`;
