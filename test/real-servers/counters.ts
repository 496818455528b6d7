/** Counters with the restarts, gaps and short lives of real processes, and their increases, without any query. Times are milliseconds before `now`. */
import { compress, uncompress } from "snappyjs";
import { push } from "./telemetry/push";
import type { Random } from "./telemetry/random";
import { remoteWrite, remoteWriteHeaders, type Series } from "./telemetry/service";

export const second = 1000;

/** One run of a process: the times of its samples and the counter's values, which begin anew in each run. */
export interface Run {
  samples: [time: number, value: number][];
  /** Whether a scrape marks the end of the series as stale. */
  stale?: boolean;
}

/** A series: its runs have the same labels. */
export interface Counter {
  name: string;
  instance: string;
  runs: Run[];
}

/** The ends of time ranges at which a case is looked at, in milliseconds before `now`, and the ranges. */
export interface Case {
  name: string;
  counters: Counter[];
  looks: { end: number; range: number }[];
}

/** The increase in a time range that excludes its start. A sample counts at its time. */
export function increaseOf(counters: readonly Counter[], from: number, to: number): number {
  const last = (run: Run, time: number) => run.samples.findLast(([at]) => at <= time)?.[1] ?? 0;
  return counters.flatMap(({ runs }) => runs).reduce((sum, run) => sum + last(run, to) - last(run, from), 0);
}

/**
 * Exports of an SDK: every `step`, the first one a step after the start, and once more at the end. The first value is 1: a
 * restart at or above the predecessor's last value looks like its continuation, to every query.
 */
export function run(random: Random, start: number, end: number, step: number, perSample: number): Run {
  const samples: Run["samples"] = [];
  let value = 0;
  for (let at = start + step; ; at += step) {
    value += samples.length === 0 ? 1 : random.integer(1, 2 * perSample);
    const time = Math.round(Math.min(at, end) + random.integer(-300, 300));
    samples.push([Math.max(time, (samples.at(-1)?.[0] ?? time) + 1), value]);
    if (at >= end) return { samples };
  }
}

/** The cases with times of the clock instead of times before `now`. */
export function atClock(cases: readonly Case[], now: number): Case[] {
  const moved = (time: number) => now + time;
  return cases.map(({ name, counters, looks }) => ({
    name,
    looks: looks.map(({ end, range }) => ({ end: moved(end), range })),
    counters: counters.map((counter) => ({
      ...counter,
      runs: counter.runs.map((each) => ({ ...each, samples: each.samples.map(([time, value]): [number, number] => [moved(time), value]) })),
    })),
  }));
}

/** Pushes all samples of the cases as `calls_total`. */
export async function pushCounters(cases: readonly Case[], { prometheus }: { prometheus: string }): Promise<void> {
  for (const { counters } of cases) {
    const body = counterWrite(counters, ({ name, instance }) => ({ __name__: "calls_total", case: name, instance }));
    await push(body, `${prometheus}/api/v1/write`, remoteWriteHeaders);
  }
}

/** A value that stands for Prometheus' mark of a stale series, which is a NaN that JavaScript cannot write. */
const placeholder = 1_234_567.890625;
const staleBytes = Buffer.from("020000000000f07f", "hex");

/** The body of a remote write with all samples of the counters. */
function counterWrite(counters: readonly Counter[], labelsOf: (counter: Counter) => Record<string, string>): Uint8Array {
  const series = counters.map((counter): Series => {
    const samples = counter.runs.flatMap(({ samples, stale }): Series["samples"] => {
      const last = samples.at(-1);
      return stale && last ? [...samples, [last[0] + 15 * second, placeholder]] : samples;
    });
    return { labels: labelsOf(counter), samples };
  });
  const body = Buffer.from(uncompress(Buffer.from(remoteWrite(series))));
  const mark = Buffer.alloc(8);
  mark.writeDoubleLE(placeholder);
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + 8)) staleBytes.copy(body, at);
  return compress(body);
}
