/** Counts and sums of the made-up calls, without any query. As in Prometheus, windows exclude their start. */
import { add, type CounterSeries, counterSeries, increaseOf, numberUpTo } from "./counter-series";
import { added, type Counter } from "./telemetry/sdk";
import { type Line, metrics, serviceLines, writtenCalls } from "./telemetry/service";
import { type DatabaseCall, type LlmCall, minute, type Process, type World } from "./telemetry/world";

/** A time range in milliseconds that excludes `from` and includes `to`. */
export interface Window {
  from: number;
  to: number;
}

/** The selected values of the dashboard's variables. An empty list selects all. */
export interface Selection {
  applications: readonly string[];
  environments: readonly string[];
}

/** An expected value, and the maximum difference of a correct panel. */
export interface Truth {
  value: number;
  slack: number;
}

const isSelected = ({ application, environment }: Process, { applications, environments }: Selection) =>
  (applications.length === 0 || applications.includes(application)) && (environments.length === 0 || environments.includes(environment));

const exact = (value: number): Truth => ({ value, slack: 0 });

/** The calls that the service wrote, for "LLM Monitoring". A call counts at its end. */
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

  /** The samples of a metric, oldest first. */
  samples(metric: keyof typeof metrics, window: Window, selected: Selection): { call: LlmCall; value: number }[] {
    const inWindow = this.calls.slice(numberUpTo(this.ends, window.from), numberUpTo(this.ends, window.to));
    return inWindow.flatMap((call) => {
      const value = metrics[metric](call);
      return value !== undefined && isSelected(call.process, selected) ? [{ call, value }] : [];
    });
  }

  count(window: Window, selected: Selection): Truth | undefined {
    const { length } = this.samples("requestDuration", window, selected);
    return length === 0 ? undefined : exact(length);
  }

  total(metric: keyof typeof metrics, window: Window, selected: Selection): Truth | undefined {
    const values = this.samples(metric, window, selected);
    return values.length === 0 ? undefined : exact(add(values.map(({ value }) => value)));
  }

  mean(metric: keyof typeof metrics, window: Window, selected: Selection): Truth | undefined {
    const values = this.samples(metric, window, selected);
    return values.length === 0 ? undefined : exact(add(values.map(({ value }) => value)) / values.length);
  }

  countBy(name: (call: LlmCall) => string, window: Window, selected: Selection): Map<string, Truth> {
    return grouped(this.samples("requestDuration", window, selected).map(({ call }) => ({ name: name(call), value: 1 })));
  }

  totalBy(metric: keyof typeof metrics, name: (call: LlmCall) => string, window: Window, selected: Selection): Map<string, Truth> {
    return grouped(this.samples(metric, window, selected).map(({ call, value }) => ({ name: name(call), value })));
  }

  /** The newest lines, newest first. Loki's windows include their start and exclude their end. */
  lines(type: Line["type"], { from, to }: Window, selected: Selection, limit: number): Line[] {
    return this.written
      .filter((line) => line.type === type && line.call.end >= from && line.call.end < to && isSelected(line.call.process, selected))
      .sort((left, right) => right.call.end - left.call.end)
      .slice(0, limit);
  }
}

function grouped(parts: readonly { name: string; value: number }[]): Map<string, Truth> {
  const groups = new Map<string, Truth>();
  for (const { name, value } of parts) groups.set(name, exact((groups.get(name)?.value ?? 0) + value));
  return groups;
}

/**
 * The full minutes of the clock in a window: panels show their increase.
 *
 * @param second how long after its end a minute counts, in milliseconds: the second at which rules run, or 0 for counters that are read directly
 */
export const recordedWindow =
  (second: number) =>
  ({ from, to }: Window): Window => {
    const down = (time: number) => Math.floor((time - second) / minute) * minute;
    return { from: down(from), to: down(to) };
  };

/** The counters of the SDK, for "GenAI Observability". A call counts at its first export. */
export class SdkLedger {
  private readonly series: Record<Counter, CounterSeries[]>;

  /** @param shown the window whose increase a panel shows. By default that of counters that are read directly. */
  constructor(
    private readonly world: World,
    private readonly shown = recordedWindow(0),
  ) {
    const names = Object.keys(added) as Counter[];
    this.series = Object.fromEntries(names.map((name) => [name, counterSeries(world, name)])) as Record<Counter, CounterSeries[]>;
  }

  /** The increase of a counter by a label, or in total with the name "". As in panels, a missing label is "(none)". */
  increase(counter: Counter, window: Window, selected: Selection, label?: string): Map<string, Truth> {
    const groups = new Map<string, Truth>();
    for (const { process, labels, runs } of this.series[counter]) {
      if (!isSelected(process, selected)) continue;
      const truth = increaseOf(runs, this.shown(window));
      if (!truth) continue;
      const name = label === undefined ? "" : (labels[label] ?? "(none)");
      const before = groups.get(name) ?? exact(0);
      groups.set(name, { value: before.value + truth.value, slack: before.slack + truth.slack });
    }
    return groups;
  }

  mean(dividend: Counter, divisor: Counter, window: Window, selected: Selection): Truth | undefined {
    const [sum, count] = [dividend, divisor].map((counter) => this.increase(counter, window, selected).get(""));
    if (!sum || !count || count.value === 0) return undefined;
    const value = sum.value / count.value;
    return { value, slack: value * (sum.slack / (sum.value || 1) + count.slack / count.value) };
  }

  /** The spans with status ok of the newest traces, newest first. */
  spans(kind: "llm" | "database" | "all", window: Window, selected: Selection, limit: number): (LlmCall | DatabaseCall)[] {
    const arrived = [...this.world.llm, ...this.world.database].filter((call) => call.arrived);
    const isWanted = (call: LlmCall | DatabaseCall) =>
      call.status === "ok" && (kind === "all" || (kind === "database") === "database" in call) && isSelected(call.process, selected);
    return newestSpans(arrived, isWanted, window, limit);
  }
}

/**
 * The wanted spans of the newest traces that have any, newest first. A trace is in the window with all of its spans if any part of it is. Tempo's windows
 * have full seconds.
 *
 * @param arrived all spans
 */
export function newestSpans<T extends { traceId: string; start: number; end: number }>(
  arrived: readonly T[],
  isWanted: (span: T) => boolean,
  { from, to }: Window,
  limit: number,
): T[] {
  const traces = new Map<string, { start: number; end: number }>();
  for (const { traceId, start, end } of arrived) {
    const trace = traces.get(traceId) ?? { start, end };
    traces.set(traceId, { start: Math.min(start, trace.start), end: Math.max(end, trace.end) });
  }
  const traceOf = ({ traceId }: T) => traces.get(traceId) as { start: number; end: number };
  const isInWindow = ({ start, end }: { start: number; end: number }) => start <= to && end >= from;
  const found = arrived.filter((span) => isWanted(span) && isInWindow(traceOf(span)));
  const newest = new Set(
    [...new Set(found.sort((left, right) => traceOf(right).start - traceOf(left).start).map(({ traceId }) => traceId))].slice(0, limit),
  );
  return found
    .filter(({ traceId }) => newest.has(traceId))
    .sort((left, right) => right.start - left.start)
    .slice(0, limit);
}
