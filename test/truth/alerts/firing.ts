/** When alerts fire: their conditions at each evaluation, as Prometheus and Grafana evaluate them, and the time for which a condition has to last. */
import type { AlertRule } from "../../../src/alerts/rule";
import { condition } from "../../../src/cli/rule-files";
import { queryRange } from "../../view/reading/client";
import { minute } from "../world/world";

/** An alert from the first evaluation at which it fires to the last one, in milliseconds. */
export interface Firing {
  rule: string;
  labels: Record<string, string>;
  from: number;
  to: number;
  /** The largest value. */
  value: number;
}

/** Evaluations are not at full minutes. */
export const second = 17_000;

/** A query of Prometheus has at most 11,000. */
const mostSteps = 10_000;

/** The alerts of a rule in a time range. */
export async function firings(prometheus: string, rule: AlertRule, { from, to }: { from: number; to: number }): Promise<Firing[]> {
  const step = rule.everyMinutes * minute;
  const series = new Map<string, { metric: Record<string, string>; values: [number, string][] }>();
  for (let start = from + second; start < to; start += mostSteps * step) {
    const { result } = await queryRange(
      prometheus,
      condition(rule),
      { from: start, to: Math.min(to, start + (mostSteps - 1) * step) },
      step,
    );
    for (const { metric, values } of result as { metric: Record<string, string>; values: [number, string][] }[]) {
      const key = JSON.stringify(Object.entries(metric).sort());
      series.set(key, { metric, values: [...(series.get(key)?.values ?? []), ...values] });
    }
  }
  return [...series.values()].flatMap(({ metric, values }) =>
    runs(
      values.map(([time, value]) => ({ time: Math.round(time * 1000), value: Number(value) })),
      step,
    ).flatMap((points): Firing[] => {
      const since = (points[0]?.time ?? 0) + rule.forMinutes * minute;
      const fired = points.filter(({ time }) => time >= since);
      const [first, last] = [fired[0], fired.at(-1)];
      if (!first || !last) return [];
      return [{ rule: rule.id, labels: metric, from: first.time, to: last.time, value: Math.max(...fired.map(({ value }) => value)) }];
    }),
  );
}

/** Points without an evaluation between them at which the condition is not met. */
function runs<P extends { time: number }>(points: readonly P[], step: number): P[][] {
  const found: P[][] = [];
  for (const point of points) {
    const last = found.at(-1)?.at(-1);
    if (last && point.time - last.time <= step) found.at(-1)?.push(point);
    else found.push([point]);
  }
  return found;
}
