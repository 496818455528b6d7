/** The series of the SDK's counters with their restarts, and their increases in a window, without any query. */
import type { Truth, Window } from "./ledger";
import { added, type Counter, labelsOf } from "./telemetry/sdk";
import { hour, minute, type Process, type World } from "./telemetry/world";

/** A series of a counter in one run of a process: times of the exports that increased it, and the total after each. */
export interface Run {
  additions: number[];
  totals: number[];
  /** Times of all exports since the first increase. */
  exports: number[];
}

export interface CounterSeries {
  process: Process;
  labels: Record<string, string>;
  /** Oldest first. Each further run is a restart. */
  runs: Run[];
}

/** The series of a counter that the SDK exports. */
export function counterSeries(world: World, counter: Counter): CounterSeries[] {
  interface Found extends CounterSeries {
    runOf: Map<Process, Run>;
  }
  const series = new Map<string, Found>();
  const calls = [...world.llm, ...world.database].sort((left, right) => left.end - right.end);
  for (const call of calls) {
    const value = added[counter](call);
    if (value === undefined || call.exportedAt === undefined) continue;
    const { process, exportedAt: at } = call;
    const labels = labelsOf(call, "");
    const key = JSON.stringify([process.instance, labels]);
    const found: Found = series.get(key) ?? { process, labels, runs: [], runOf: new Map() };
    series.set(key, found);
    const newRun: Run = { additions: [], totals: [], exports: process.exports.filter((time) => time >= at) };
    const run = found.runOf.get(process) ?? newRun;
    if (run === newRun) found.runs.push(run);
    found.runOf.set(process, run);
    run.totals.push((run.totals.at(-1) ?? 0) + value);
    run.additions.push(at);
  }
  return [...series.values()];
}

/**
 * The increase in a window of full minutes. Undefined if the series has none in any of these: it has one in each minute from its first sample until three
 * hours after its last one.
 */
export function increaseOf(runs: readonly Run[], { from, to }: Window): Truth | undefined {
  const present = runs.some(({ exports }) => numberUpTo(exports, to) > numberUpTo(exports, from + minute - 3 * hour));
  if (from === to || !present) return undefined;
  const ends = runs.map((run) => totalAt(run, to));
  // The difference of two totals has the rounding error of the totals.
  return { value: add(ends) - add(runs.map((run) => totalAt(run, from))), slack: 1e-14 * add(ends) };
}

const totalAt = ({ additions, totals }: Run, time: number) => totals[numberUpTo(additions, time) - 1] ?? 0;

/** The number of times up to `time`. The times are sorted. */
export function numberUpTo(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const add = (numbers: readonly number[]) => numbers.reduce((sum, value) => sum + value, 0);
