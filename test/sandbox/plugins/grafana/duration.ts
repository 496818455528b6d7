/** The stand-in for the Grafana plugin: durations in the format of Go, with the days of Grafana. */

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** In seconds; 0 for an empty value, undefined for an invalid one. */
export function seconds(value: unknown): number | undefined {
  const text = String(value ?? "");
  if (text === "" || text === "0") return 0;
  if (!/^(\d+[smhd])+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+)(\w)/g)].reduce((sum, [, count, unit = ""]) => sum + Number(count) * (units[unit] ?? 0), 0);
}

/** In the format of Go: 5m0s. */
export function goDuration(total: number): string {
  const [hours, minutes] = [Math.floor(total / 3600), Math.floor(total / 60) % 60];
  return `${hours > 0 ? `${hours}h` : ""}${total >= 60 ? `${minutes}m` : ""}${total % 60}s`;
}

export const isDuration = (value: unknown): string | undefined =>
  seconds(value) === undefined ? `"${value}" is not a valid duration: unable to parse ${value} as duration` : undefined;

export const sameDuration = (old: unknown, value: unknown): boolean => seconds(old) === seconds(value);
