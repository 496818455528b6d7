/** The texts of alerts: values and thresholds with their units, in the templates of Grafana and of Prometheus. */
import type { AlertUnit } from "./rule";

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
  times: { format: 'printf "%.1f times"', unknown: "an unknown number of times" },
  // Its text names what is counted.
  count: { format: "humanize", unknown: "an unknown number of" },
};

/** A text with `{value}` and `{{ $labels.x }}` as a template. A label can be missing, as it is on the dashboards. */
export const templateOf = (text: string, unit: AlertUnit, dialect: TemplateDialect): string => {
  const { value, isKnown } = values[dialect];
  const { format, unknown } = units[unit];
  const known = `{{ if ${isKnown} }}{{ ${value} | ${format} }}{{ else }}${unknown}{{ end }}`;
  return text.replaceAll("{value}", () => known).replace(/\{\{ (\$labels\.\w+) \}\}/g, '{{ or $1 "(none)" }}');
};
