/** Building blocks of PromQL queries: functions from text to text. */

/** A window: the dashboard's time range, the interval between two points of a graph, or the window of a rule. */
export type Window = "$__range" | "$__interval" | Duration;

/** A duration in PromQL. */
export type Duration = `${number}${"m" | "h" | "d"}`;

/** A string literal. Grafana replaces variables in literals, too, so their signs are escaped. */
export function quote(value: string): string {
  return JSON.stringify(value).replace(/\$|\[(?=\[)/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

// Filters. A missing label has an empty value.
export const equals = (label: string, value: string) => `${label}=${quote(value)}`;
export const isPresent = (label: string) => `${label}!=""`;
export const isOneOf = (label: string, values: readonly string[]) => `${label}=~${quote(values.map(literally).join("|"))}`;
/** The regular expression does not match the value as a whole. */
export const matchesNot = (label: string, pattern: string) => `${label}!~${quote(pattern)}`;
/** The value is selected in a dashboard variable. */
export const matchesVariable = (label: string, variable: string) => `${label}=~"$${variable}"`;

/** A regular expression of a text. */
export const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The series of a metric that pass all filters. */
export const select = (metric: string, ...filters: string[]) => `${metric}{${filters.join(",")}}`;

/** A query with all of its lines moved to the right by one step. */
export const indent = (query: string) => query.replace(/^(?=.)/gm, "  ");

const by = (labels: readonly string[]) => `by (${labels.join(", ")})`;

/** Matches the series of both sides that have the same values of labels. */
export const on = (...labels: readonly string[]) => `on (${labels.join(", ")})`;

/** The sum of all series, or of the series with the same values of labels. */
export const sum = (query: string, ...labels: readonly string[]) => (labels.length > 0 ? `sum ${by(labels)} (${query})` : `sum(${query})`);

/** The value 1 for each combination of values of labels. */
export const group = (query: string, ...labels: readonly string[]) => `group ${by(labels)} (${query})`;

/** A quotient. It has no value if the divisor is 0, or is not above a minimum. */
export const ratio = (dividend: string, divisor: string, above = 0) => `${dividend} / (${divisor} > ${above})`;

/** A quantile of a histogram's buckets. It has no value if there are no observations. */
export const quantile = (share: number, buckets: string) => `histogram_quantile(${share}, ${buckets}) >= 0`;

/** Leaves out NaN and infinity: one of them would make a sum over series NaN or infinite for all applications. */
export const finite = (query: string) => `${query} < Inf`;

/** The value of the whole time range, also in the intervals of a graph. */
export const atEnd = (query: string) => query.replaceAll("[$__range]", "[$__range] @ end()");

/** Sets a label of all series. A dollar sign in the value is doubled: alone, it refers to a group of the regular expression. */
export const withLabel = (query: string, label: string, value: string) =>
  `label_replace(${query}, "${label}", ${quote(value.replaceAll("$", "$$$$"))}, "", "")`;

/** Sets labels of a query's series, one step after the other. A step is the list of arguments of `label_replace` after the query. */
export const relabel = (query: string, steps: readonly string[]) =>
  `${"label_replace(".repeat(steps.length)}\n${indent(query)},\n${steps.map((step) => `  ${step})`).join(",\n")}`;

/**
 * The sum of a query's values at each full minute of a window. The query itself has to sum over series: that removes the name of the
 * metric, which only the first value of a new series has.
 */
export const overMinutes = (query: string, window: Window) => `sum_over_time(${query}[${window}:1m])`;

/**
 * The increase of counters in the full minutes of a window, in total or by labels.
 *
 * The increase of a minute is the value at its end, minus the value a minute before. A lower value, or a value without an earlier one in
 * three hours, belongs to a new process and counts as a whole. NaN is left out: only a restart ends it.
 *
 * PromQL's `increase` extrapolates. It doubles a series of two samples, and ignores the first value of a series that starts in the window:
 * a short-lived process has no other value.
 */
export function counterIncrease(counter: string, window: Window, ...labels: readonly string[]): string {
  const last = (range: Duration) => finite(`last_over_time(${counter}[${range}])`);
  return overMinutes(sum(`\n${indent(`60 * irate((${last("3h")})[2m:1m])\nor ${last("1m")}`)}\n`, ...labels), window);
}
