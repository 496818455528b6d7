/** The texts of alerts: values with their units, links and severities, in the templates of Grafana and of Prometheus. */
import type { AlertRule, AlertUnit } from "./rule";

/**
 * Prometheus has one value, Grafana one for each query, and expands texts before there is any and for each healthy series, too: a missing value is nil,
 * which functions refuse. `lt` excludes NaN and infinity.
 *
 * @see https://github.com/grafana/grafana/blob/main/pkg/services/ngalert/state/template/template.go `NewValues`, `Expand`
 */
const values = {
  grafana: { value: "$values.A.Value", isKnown: "and $values.A (lt $values.A.Value 1e300)" },
  prometheus: { value: "$value", isKnown: "lt $value 1e300" },
} as const;

export type TemplateDialect = keyof typeof values;

/** A template's functions for a value with its unit, the same on both servers, and what a text says instead of a value that is not known. */
const units: Record<AlertUnit, { format: string; unknown: string }> = {
  share: { format: "humanizePercentage", unknown: "an unknown share" },
  seconds: { format: "humanizeDuration", unknown: "an unknown time" },
  USD: { format: 'printf "%.2f USD"', unknown: "an unknown amount" },
  // Its text names what is counted.
  count: { format: "humanize", unknown: "an unknown number of" },
};

/** A text with `{value}` and `{{ $labels.x }}` as a template. Instead of a label that is missing: "(none)", or what follows it, as in `{{ $labels.x | any }}`. */
export const templateOf = (text: string, unit: AlertUnit, dialect: TemplateDialect): string => {
  const { value, isKnown } = values[dialect];
  const { format, unknown } = units[unit];
  const known = `{{ if ${isKnown} }}{{ ${value} | ${format} }}{{ else }}${unknown}{{ end }}`;
  return text
    .replaceAll("{value}", () => known)
    .replace(/\{\{ (\$labels\.\w+)(?: \| ([^}]*))? \}\}/g, (_, label: string, other = "(none)") => `{{ or ${label} "${other}" }}`);
};

/** What happened, and what to do about it. */
export const descriptionOf = ({ what, steps, unit }: AlertRule, dialect: TemplateDialect) =>
  [templateOf(what, unit, dialect), ...steps.map((step, index) => `${index + 1}. ${step}`)].join(" ");

/** The label `severity`. When it changes, the alert is another one, for which the pending period begins anew. */
export function severityOf({ severity, criticalFrom }: AlertRule, dialect: TemplateDialect): string {
  if (criticalFrom === undefined) return severity;
  const { value, isKnown } = values[dialect];
  // A number without a point would be an integer, which is not compared with others.
  return `{{ if and (${isKnown}) (ge ${value} ${criticalFrom.toFixed(1)}) }}critical{{ else }}warning{{ end }}`;
}

/** The address of a dashboard that shows what the alert is about. A variable whose label is missing keeps its default: all. */
export const dashboardLinkOf = ({ variables }: AlertRule, dashboard: string) =>
  `${dashboard}?from=now-24h&to=now${Object.entries(variables)
    .map(([variable, label]) => `{{ with $labels.${label} }}&var-${variable}={{ urlquery . }}{{ end }}`)
    .join("")}`;
