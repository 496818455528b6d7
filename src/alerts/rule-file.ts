/** The alert rules in the format of Prometheus' rule files, for an Alertmanager. Pure. */
import type { AlertRule } from "./rule";
import { templateOf } from "./template";

/**
 * A rule file with a group for each interval of evaluation.
 *
 * @param labels of all alerts, in addition to `severity`
 * @see https://prometheus.io/docs/prometheus/latest/configuration/alerting_rules/
 */
export function alertFile(rules: readonly AlertRule[], labels: Readonly<Record<string, string>>) {
  const intervals = [...new Set(rules.map(({ everyMinutes }) => everyMinutes))].sort((left, right) => left - right);
  return {
    groups: intervals.map((minutes) => ({
      name: `llm-observability-alerts-${minutes}m`,
      interval: `${minutes}m`,
      rules: rules.filter(({ everyMinutes }) => everyMinutes === minutes).map((rule) => fileRule(rule, labels)),
    })),
  };
}

function fileRule(rule: AlertRule, labels: Readonly<Record<string, string>>) {
  const { title, severity, unit, forMinutes, summary, description } = rule;
  return {
    alert: title,
    expr: `${condition(rule)}\n`,
    for: `${forMinutes}m`,
    labels: { severity, ...labels },
    annotations: { summary: templateOf(summary, unit, "prometheus"), description: templateOf(description, unit, "prometheus") },
  };
}

/** PromQL that has a value while the rule's condition holds. */
export const condition = ({ query, above, upTo }: AlertRule) =>
  `(\n${query.replace(/^(?=.)/gm, "  ")}\n) > ${above}${upTo === undefined ? "" : ` <= ${upTo}`}`;
