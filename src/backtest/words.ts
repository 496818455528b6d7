/** Alerts of the past in words. */
import { firstOf } from "../checks/table";
import { truncate, withoutLogin } from "../text/sanitize";
import type { Alert, Labels } from "./replay";

/** The limit of all queries of a command or, in a report, of a stack. */
export const limit = { requests: 400, seconds: 120, text: "at most 400 requests in 120 s" } as const;

/** Why a rule was not replayed. */
export const reasonOf = ({ message }: Error) => truncate(withoutLogin(message), 200);

/** Such as `11-24 09:05 UTC`. */
export const dateOf = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(5, 16).replace("T", " ")} UTC`;

/** Such as `7 days`, and `24 hours`. */
export const lastDays = (days: number) => (days === 1 ? "24 hours" : `${days} days`);

/** Seconds as `41 min`, `3.2 h` or `2.5 d`. */
export function inTime(seconds: number): string {
  const [size, unit] = seconds < 7200 ? [60, "min"] : seconds < 172_800 ? [3600, "h"] : [86_400, "d"];
  return `${Number((seconds / size).toFixed(size > 60 ? 1 : 0))} ${unit}`;
}

/** How long each incident lasts: a time in which at least one alert fires. @param alerts by their begin */
export function incidentsOf(alerts: readonly Alert[]): number[] {
  const incidents: { from: number; to: number }[] = [];
  for (const { from, to } of alerts) {
    const last = incidents.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else incidents.push({ from, to });
  }
  return incidents.map(({ from, to }) => to - from);
}

export const firingTime = (alerts: readonly Alert[]) => inTime(incidentsOf(alerts).reduce((left, right) => left + right, 0));

/** The first of the alerts by name, those with most first. */
export function listed(alerts: readonly Alert[], nameOf: (labels: Labels) => string, describe: (own: Alert[], name: string) => string) {
  const groups = new Map<string, Alert[]>();
  for (const alert of alerts) groups.set(nameOf(alert.labels), [...(groups.get(nameOf(alert.labels)) ?? []), alert]);
  const most = [...groups].sort(([, left], [, right]) => right.length - left.length);
  const all = most.map(([name, own]) => describe(own, name));
  return firstOf(all, 5);
}
