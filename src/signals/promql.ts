/** Parts of PromQL queries: small functions from text to text. */

/** A window of Grafana's: the dashboard's time range, or the step of a graph. */
export type Window = "$__range" | "$__interval";

/** A string literal of PromQL. Grafana looks for its variables inside of literals too: their signs are escaped. */
export function quote(value: string): string {
  return JSON.stringify(value).replace(/\$|\[(?=\[)/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

/** A filter by one value of a label. */
export const equals = (label: string, value: string) => `${label}=${quote(value)}`;

/** A filter by the values that are picked in a variable of the dashboard. */
export const picked = (label: string, variable: string) => `${label}=~"$${variable}"`;

/** The series of a metric that pass the filters. */
export const select = (metric: string, ...filters: string[]) => `${metric}{${filters.join(", ")}}`;

/** Added up: to one value, or to one for each value of a label. */
export const sum = (query: string, by?: string) => (by ? `sum by (${by}) (${query})` : `sum(${query})`);

/** The largest values, largest first. */
export const top = (count: number, query: string) => `topk(${count}, ${query})`;

/** Largest values first. */
export const ranked = (query: string) => `sort_desc(${query})`;

/** A ratio. */
export const ratio = (dividend: string, divisor: string) => `${dividend} / ${divisor}`;

/** Values above 0 only: to divide by, so that an idle time has no mean instead of NaN. */
export const positive = (query: string) => `(${query} > 0)`;

/** The same values with a name where the label is missing, so that no slice is without one. */
export const named = (label: string, query: string) => `label_replace(${query}, "${label}", "(none)", "${label}", "")`;

/** A label's value, `name`, for series whose label `from` matches the regular expression `pattern` as a whole. */
export interface Rule {
  name: string;
  pattern: string;
}

/** Writes `label` by the first rule that fits the label `from`; where none does, `otherwise`, in which `$1` is the value of `from`. */
export function classify(query: string, label: string, from: string, rules: readonly Rule[], otherwise: string): string {
  const fallback = `label_replace(${query}, "${label}", "${otherwise}", "${from}", "(.*)")`;
  // Each call overwrites what the one before wrote: the first rule comes last.
  return rules.reduceRight(
    (inner, { name, pattern }) => `label_replace(${inner}, "${label}", "${name}", "${from}", ${quote(pattern)})`,
    fallback,
  );
}

/**
 * What counters gained in the dashboard's time range: their last value, less the one before the range, and what they had when they restarted.
 * `increase` alone does not tell it: it extrapolates, which doubles a series of two samples, and it misses the first value of a series that is born
 * in the range, which with short-lived processes is all there is.
 *
 * - A counter without a restart is exact. The value before is looked for past the five minutes in which Prometheus finds a sample, so that a
 *   series that went on after a gap is not taken for a new one.
 * - `increase` and `delta` extrapolate alike, and differ by what was lost at restarts. One part in n of n even points is the extrapolation's.
 * - A counter that has less than before without a restart among its points restarted right at the begin: all that it has now was gained.
 *
 * Prometheus reads a range anew each time that a query names it: here it is the value at each minute, a quarter of what a usual scrape brings. No
 * last value is missed, since each is found for five minutes; fewer points would miss what a process counted before it restarted.
 */
export function counterIncrease(counter: string, by?: string): string {
  const points = `${counter}[$__range:1m]`;
  const last = `${counter} or last_over_time(${points})`;
  const before = `-(${counter} offset $__range or last_over_time(${counter}[3h:5m] offset $__range))`;
  const lost = `clamp_min(increase(${points}) - delta(${points}), 0) * (1 - 60 / $__range_s)`;
  // A label keeps the parts apart until they are added up.
  const part = (query: string, name: string) => `label_replace(${query}, "part", "${name}", "", "")`;
  return sum(`sum without (part) (${last} or ${part(before, "before")} or ${part(lost, "lost")}) >= 0 or ${counter}`, by);
}

/**
 * What counters gained per second in each interval of a graph: `irate` of two points, the interval's begin and end, takes a value below the one
 * before for a restart, from 0. Between the points there is one vector for each step, and each join of two costs more than reading one.
 *
 * - The last value stands for three hours: a series that went on after a gap is not taken for a new one.
 * - One that is about to be born is 0 before: its first value counts.
 */
export function counterRate(counter: string): string {
  // Adding nothing takes the metric's name away, as multiplying does: both must be one series.
  const last = `0 + last_over_time(${counter}[3h])`;
  const unborn = `0 * (${counter} offset -$__interval)`;
  return sum(`irate((${last} or ${unborn})[$__rate_interval:$__interval])`);
}
