/** When alerts fire, as Prometheus evaluates a rule, and the messages about them, as Alertmanager groups them. */
import type { AlertRule } from "../../../src/alerts/rule";
import { condition } from "../../../src/cli/rule-files";
import { queryRange } from "../../view/reading/client";
import type { Range } from "../../view/reading/panel";

/** An alert from the first evaluation at which it fires to that at which it ends, in milliseconds. */
export interface Firing {
  rule: string;
  labels: Record<string, string>;
  from: number;
  to: number;
  /** The first value. */
  value: number;
}

const minute = 60_000;
/** Evaluations are not at full minutes. */
const second = 17_000;
/** A query of Prometheus has at most 11,000. */
const mostSteps = 10_000;

/** The alerts of a rule in a time range. */
export async function firings(prometheus: string, rule: AlertRule, { from, to }: Range): Promise<Firing[]> {
  const step = rule.everyMinutes * minute;
  /** The values by the time of the evaluation, of each alert by its labels. */
  const alerts = new Map<string, { labels: Record<string, string>; values: Map<number, number> }>();
  const last = from + second + Math.floor((to - from - second) / step) * step;
  for (let start = from + second; start <= last; start += mostSteps * step) {
    const end = Math.min(last, start + (mostSteps - 1) * step);
    const { result } = await queryRange(prometheus, condition(rule), { from: start, to: end }, step);
    for (const { metric, values } of result as { metric: Record<string, string>; values: [number, string][] }[]) {
      for (const [seconds, text] of values) {
        // The severity is a label: another one is another alert.
        const severity = rule.criticalFrom === undefined ? rule.severity : Number(text) >= rule.criticalFrom ? "critical" : "warning";
        const labels = { ...metric, severity };
        const key = JSON.stringify(Object.entries(labels).sort());
        const alert = alerts.get(key) ?? { labels, values: new Map<number, number>() };
        alerts.set(key, alert);
        alert.values.set(Math.round(seconds * 1000), Number(text));
      }
    }
  }
  return [...alerts.values()].flatMap(({ labels, values }) => {
    const found: Firing[] = [];
    let since: number | undefined;
    let ending: number | undefined;
    let firing: Firing | undefined;
    for (let time = from + second; time <= last; time += step) {
      const value = values.get(time);
      if (value !== undefined) {
        ending = undefined;
        since ??= time;
        if (!firing && time - since >= rule.forMinutes * minute) {
          firing = { rule: rule.id, labels, from: time, to: time, value };
          found.push(firing);
        }
      } else {
        ending ??= time;
        if (!firing || time - ending >= rule.keepMinutes * minute) [since, firing] = [undefined, undefined];
      }
      if (firing) firing.to = time + step;
    }
    return found;
  });
}

const groupWait = minute;
const groupInterval = 15 * minute;

/** The groups of alerts by `group_by: [alertname, provider]`, and the messages: a minute after the first alert, then each 15 minutes if something changed. */
export function notificationsOf(all: readonly Firing[]): { groups: number; messages: number } {
  const groups = new Map<string, Firing[]>();
  for (const firing of all) {
    const key = `${firing.rule} ${firing.labels.provider ?? ""}`;
    groups.set(key, [...(groups.get(key) ?? []), firing]);
  }
  let messages = 0;
  for (const firing of groups.values()) {
    const changes = firing.flatMap(({ from, to }) => [from, to]).sort((left, right) => left - right);
    let next = Number.NEGATIVE_INFINITY;
    for (const change of changes) {
      // Told by the message before.
      if (change <= next) continue;
      next = next === Number.NEGATIVE_INFINITY ? change + groupWait : next + Math.ceil((change - next) / groupInterval) * groupInterval;
      messages += 1;
    }
  }
  return { groups: groups.size, messages };
}
