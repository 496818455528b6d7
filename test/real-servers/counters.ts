/** Counters of processes, and their increases by full minutes of the clock: as they are, without any query, and as queries return them. Times are milliseconds. */
import { compress, uncompress } from "snappyjs";
import { counterIncrease } from "../../src/signals/promql";
import { queryInstant, queryRange } from "../view/reading/client";
import type { Window } from "./ledger";
import { push } from "./telemetry/push";
import { remoteWrite, remoteWriteHeaders } from "./telemetry/service";
import { minute } from "./telemetry/world";

/** The samples of one run of a process: their times and the counter's values, which begin anew in each run. */
export type Run = [time: number, value: number][];

export interface Case {
  name: string;
  /** Series with different instances. The runs of a series have the same labels. */
  series: Run[][];
  /** Whether a scrape marks the end of each run as stale. */
  scraped?: boolean;
}

/** Increases by the times at which they count. */
export type Increases = Map<number, number>;

/** The true increase in each full minute of the clock, by its end. */
export function minutesOf({ series }: Case): Increases {
  const minutes: Increases = new Map();
  for (const run of series.flat()) {
    for (const [index, [time, value]] of run.entries()) {
      const end = Math.ceil(time / minute) * minute;
      minutes.set(end, (minutes.get(end) ?? 0) + value - (run[index - 1]?.[1] ?? 0));
    }
  }
  return minutes;
}

/** The sum of the increases that count in a window. */
export function sumIn(increases: Increases | undefined, { from, to }: Window): number {
  let sum = 0;
  for (const [time, value] of increases ?? []) if (time > from && time <= to) sum += value;
  return sum;
}

const selector = "calls_total";

/** Pushes all samples of the cases. */
export async function pushCounters(cases: readonly Case[], prometheus: string): Promise<void> {
  for (const { name, series, scraped } of cases) {
    const samples = (run: Run): Run => (scraped ? [...run, [(run.at(-1)?.[0] ?? 0) + 15_000, placeholder]] : run);
    const body = remoteWrite(
      series.map((runs, instance) => ({
        labels: { __name__: selector, case: name, instance: `${instance}` },
        samples: runs.flatMap(samples),
      })),
    );
    await push(withStaleMarks(body), `${prometheus}/api/v1/write`, remoteWriteHeaders);
  }
}

/** A value that stands for Prometheus' mark of a stale series, which is a NaN that JavaScript cannot write. */
const placeholder = 1_234_567.890625;
const staleBytes = Buffer.from("020000000000f07f", "hex");

function withStaleMarks(compressed: Uint8Array): Uint8Array {
  const body = Buffer.from(uncompress(Buffer.from(compressed)));
  const mark = Buffer.alloc(8);
  mark.writeDoubleLE(placeholder);
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + 8)) staleBytes.copy(body, at);
  return compress(body);
}

/** The increase of each case in a window, as panels with totals read it directly. */
export async function directTotals(prometheus: string, { from, to }: Window): Promise<Map<string, number>> {
  const query = counterIncrease(selector, "$__range", "case").replaceAll("$__range", `${(to - from) / 1000}s`);
  const { result } = await queryInstant(prometheus, query, to);
  const vector = result as { metric: Record<string, string>; value: [number, string] }[];
  return new Map(vector.map(({ metric, value }) => [metric.case ?? "", Number(value[1])]));
}

/** The increase of each case in each interval of a graph, by the interval's end. */
export const directGraph = (prometheus: string, window: Window, step: number) =>
  range(prometheus, counterIncrease(selector, "$__interval", "case").replaceAll("$__interval", `${step / 1000}s`), window, step);

/** Prometheus returns up to 11,000 points. */
const maxPoints = 10_000;

/**
 * What a recording rule of the counter writes in a window.
 *
 * @param second the second of the minute at which the rule runs, in milliseconds
 */
export async function recordedMinutes(prometheus: string, { from, to }: Window, second: number): Promise<Map<string, Increases>> {
  const rule = counterIncrease(selector, "1m", "case");
  const found = new Map<string, Increases>();
  for (let start = Math.ceil((from - second) / minute) * minute + second; start <= to; start += maxPoints * minute) {
    const part = { from: start, to: Math.min(start + (maxPoints - 1) * minute, to) };
    for (const [name, values] of await range(prometheus, rule, part, minute)) {
      found.set(name, new Map([...(found.get(name) ?? []), ...values]));
    }
  }
  return found;
}

async function range(prometheus: string, query: string, window: Window, step: number): Promise<Map<string, Increases>> {
  const { result } = await queryRange(prometheus, query, window, step);
  const matrix = result as { metric: Record<string, string>; values: [number, string][] }[];
  const increases = (values: [number, string][]): Increases =>
    new Map(values.map(([time, value]) => [Math.round(time * 1000), Number(value)]));
  return new Map(matrix.map(({ metric, values }) => [metric.case ?? "", increases(values)]));
}
