/** Building blocks of PromQL queries: functions from text to text. */

/** Grafana's macros for a window, the dashboard's time range or the interval between two points of a graph; or the window of a rule. */
export type Window = "$__range" | "$__interval" | Duration;

/** A duration in PromQL. */
export type Duration = `${number}${"m" | "h" | "d"}`;

/** A string literal. Grafana replaces its variables in literals too, so their signs are escaped. */
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

/** The sum over all series, or over the series of each combination of the labels' values. */
export const sum = (query: string, ...labels: readonly string[]) => (labels.length > 0 ? `sum ${by(labels)} (${query})` : `sum(${query})`);

/** The value 1 for each combination of the labels' values. */
export const group = (query: string, ...labels: readonly string[]) => `group ${by(labels)} (${query})`;

/** A quotient; without a value, instead of NaN, if the divisor is 0, or not more than a minimum. */
export const ratio = (dividend: string, divisor: string, above = 0) => `${dividend} / (${divisor} > ${above})`;

/** A quantile of a histogram's buckets; without a value, instead of NaN, if there are no observations. */
export const quantile = (share: number, buckets: string) => `histogram_quantile(${share}, ${buckets}) >= 0`;

/** Without NaN, which is not below infinity, and without infinity: a sum over series with one of them would be the same for all applications. */
export const finite = (query: string) => `${query} < Inf`;

/** The query's value for the whole time range, also in the intervals of a graph. */
export const atEnd = (query: string) => query.replaceAll("[$__range]", "[$__range] @ end()");

/** Sets a label of all series. A dollar sign in the value would refer to a group of the regular expression. */
export const withLabel = (query: string, label: string, value: string) =>
  `label_replace(${query}, "${label}", ${quote(value.replaceAll("$", "$$$$"))}, "", "")`;

/** The value that `withLabel` sets last in a line. */
export const labelIn = (line: string, label: string): string | undefined => {
  const [, value] = new RegExp(`, "${label}", ("(?:[^"\\\\]|\\\\.)*"), "", ""\\)$`).exec(line) ?? [];
  return value && (JSON.parse(value) as string).replaceAll("$$", "$");
};

/** Sets labels of a query's series, one step after the other. A step is the rest of the arguments of `label_replace`. */
export const relabel = (query: string, steps: readonly string[]) =>
  `${"label_replace(".repeat(steps.length)}\n${indent(query)},\n${steps.map((step) => `  ${step})`).join(",\n")}`;

/**
 * The sum of a query's values at each full minute of the clock in a window. The query sums over series itself: only then do new series lose the name of
 * their metric, with which the next minute's would be another series.
 */
export const overMinutes = (query: string, window: Window) => `sum_over_time(${query}[${window}:1m])`;

/**
 * The increase of counters in the full minutes of a window, in total or by labels. That of a minute is the value at its end, minus the one a minute before. A
 * value below it is that of a new process, and so is a value without an earlier one in three hours: without NaN, the value after one, as only a restart ends
 * it. `increase` extrapolates instead, which doubles a series of two samples and ignores the first value of a series that starts within the window: for a
 * short-lived process, the only one.
 */
export function counterIncrease(counter: string, window: Window, ...labels: readonly string[]): string {
  const last = (range: Duration) => finite(`last_over_time(${counter}[${range}])`);
  return overMinutes(sum(`\n${indent(`60 * irate((${last("3h")})[2m:1m])\nor ${last("1m")}`)}\n`, ...labels), window);
}
