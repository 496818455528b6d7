/** The texts of alerts: values with their units, links and severities, in the templates of Grafana and of Prometheus. */
import type { Alerts } from "./definitions";
import type { AlertRule, AlertUnit } from "./rule";

/**
 * Prometheus has one value, which is above the limit. Grafana has a value of each query, and also expands texts before there is a value,
 * and for healthy series: the value is then nil, which functions refuse. `lt` excludes NaN and infinity.
 *
 * @see https://github.com/grafana/grafana/blob/main/pkg/services/ngalert/state/template/template.go `NewValues`, `Expand`
 */
const values = {
  grafana: { value: "$values.A.Value", isKnown: "and $values.A (lt $values.A.Value 1e300)" },
  prometheus: { value: "$value", isKnown: "" },
} as const;

type TemplateDialect = keyof typeof values;

/** The function of templates that writes a value with its unit, the same on both servers, and the text of an unknown value. */
const units: Record<AlertUnit, { format: string; unknown: string }> = {
  share: { format: "humanizePercentage", unknown: "an unknown share" },
  seconds: { format: "humanizeDuration", unknown: "an unknown time" },
  USD: { format: 'printf "%.2f USD"', unknown: "an unknown amount" },
  // The text names what it counts.
  count: { format: "humanize", unknown: "an unknown number of" },
};

/** A text with `{value}` and `{label}` as a template. A missing label is "(none)", or the text after the bar, as in `{label|any}`. */
export const templateOf = (text: string, unit: AlertUnit, dialect: TemplateDialect): string => {
  const { value, isKnown } = values[dialect];
  const { format, unknown } = units[unit];
  const written = `{{ ${value} | ${format} }}`;
  const known = isKnown ? `{{ if ${isKnown} }}${written}{{ else }}${unknown}{{ end }}` : written;
  return text.replace(/\{(\w+)(?:\|([^}]*))?\}/g, (_, name: string, other = "(none)") =>
    name === "value" ? known : `{{ or $labels.${name} "${other}" }}`,
  );
};

/** The labels and annotations of an alert. Its description is what happened, and the steps. */
export function textsOf(rule: AlertRule, alerts: Omit<Alerts, "dashboardUid">, dialect: TemplateDialect) {
  const { service, dashboard, runbooks } = alerts;
  const steps = rule.steps.map((step, index) => `${index + 1}. ${step}`);
  return {
    labels: { severity: severityOf(rule, dialect), service },
    annotations: {
      summary: rule.summary,
      description: [templateOf(rule.what, rule.unit, dialect), ...steps].join(" "),
      dashboard_url: dashboardLinkOf(rule, dashboard),
      ...(runbooks && { runbook_url: `${runbooks}#${rule.runbook.toLowerCase()}` }),
    },
  };
}

/** The label `severity`. An alert whose labels change is a new alert, with a new pending period. */
export function severityOf({ severity, criticalFrom }: AlertRule, dialect: TemplateDialect): string {
  if (criticalFrom === undefined) return severity;
  const { value, isKnown } = values[dialect];
  // Templates do not compare an integer with a float.
  const isCritical = `ge ${value} ${criticalFrom.toFixed(1)}`;
  return `{{ if ${isKnown ? `and (${isKnown}) (${isCritical})` : isCritical} }}critical{{ else }}warning{{ end }}`;
}

/** The address of the dashboard, with the labels of the alert as variables. Other variables are All: no span has the value "(none)". */
const dashboardLinkOf = ({ from, variables }: AlertRule, dashboard: string) =>
  `${dashboard}?from=${from}&to=now${from === "now/d" ? "&timezone=utc" : ""}${Object.entries(variables)
    .map(([variable, label]) => `{{ with $labels.${label} }}{{ if ne . "(none)" }}&var-${variable}={{ urlquery . }}{{ end }}{{ end }}`)
    .join("")}`;
