/** Building blocks of PromQL queries: functions from text to text. */

/** Grafana's macros for a window: the dashboard's time range, or the interval between two points of a graph. */
export type Window = "$__range" | "$__interval";

/** A string literal. Grafana replaces its variables in literals too, so their signs are escaped. */
export function quote(value: string): string {
  return JSON.stringify(value).replace(/\$|\[(?=\[)/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

/** A filter: the label has this value. */
export const equals = (label: string, value: string) => `${label}=${quote(value)}`;

/** A filter: the label has one of the values selected in a dashboard variable. */
export const matchesVariable = (label: string, variable: string) => `${label}=~"$${variable}"`;

/** The series of a metric that pass all filters. */
export const select = (metric: string, ...filters: string[]) => `${metric}{${filters.join(", ")}}`;

/** The sum over all series, or over the series of each value of a label. */
export const sum = (query: string, by?: string) => (by ? `sum by (${by}) (${query})` : `sum(${query})`);

/** The series with the largest values, in descending order. */
export const topk = (count: number, query: string) => `topk(${count}, ${query})`;

export const sortDesc = (query: string) => `sort_desc(${query})`;

export const ratio = (dividend: string, divisor: string) => `${dividend} / ${divisor}`;

/** Drops values of 0 and less. As a divisor, this gives an idle time no mean instead of NaN. */
export const positive = (query: string) => `(${query} > 0)`;

/** Sets the label to "(none)" for series without it, so that each slice has a name. */
export const nameMissing = (label: string, query: string) => `label_replace(${query}, "${label}", "(none)", "${label}", "")`;

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

/**
 * The increase of counters in the dashboard's time range: the last value, minus the value before the range, plus the values lost at restarts.
 * `increase` extrapolates, which doubles a series of two samples, and ignores the first value of a series that starts within the range. For a
 * short-lived process, that is the only value.
 *
 * - Without a restart, the result is exact. The value before the range is searched for three hours, longer than Prometheus' lookback of five
 *   minutes, so that a series with a gap does not count as a new one.
 * - `increase` and `delta` extrapolate alike; their difference is the loss at restarts. `1 - 60 / $__range_s` removes the extrapolation.
 * - A counter below its value before the range, without a restart among its points, restarted at the start of the range: its value is its increase.
 *
 * Prometheus reads a range again for each function of it. The subquery reads the value at each minute instead, a quarter of the samples of a usual
 * scrape. It misses no last value, since a sample is found for five minutes. A wider step would miss increases before a restart.
 */
export function counterIncrease(counter: string, by?: string): string {
  const points = `${counter}[$__range:1m]`;
  const last = `${counter} or last_over_time(${points})`;
  const before = `-(${counter} offset $__range or last_over_time(${counter}[3h:5m] offset $__range))`;
  const lost = `clamp_min(increase(${points}) - delta(${points}), 0) * (1 - 60 / $__range_s)`;
  // The label keeps the parts apart until they are summed.
  const part = (query: string, name: string) => `label_replace(${query}, "part", "${name}", "", "")`;
  return sum(`sum without (part) (${last} or ${part(before, "before")} or ${part(lost, "lost")}) >= 0 or ${counter}`, by);
}

/**
 * The increase of counters in each interval of a graph: the last value in the interval, minus the last one before it. A value below the previous one
 * counts as a restart from 0; so does a series without a previous value.
 *
 * - The previous value is valid for three hours, so that a series with a gap does not count as a new one.
 * - No subquery: its points are multiples of the step in UTC, but Grafana aligns a graph to the step in the reader's time zone.
 */
export function counterIncreasePerInterval(counter: string): string {
  const last = `last_over_time(${counter}[$__interval])`;
  const before = `last_over_time(${counter}[3h] offset $__interval)`;
  return sum(`${last} - (${before} <= ${last}) or ${last}`);
}
