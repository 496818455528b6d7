/** The stand-in for the Grafana plugin: durations in the format of Go, with the days and weeks of go-openapi. */

/** Seconds. */
const units: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
};

/** In seconds; 0 for an empty value, undefined for an invalid one. */
export function seconds(value: unknown): number | undefined {
  const text = String(value ?? "");
  if (text === "" || text === "0") return 0;
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h|d|w))+$/.test(text)) return undefined;
  return [...text.matchAll(/([\d.]+)([a-zµ]+)/g)].reduce((sum, [, count, unit = ""]) => sum + Number(count) * (units[unit] ?? 0), 0);
}

/** In the format of Go: 5m0s. */
export function goDuration(total: number): string {
  if (total > 0 && total < 1) return total < 1e-3 ? `${round(total * 1e6)}µs` : `${round(total * 1e3)}ms`;
  const [hours, minutes] = [Math.floor(total / 3600), Math.floor(total / 60) % 60];
  return `${hours > 0 ? `${hours}h` : ""}${total >= 60 ? `${minutes}m` : ""}${round(total % 60)}s`;
}

const round = (value: number): number => Number(value.toFixed(9));

export const isDuration = (value: unknown): string | undefined =>
  seconds(value) === undefined ? `"${value}" is not a valid duration: unable to parse ${value} as duration` : undefined;

export const sameDuration = (old: unknown, value: unknown): boolean => seconds(old) === seconds(value);
