/** What panels must show, counted from the calls themselves: no query is repeated here. Windows are as Prometheus has them: without their begin. */
import { added, type Counter, labelsOf } from "./telemetry/sdk";
import { type Line, metrics, serviceLines, writtenCalls } from "./telemetry/service";
import type { DatabaseCall, LlmCall, Process, World } from "./telemetry/world";

/** A window of time in milliseconds, without `from` and with `to`. */
export interface Window {
  from: number;
  to: number;
}

/** What a user picked; all of them where empty. */
export interface Picked {
  applications: readonly string[];
  environments: readonly string[];
}

/** A number and how far a correct panel may be from it. */
export interface Truth {
  value: number;
  slack: number;
}

const isPicked = ({ application, environment }: Process, { applications, environments }: Picked) =>
  (applications.length === 0 || applications.includes(application)) && (environments.length === 0 || environments.includes(environment));

const exact = (value: number): Truth => ({ value, slack: 0 });

const add = (numbers: readonly number[]) => numbers.reduce((sum, value) => sum + value, 0);

/** What the service wrote, for the first dashboard: each call counts when it ended. */
export class ServiceLedger {
  /** Oldest first. */
  private readonly calls: LlmCall[];
  private readonly ends: number[];
  private readonly written: Line[];

  constructor(world: World) {
    this.calls = writtenCalls(world).sort((left, right) => left.end - right.end);
    this.ends = this.calls.map(({ end }) => end);
    this.written = serviceLines(world);
  }

  /** What each call told of the metric. */
  private values(metric: keyof typeof metrics, window: Window, picked: Picked): { call: LlmCall; value: number }[] {
    const inWindow = this.calls.slice(numberUpTo(this.ends, window.from), numberUpTo(this.ends, window.to));
    return inWindow.flatMap((call) => {
      const value = metrics[metric](call);
      return value !== undefined && isPicked(call.process, picked) ? [{ call, value }] : [];
    });
  }

  count(window: Window, picked: Picked): Truth | undefined {
    const { length } = this.values("requestDuration", window, picked);
    return length === 0 ? undefined : exact(length);
  }

  total(metric: keyof typeof metrics, window: Window, picked: Picked): Truth | undefined {
    const values = this.values(metric, window, picked);
    return values.length === 0 ? undefined : exact(add(values.map(({ value }) => value)));
  }

  mean(metric: keyof typeof metrics, window: Window, picked: Picked): Truth | undefined {
    const values = this.values(metric, window, picked);
    return values.length === 0 ? undefined : exact(add(values.map(({ value }) => value)) / values.length);
  }

  countBy(name: (call: LlmCall) => string, window: Window, picked: Picked): Map<string, Truth> {
    return grouped(this.values("requestDuration", window, picked).map(({ call }) => ({ name: name(call), value: 1 })));
  }

  totalBy(metric: keyof typeof metrics, name: (call: LlmCall) => string, window: Window, picked: Picked): Map<string, Truth> {
    return grouped(this.values(metric, window, picked).map(({ call, value }) => ({ name: name(call), value })));
  }

  /** The newest lines, newest first. Loki's windows are with their begin and without their end. */
  lines(type: Line["type"], { from, to }: Window, picked: Picked, limit: number): Line[] {
    return this.written
      .filter((line) => line.type === type && line.call.end >= from && line.call.end < to && isPicked(line.call.process, picked))
      .sort((left, right) => right.call.end - left.call.end)
      .slice(0, limit);
  }
}

function grouped(parts: readonly { name: string; value: number }[]): Map<string, Truth> {
  const groups = new Map<string, Truth>();
  for (const { name, value } of parts) groups.set(name, exact((groups.get(name)?.value ?? 0) + value));
  return groups;
}

/** One series of a counter in one run of a process: when something was added, as exported, and the total from then on. */
interface Run {
  additions: number[];
  totals: number[];
  /** From the first addition on. */
  exports: number[];
}

interface CounterSeries {
  process: Process;
  labels: Record<string, string>;
  /** In order; with more than one, the process restarted. */
  runs: Run[];
}

/**
 * What the SDK counted, for the second dashboard. A call counts when it was first exported: telemetry knows of it from then on.
 *
 * A counter that did not restart within the window is exact. Of one that did, what it had before is known from `increase` and `delta`, whose
 * extrapolation the query takes back to within 1.2 parts of its number of samples: see `gained` in src/signals/promql.ts.
 */
export class SdkLedger {
  private readonly series: Record<Counter, CounterSeries[]>;

