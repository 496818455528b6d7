/** The texts of alerts: values and thresholds with their units, in the templates of Grafana and of Prometheus. Pure. */
import type { AlertUnit } from "./rule";

/** The value of a rule in a template. Prometheus has one value, Grafana one for each query. */
const values = { grafana: "$values.A.Value", prometheus: "$value" } as const;

export type TemplateDialect = keyof typeof values;

/** A template's functions for a value with its unit. Both servers have the same ones. A count has no unit: its text names what is counted. */
const formats: Partial<Record<AlertUnit, string>> = {
  share: "humanizePercentage",
  seconds: "humanizeDuration",
  USD: 'printf "%.2f USD"',
  times: 'printf "%.1f times"',
};

/** A text with `{value}` as a template. Labels such as `{{ $labels.x }}` are the same in both. */
export const templateOf = (text: string, unit: AlertUnit, dialect: TemplateDialect): string =>
  text.replaceAll("{value}", () => `{{ ${values[dialect]} | ${formats[unit] ?? "humanize"} }}`);

/** The unit of the value in a template; undefined for a count, and without a value. */
export const unitIn = (template: string): AlertUnit | undefined =>
  (Object.keys(formats) as AlertUnit[]).find((unit) => template.includes(`| ${formats[unit]} }}`));

/** A threshold as people write it. */
export function withUnit(threshold: number, unit: AlertUnit | undefined): string {
  // Without the error of floating point: 0.07 is 7 %, not 7.000000000000001 %.
  if (unit === "share") return `${Number((100 * threshold).toPrecision(12))} %`;
  if (unit === undefined || formats[unit] === undefined) return String(threshold);
  return `${threshold} ${unit === "seconds" ? "s" : unit}`;
}
