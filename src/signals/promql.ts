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
 * What counters gained in a window, exactly as far as their samples tell. `increase` alone does not: it extrapolates, which doubles a series
 * of two samples, and it misses the first value of a series that is born in the window, which with short-lived processes is all there is.
 *
 * - A counter without a restart in the window gained its last (largest) value, less its value before the window. Exact.
 * - One with a restart: `increase` without its extrapolation, which adds one part in n of n even samples, and the first value of one that was
 *   not there before. Off by at most 1.2 parts in n, and by what the first sample in the window gained.
 * - A value before the window above the smallest one inside was counted by another process. It is looked for past the five minutes in
 *   which Prometheus finds a sample, so that a series that went on after a gap is not taken for a new one.
 * - A process that begins no lower than the one before ended looks like the same one: what that one had counted is missed.
 */
export function gained(counter: string, window: Window, by?: string): string {
  const samples = `${counter}[${window}]`;
  const smallest = `min_over_time(${samples})`;
  const restarts = `resets(${samples}) > 0`;
  const longestGap = window === "$__range" ? "1d" : "3h";
  const before = `(${counter} offset ${window} or last_over_time(${counter}[${longestGap}:5m] offset ${window}))`;
  const steady = `max_over_time(${samples}) unless ${restarts}`;
  const restarted = `increase(${samples}) * (1 - 1 / count_over_time(${samples})) + (${before} * 0 or ${smallest})`;
  // The label keeps both parts of a series apart in one sum.
  const less = `label_replace(-(${before} <= ${smallest} unless ${restarts}), "part", "before", "", "")`;
  return sum(`${steady} or ${restarted} or ${less}`, by);
}