  constructor(private readonly world: World) {
    const names = Object.keys(added) as Counter[];
    this.series = Object.fromEntries(names.map((name) => [name, counterSeries(world, name)])) as Record<Counter, CounterSeries[]>;
  }

  /** What the counter gained, by a label's value, or all in one under "". Undefined labels are "(none)", as panels call them. */
  gained(counter: Counter, window: Window, picked: Picked, label?: string): Map<string, Truth> {
    const groups = new Map<string, Truth>();
    for (const { process, labels, runs } of this.series[counter]) {
      if (!isPicked(process, picked)) continue;
      const truth = gainOf(runs, window);
      if (!truth) continue;
      const name = label === undefined ? "" : (labels[label] ?? "(none)");
      const before = groups.get(name) ?? exact(0);
      groups.set(name, { value: before.value + truth.value, slack: before.slack + truth.slack });
    }
    return groups;
  }

  mean(dividend: Counter, divisor: Counter, window: Window, picked: Picked): Truth | undefined {
    const [sum, count] = [dividend, divisor].map((counter) => this.gained(counter, window, picked).get(""));
    if (!sum || !count || count.value === 0) return undefined;
    const value = sum.value / count.value;
    return { value, slack: value * (sum.slack / (sum.value || 1) + count.slack / count.value) };
  }

  /**
   * The spans with status ok of the newest traces, newest first. A trace lies in the window where any of it does; Tempo's windows are whole seconds.
   */
  spans(kind: "llm" | "database" | "all", { from, to }: Window, picked: Picked, limit: number): (LlmCall | DatabaseCall)[] {
    const calls = [...this.world.llm, ...this.world.database].filter(({ arrived }) => arrived);
    const begins = new Map<string, number>();
    for (const { traceId, start } of calls) begins.set(traceId, Math.min(start, begins.get(traceId) ?? start));
    const begin = ({ traceId }: LlmCall | DatabaseCall) => begins.get(traceId) as number;
    const found = calls
      .filter((call) => call.status === "ok" && (kind === "all" || (kind === "database") === "database" in call))
      .filter((call) => isPicked(call.process, picked) && call.start <= to && call.end >= from);
    const newest = new Set(
      [...new Set(found.sort((left, right) => begin(right) - begin(left)).map(({ traceId }) => traceId))].slice(0, limit),
    );
    return found
      .filter(({ traceId }) => newest.has(traceId))
      .sort((left, right) => right.start - left.start)
      .slice(0, limit);
  }
}

function counterSeries(world: World, counter: Counter): CounterSeries[] {
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
    const begun: Run = { additions: [], totals: [], exports: process.exports.filter((time) => time >= at) };
    const run = found.runOf.get(process) ?? begun;
    if (run === begun) found.runs.push(run);
    found.runOf.set(process, run);
    run.totals.push((run.totals.at(-1) ?? 0) + value);
    run.additions.push(at);
  }
  return [...series.values()];
}

/** Undefined where the series has no sample in the window. */
function gainOf(runs: readonly Run[], window: Window): Truth | undefined {
  const inside = runs.flatMap((run) => {
    const [before, upTo] = [numberUpTo(run.exports, window.from), numberUpTo(run.exports, window.to)];
    if (before === upTo) return [];
    const [start, first, end] = [window.from, run.exports[before] as number, window.to].map((time) => totalAt(run, time)) as [
      number,
      number,
      number,
    ];
    return [{ run, samples: upTo - before, before: start, first, end }];
  });
  if (inside.length === 0) return undefined;
  const value = add(inside.map((each) => each.end - each.before));
  // Differences of totals are no more exact than the totals.
  const rounding = 1e-14 * add(inside.map((each) => each.end));
  const hidden = hiddenRestarts(
    runs,
    inside.filter(({ before }) => before === 0),
  );
  const lost = add(inside.slice(0, -1).map(({ end }) => end));
  return { value, slack: rounding + hidden + (lost * 1.2) / add(inside.map(({ samples }) => samples)) };
}

const totalAt = ({ additions, totals }: Run, time: number) => totals[numberUpTo(additions, time) - 1] ?? 0;

/** How many of the times, oldest first, are not after `time`. */
function numberUpTo(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A run that begins no lower than the one before ended looks like the same one: what that one had counted is missed. Samples cannot tell. */
function hiddenRestarts(runs: readonly Run[], begun: readonly { run: Run; first: number }[]): number {
  const end = (run: Run) => totalAt(run, Number.POSITIVE_INFINITY);
  return add(
    begun.map(({ run, first }) => {
      const last = runs[runs.indexOf(run) - 1];
      return last && end(last) <= first ? end(last) : 0;
    }),
  );
}
