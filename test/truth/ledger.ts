/** Counts and sums of what was written about the made-up calls, without any query. As in Prometheus, windows exclude their start. */
import { costsOf } from "./costs";
import { type Fact, factsOf, type Labels, type Measure } from "./facts";
import { sdks } from "./telemetry/sdks";
import { type Line, metrics, serviceLines, writtenCalls } from "./telemetry/service";
import { statusOf } from "./telemetry/spec-sdk";
import { known } from "./truths/expected";
import { type Call, type ModelCall, minute, type Process, type World } from "./world/world";

/** A time range in milliseconds that excludes `from` and includes `to`. */
export type Window = { from: number; to: number };

/** The selected values of the dashboard's variables. An empty list, or none, selects all. `by` and `slow` have one, and select nothing. */
export type Selection = Partial<Record<"application" | "environment" | "provider" | "model" | "by" | "slow", readonly string[]>>;

/** An expected value, and the maximum difference of a correct panel. */
export type Truth = { value: number; slack: number };

/** Expected values by name; a single one has the name "". */
export type Named = Map<string, Truth>;

/** Which facts count. */
export type Where = (labels: Labels) => boolean;

/** What a group of rules of its own records: also the requests of gateways, where SDKs count. */
const ofTimes: readonly Measure[] = ["duration", "firstToken", "agents", "tools", "mcp", "databases", "gateway requests"];

/** What provider and model select. */
const ofModels: readonly Measure[] = [
  ...(["requests", "priced requests", "requests without tokens", "duration", "firstToken"] as const),
  ...(["tokens", "cachedTokens", "cost", "tokens without cost"] as const),
  "gateway requests",
];

const isSelected = (values: readonly string[] = [], value: string | undefined) =>
  values.length === 0 || (value !== undefined && values.includes(value));

const ofProcess = ({ application, environment }: Selection, process: Process) =>
  isSelected(application, process.application) && isSelected(environment, process.environment);

export class Ledger {
  /** Oldest first. A call counts at its first export. */
  private readonly all = new Map<Measure, Fact[]>();
  /** What the service wrote, and panels show, oldest first. A call counts at its end. */
  private readonly written: ModelCall[];
  private readonly lines: Line[];

  /**
   * @param secondOfTimes that of times, agents, tools and databases, whose rules are a group of their own
   * @param second the second of a minute in which the rules record the last full one, in milliseconds
   */
  constructor(
    private readonly world: World,
    private readonly second = 0,
    private readonly secondOfTimes = second,
  ) {
    for (const fact of world.calls.flatMap((call) => factsOf(call)).sort((left, right) => left.at - right.at)) {
      const found = this.all.get(fact.measure);
      if (found) found.push(fact);
      else this.all.set(fact.measure, [fact]);
    }
    const { costs, priced, unpriced, untold } = costsOf((measure) => this.all.get(measure) ?? [], second);
    this.all.set("cost", costs).set("priced requests", priced).set("tokens without cost", unpriced).set("requests without tokens", untold);
    // The variables select no sample without an environment, All included.
    const isShown = ({ process }: Call) => process.environment !== undefined;
    this.written = writtenCalls(world).filter(isShown);
    this.lines = serviceLines(world).filter(({ call }) => isShown(call));
  }

  /** The samples of a metric of the service. */
  samples(metric: keyof typeof metrics, window: Window, selected: Selection): { call: ModelCall; value: number }[] {
    return within(this.written, window, ({ end }) => end).flatMap((call) => {
      const value = ofProcess(selected, call.process) ? known(metrics[metric](call)) : undefined;
      return value === undefined ? [] : [{ call, value }];
    });
  }

  /** The newest lines, newest first. Loki's windows include their start and exclude their end. */
  newestLines(type: Line["type"], { from, to }: Window, selected: Selection, limit: number): Line[] {
    return this.lines
      .filter(({ type: other, call: { end, process } }) => other === type && end >= from && end < to && ofProcess(selected, process))
      .sort((left, right) => right.call.end - left.call.end)
      .slice(0, limit);
  }

