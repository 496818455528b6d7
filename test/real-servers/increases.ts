/** Increases of counters, as the queries of panels and of recording rules return them, by the label `case`. Times are milliseconds. */
import { lastMinute } from "../../src/signals/promql";
import { queryInstant, queryRange } from "../../src/view/reading/client";
import { minute } from "./telemetry/world";

/** The increase by case in a time range. */
export async function totals(prometheus: string, query: string, range: number, end: number): Promise<Map<string, number>> {
  const { result } = await queryInstant(prometheus, query.replaceAll("$__range", `${range / 1000}s`), end);
  const vector = result as { metric: Record<string, string>; value: [number, string] }[];
  return new Map(vector.map(({ metric, value }) => [metric.case ?? "", Number(value[1])]));
}

/** By case, the increase in each interval of a graph, by the interval's end. */
export type Intervals = Map<string, Map<number, number>>;

export async function graph(prometheus: string, query: string, range: { from: number; to: number }, step: number): Promise<Intervals> {
  const { result } = await queryRange(prometheus, query.replaceAll("$__interval", `${step / 1000}s`), range, step);
  const matrix = result as { metric: Record<string, string>; values: [number, string][] }[];
  return new Map(
    matrix.map(({ metric, values }) => [
      metric.case ?? "",
      new Map(values.map(([time, value]) => [Math.round(time * 1000), Number(value)])),
    ]),
  );
}

/** Prometheus returns up to 11,000 points. */
const maxPoints = 10_000;

/**
 * What a recording rule writes in a time range.
 *
 * @param second the second of the minute in which the rule runs, in milliseconds
 */
export async function recordedMinutes(prometheus: string, selector: string, from: number, to: number, second: number): Promise<Intervals> {
  const found: Intervals = new Map();
  const first = Math.ceil((from - second) / minute) * minute + second;
  for (let start = first; start <= to; start += maxPoints * minute) {
    const part = { from: start, to: Math.min(start + (maxPoints - 1) * minute, to) };
    for (const [name, values] of await graph(prometheus, lastMinute(selector, ["case"]), part, minute)) {
      found.set(name, new Map([...(found.get(name) ?? []), ...values]));
    }
  }
  return found;
}

/** The sum of the recorded minutes that end in a time range, as panels calculate it. */
export function sumOfMinutes(minutes: ReadonlyMap<number, number> | undefined, from: number, to: number): number {
  let sum = 0;
  for (const [time, value] of minutes ?? []) if (time > from && time <= to) sum += value;
  return sum;
}
