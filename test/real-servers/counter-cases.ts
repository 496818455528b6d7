/** The cases of restarts, gaps and short lives. */
import type { Case, Run } from "./counters";
import { Random } from "./telemetry/random";
import { hour, minute } from "./telemetry/world";

export const day = 24 * hour;

/** How long ago telemetry begins, and how dense it is. Times are milliseconds. */
export interface Extent {
  /** The age of the oldest processes. */
  age: number;
  /** The time between two samples of these. */
  step: number;
  /** The time between two deployments. */
  deployed: number;
  /** The age of the oldest short-lived process, and the time between two of them. */
  short: { age: number; every: number };
}

/** `now` is any time. */
export function createCases(now: number, seed: number, { age, step, deployed, short }: Extent): Case[] {
  const random = new Random(seed);
  const between = (low: number, high: number) => random.integer(Math.round(low), Math.round(high));

  /**
   * Exports of an SDK: the first one a step after the start, and once more at the end. The first value is 1: a restart at or above the predecessor's last
   * value looks like its continuation.
   */
  const run = (start: number, end: number, step: number): Run => {
    const samples: Run = [];
    for (let at = start + step; ; at += step) {
      const time = Math.max(Math.round(Math.min(at, end)) + between(-300, 300), (samples.at(-1)?.[0] ?? 0) + 1);
      samples.push([time, (samples.at(-1)?.[1] ?? 0) + (samples.length === 0 ? 1 : between(1, 20))]);
      if (at >= end) return samples;
    }
  };
  /** One process after the other, with the same labels. */
  const restarting = (start: number, every: [number, number], step: number): Run[] => {
    const runs: Run[] = [];
    for (let at = start; at < now - 2 * minute; at += between(4000, 25_000)) {
      const end = Math.min(at + between(...every), now);
      runs.push(run(at, end, step));
      at = end;
    }
    return runs;
  };
  const processes = (runs: (start: number) => Run[]): Run[][] =>
    Array.from({ length: Math.floor(short.age / short.every) - 1 }, (_, index) =>
      runs(now - short.age + index * short.every + between(0, short.every / 2)),
    );
  const steady = run(now - age, now, step);
  const gap = (samples: Run, end: number, length: number) => samples.filter(([time]) => time <= now - end - length || time > now - end);
  const fullMinute = (time: number) => Math.ceil(time / minute) * minute;
  const atFullMinutes = (start: number, end: number): Run =>
    Array.from({ length: Math.floor((end - start) / step) }, (_, index) => [fullMinute(start) + index * step, index + 1]);

  return [
    { name: "steady", series: [[steady]] },
    { name: "deployed", series: [restarting(now - age, [0.9 * deployed, 1.1 * deployed], step)] },
    { name: "crash loop", series: [restarting(now - Math.min(age, 8 * day), [6 * minute, 8 * minute], minute)] },
    // A platform that is down: the same process goes on. A silence of three hours looks like a new process.
    { name: "outages", series: [[gap(gap(run(now - age, now, step), 2 * hour, 2.9 * hour - step), age / 3, 2.5 * hour - step)]] },
    { name: "restart after an outage", series: [[run(now - age, now - 7.2 * hour, step), run(now - 5.1 * hour, now, step)]] },
    { name: "pods", scraped: true, series: processes((start) => [run(start, start + between(20 * minute, 35 * minute), 15_000)]) },
    { name: "jobs of seconds", scraped: true, series: processes((start) => [run(start, start + between(5000, 45_000), 15_000)]) },
    { name: "crons with ids", series: processes((start) => [run(start, start + between(20_000, 80_000), minute)]) },
    {
      name: "short lives with a restart",
      series: processes((start) => {
        const restart = start + between(3 * minute, 7 * minute);
        return [run(start, restart, minute), run(restart + 10_000, start + 10 * minute, minute)];
      }),
    },
    // Samples, births and restarts that are exactly at full minutes. They would count twice if ranges included their start.
    {
      name: "at full minutes",
      series: [
        [atFullMinutes(now - age, now - age / 2), atFullMinutes(now - age / 2, now)],
        ...processes((start) => [[[fullMinute(start), 7]]]),
      ],
    },
  ];
}