  /** The facts in the full minutes of a window, whose increase panels show. */
  facts(measure: Measure, window: Window, selected: Selection, where: Where = () => true): Fact[] {
    const second = ofTimes.includes(measure) ? this.secondOfTimes : this.second;
    const down = (time: number) => Math.floor((time - second) / minute) * minute;
    const [from, to] = [down(window.from), down(window.to)];
    return this.between(measure, { from, to }, selected).filter(({ labels }) => where(labels));
  }

  /** The increase of a measure by a label, or in total with the name "". A missing label is "(none)". */
  increase(measure: Measure, window: Window, selected: Selection, by?: keyof Labels, where?: Where): Named {
    return grouped(
      this.facts(measure, window, selected, where).map(({ labels, value }) => ({
        name: by === undefined ? "" : labels[by] || "(none)",
        value,
      })),
    );
  }

  /** The spans of calls to models or to vector databases of the newest traces, newest first, failed ones included. Every model call's has the requested model. */
  spans<K extends "model" | "database">(
    kind: K,
    window: Window,
    selected: Selection,
    limit: number,
    where: (call: Call) => boolean = () => true,
  ): Extract<Call, { kind: K }>[] {
    const isWanted = (call: Call) => {
      const { application, environment, sdk } = call.process;
      return (
        !sdks[sdk].spec &&
        !sdks[sdk].silent &&
        !sdks[sdk].gateway &&
        call.kind === kind &&
        where(call) &&
        isSelected(selected.application, application) &&
        isSelected(selected.environment, environment ?? "") &&
        (call.kind === "model" ? isSelected(selected.model, call.model.model) : call.kind === "database" && call.database.vector)
      );
    };
    return newestSpans(this.world.calls, isWanted, window, limit) as Extract<Call, { kind: K }>[];
  }

  /** The spans of the SDK of 2024 with the status ok. */
  specSpans(kinds: readonly Call["kind"][], window: Window, selected: Selection, limit: number): Call[] {
    const isWanted = (call: Call) =>
      sdks[call.process.sdk].spec === true && kinds.includes(call.kind) && statusOf(call) === "ok" && ofProcess(selected, call.process);
    return newestSpans(this.world.calls, isWanted, window, limit);
  }

  private between(measure: Measure, window: Window, { by: _by, slow: _slow, ...selected }: Selection): Fact[] {
    const { provider: _provider, model: _model, ...ofProcess } = selected;
    const wanted = Object.entries(ofModels.includes(measure) ? selected : ofProcess) as [keyof typeof selected, readonly string[]][];
    const passes = (labels: Labels) => wanted.every(([name, values]) => isSelected(values, labels[name] ?? "(none)"));
    return within(this.all.get(measure) ?? [], window, ({ at }) => at).filter(({ labels }) => passes(labels));
  }
}

/**
 * The wanted spans of the newest traces that have any, newest first. A trace is in the window with all of its spans if any part of it is. Tempo's windows
 * have full seconds.
 */
function newestSpans(calls: readonly Call[], isWanted: (call: Call) => boolean, { from, to }: Window, limit: number): Call[] {
  const arrived = calls.filter((call) => call.arrived);
  const traces = new Map<string, { start: number; end: number }>();
  for (const { traceId, start, end } of arrived) {
    const trace = traces.get(traceId) ?? { start, end };
    traces.set(traceId, { start: Math.min(start, trace.start), end: Math.max(end, trace.end) });
  }
  const traceOf = ({ traceId }: Call) => traces.get(traceId) as { start: number; end: number };
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

/** What happened in a window, of events in the order of their times: graphs ask for many short windows. */
function within<T>(events: readonly T[], { from, to }: Window, timeOf: (event: T) => number): T[] {
  const firstAfter = (time: number) => {
    let [low, high] = [0, events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (timeOf(events[middle] as T) > time) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return events.slice(firstAfter(from), firstAfter(to));
}

/** The sums of values by name. */
export function grouped(parts: readonly { name: string; value: number }[]): Named {
  const groups: Named = new Map();
  for (const { name, value } of parts) groups.set(name, { value: (groups.get(name)?.value ?? 0) + value, slack: 0 });
  return groups;
}
