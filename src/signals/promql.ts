/** Building blocks of PromQL queries: functions from text to text. */

/** Grafana's macros for a window, the dashboard's time range or the interval between two points of a graph; or the window of an alert. */
export type Window = "$__range" | "$__interval" | Duration;

/** A duration in PromQL. */
export type Duration = `${number}${"m" | "h" | "d"}`;

/** A string literal. Grafana replaces its variables in literals too, so their signs are escaped. */
export function quote(value: string): string {
  return JSON.stringify(value).replace(/\$|\[(?=\[)/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

/** The name of a label in a filter or grouping. One with dots is quoted, which requires Prometheus 3. */
const nameOfLabel = (label: string) => (/^[a-zA-Z_]\w*$/.test(label) ? label : quote(label));

/** A filter: the label has this value. */
export const equals = (label: string, value: string) => `${nameOfLabel(label)}=${quote(value)}`;

/** A filter: the label does not have this value. */
export const differs = (label: string, value: string) => `${nameOfLabel(label)}!=${quote(value)}`;

/** A filter: the label has one of the values selected in a dashboard variable. */
export const matchesVariable = (label: string, variable: string) => `${nameOfLabel(label)}=~"$${variable}"`;

/** A filter: the label's value does not match the regular expression as a whole. A missing label is an empty one. */
export const matchesNot = (label: string, pattern: string) => `${nameOfLabel(label)}!~${quote(pattern)}`;

/** The series of a metric that pass all filters. A name with dots stands between the braces, in quotes. */
export const select = (metric: string, ...filters: string[]) =>
  /^(?:[a-zA-Z_:][\w:]*)?$/.test(metric) ? `${metric}{${filters.join(",")}}` : `{${[quote(metric), ...filters].join(",")}}`;

/** A query with all of its lines moved to the right by one step. */
export const indent = (query: string) => query.replace(/^(?=.)/gm, "  ");

/** Sets labels of a query's series, one step after the other. A step is the rest of the arguments of `label_replace`. */
export const relabel = (query: string, steps: readonly string[]) =>
  `${openings(steps.length)}\n${indent(query)},\n${steps.map((step) => `  ${step})`).join(",\n")}`;

/** A line has ten of them. */
const openings = (count: number) => "label_replace(".repeat(count).replace(/(?:label_replace\(){10}(?=.)/g, "$&\n");

/** A filter: the label has one of the values. */
export const isOneOf = (label: string, values: readonly string[]) => `${nameOfLabel(label)}=~${quote(values.map(literally).join("|"))}`;

/** A filter: the series has the label. */
export const isPresent = (label: string) => `${nameOfLabel(label)}!=""`;

/** A regular expression of a text. */
const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The sum over all series, or over the series of each combination of the labels' values. */
export const sum = (query: string, ...by: readonly string[]) =>
  by.length > 0 ? `sum by (${by.map(nameOfLabel).join(", ")}) (${query})` : `sum(${query})`;

/** The value 1 for each combination of the labels' values. */
export const group = (query: string, ...by: readonly string[]) => `group by (${by.map(nameOfLabel).join(", ")}) (${query})`;

/** The series with the largest values, in descending order. */
export const topk = (count: number, query: string) => `topk(${count}, ${query})`;

export const sortDesc = (query: string) => `sort_desc(${query})`;

export const ratio = (dividend: string, divisor: string) => `${dividend} / ${divisor}`;

/** The largest value of all series. That of a histogram's buckets is the number of its observations. */
export const max = (query: string) => `max(${query})`;

/** The query's result at an earlier time, to the minute. */
export const ago = (query: string, time: Duration) => `last_over_time((\n${indent(query)}\n)[1m:1m] offset ${time})`;

/** A quantile of a histogram's buckets. Without observations, it has no value instead of NaN. */
export const quantile = (share: number, buckets: string) => `histogram_quantile(${share}, ${buckets}) >= 0`;

/** Drops values of 0 and less. As a divisor, this gives an idle time no mean instead of NaN. */
export const positive = (query: string) => `(${query} > 0)`;

/**
 * Names the series without the label, so that each slice has a name: sets another label to "(none)". The label itself could have that value already, and
 * PromQL refuses two series with the same labels.
 */
export const nameMissing = (label: string, query: string) => `label_replace(${query}, "missing", "(none)", ${quote(label)}, "")`;

/** The legend of a query with `nameMissing`: the label, or the name of a missing one. */
export const nameOf = (label: string) => `{{${label}}}{{missing}}`;

/** Maps a label value to a name. The regular expression matches the whole value. */
export interface Rule {
  name: string;
  pattern: string;
}

/** Sets `label` to the name of the first rule that matches the label `from`. If none matches, sets it to `otherwise`; `$1` is the value of `from`. */
export function mapLabel(query: string, label: string, from: string, rules: readonly Rule[], otherwise: string): string {
  const fallback = `label_replace(${query}, "${label}", "${otherwise}", "${from}", "(.*)")`;
  // An outer call overwrites the inner ones, so the first rule is the outermost.
  return rules.reduceRight(
    (inner, { name, pattern }) => `label_replace(${inner}, "${label}", "${name}", "${from}", ${quote(pattern)})`,
    fallback,
  );
}

/** Sets a label of all series. */
export const withLabel = (query: string, label: string, value: string) => `label_replace(${query}, "${label}", "${value}", "", "")`;

/**
 * The increase of counters in each full minute of the clock, of a query that is evaluated there: the value now, minus the one a minute ago. A value below it
 * is that of a new process, and so is a value without an earlier one in three hours. `increase` extrapolates instead, which doubles a series of two samples
 * and ignores the first value of a series that starts within the window: for a short-lived process, the only one.
 */
export const minuteIncrease = (counter: string) => `60 * irate(last_over_time(${counter}[3h])[2m:1m])\nor last_over_time(${counter}[1m])`;

/**
 * The sum of a query's values at each full minute of the clock in a window. The query sums over series itself: only then do new series lose the name of
 * their metric, with which the next minute's would be another series.
 */
export const overMinutes = (query: string, window: Window) => `sum_over_time(${query}[${window}:1m])`;

/** The increase of counters in the full minutes of a window, in total or by labels. */
export const counterIncrease = (counter: string, window: Window, ...by: readonly string[]) =>
  overMinutes(sum(`\n${indent(minuteIncrease(counter))}\n`, ...by), window);

/**
 * The buckets that a histogram's observations in a window fall into, for `quantile`: the last counts, minus those before the window, or the last counts of a
 * new process. Much cheaper than `counterIncrease`; what a process observed before a restart in the window is missing.
 */
export function bucketIncrease(buckets: string, window: Window, ...by: readonly string[]): string {
  const last = `last_over_time(${buckets}[${window}])`;
  return sum(`\n  ${last} - last_over_time(${buckets}[3h] offset ${window}) >= 0\n  or ${last}\n`, ...by);
}
