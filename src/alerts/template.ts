/** The texts of alerts: values and thresholds with their units, in the templates of Grafana and of Prometheus. Pure. */
import type { AlertUnit } from "./rule";

/** Prometheus has one value, Grafana one for each query. */
const values = { grafana: "$values.A.Value", prometheus: "$value" } as const;

export type TemplateDialect = keyof typeof values;

/** A template's functions for a value with its unit. Both servers have the same ones. A count has no unit: its text names what is counted. */
export const formats: Partial<Record<AlertUnit, string>> = {
  share: "humanizePercentage",
  seconds: "humanizeDuration",
  USD: 'printf "%.2f USD"',
  times: 'printf "%.1f times"',
};

/** A text with `{value}` as a template. Labels such as `{{ $labels.x }}` are the same in both. */
export const templateOf = (text: string, unit: AlertUnit, dialect: TemplateDialect): string =>
  text.replaceAll("{value}", () => `{{ ${values[dialect]} | ${formats[unit] ?? "humanize"} }}`);
