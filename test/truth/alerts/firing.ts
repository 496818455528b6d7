/** When alerts fire: their conditions at each evaluation, as Prometheus and Grafana evaluate them, and the time for which a condition has to last. */
import type { AlertRule } from "../../../src/alerts/rule";
import { condition } from "../../../src/cli/rule-files";
import { queryRange } from "../../view/reading/client";
import type { Range } from "../../view/reading/panel";
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
const second = 17_000;

/** A query of Prometheus has at most 11,000. */
const mostSteps = 10_000;

/**
 * The alerts of a rule in a time range.
 *
 * @param least minutes between two evaluations, if those of the rule are less
 */
export async function firings(prometheus: string, rule: AlertRule, { from, to }: Range, least = 1): Promise<Firing[]> {
  const step = Math.max(rule.everyMinutes, least) * minute;
  const series = new Map<string, { metric: Record<string, string>; values: [number, string][] }>();
  for (let start = from + second; start < to; start += mostSteps * step) {
    const end = Math.min(to, start + (mostSteps - 1) * step);
    const { result } = await queryRange(prometheus, condition(rule), { from: start, to: end }, step);
    for (const { metric, values } of result as { metric: Record<string, string>; values: [number, string][] }[]) {
      const key = JSON.stringify(Object.entries(metric).sort());
      series.set(key, { metric, values: [...(series.get(key)?.values ?? []), ...values] });
    }
  }
  const found: Firing[] = [];
  for (const { metric, values } of series.values()) {
    let [since, last] = [Number.NaN, Number.NaN];
    let firing: Firing | undefined;
    for (const [seconds, text] of values) {
      const [time, value] = [Math.round(seconds * 1000), Number(text)];
      if (!(time - last <= step)) [since, firing] = [time, undefined];
      last = time;
      if (time < since + rule.forMinutes * minute) continue;
      if (!firing) {
        firing = { rule: rule.id, labels: metric, from: time, to: time, value };
        found.push(firing);
      }
      Object.assign(firing, { to: time, value: Math.max(firing.value, value) });
    }
  }
  return found;
}
