/** When alerts fire, as Prometheus evaluates a rule, and the messages about them, as Alertmanager groups them. */
import type { AlertRule } from "../../../src/alerts/rule";
import { type Alert, replay, type Values } from "../../../src/backtest/replay";
import { queryRange } from "../../view/reading/client";
import type { Range } from "../../view/reading/panel";

/** An alert from the first evaluation at which it fires to that at which it ends, in milliseconds. */
export type Firing = Pick<Alert, "labels" | "from" | "to" | "value"> & { rule: string };

const minute = 60_000;
/** A query of Prometheus has at most 11,000. */
const mostSteps = 10_000;

/** The alerts of a rule in a time range. @param second of the minute: evaluations are not at full minutes */
export async function firings(prometheus: string, rule: AlertRule, { from, to }: Range, second = 17): Promise<Firing[]> {
  const step = 60 * rule.everyMinutes;
  const first = from / 1000 + second;
  const last = first + Math.floor((to / 1000 - first) / step) * step;
  const all = new Map<string, { labels: Record<string, string>; values: [number, number][] }>();
  for (let start = first; start <= last; start += mostSteps * step) {
    const piece = { from: 1000 * start, to: 1000 * Math.min(last, start + (mostSteps - 1) * step) };
    const { result } = await queryRange(prometheus, rule.query, piece, 1000 * step);
    for (const { metric, values } of result as { metric: Record<string, string>; values: [number, string][] }[]) {
      const key = JSON.stringify(Object.entries(metric).sort());
      const series = all.get(key) ?? { labels: metric, values: [] };
      all.set(key, series);
      for (const [time, value] of values) series.values.push([time, Number(value)]);
    }
  }
  const series: Values[] = [...all.values()];
  const alerts = replay(rule, series, { from: first, to: last, step }, "prometheus");
  return alerts.map(({ labels, from, to, value }) => {
    return { rule: rule.id, labels: { severity: rule.severity, ...labels }, from: 1000 * from, to: 1000 * to, value };
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
