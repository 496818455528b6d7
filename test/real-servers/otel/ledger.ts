/** Counts and sums of what the SDKs record of the made-up calls, without any query. As in Prometheus, windows exclude their start. */
import type { CounterMode } from "../../../src/signals/counters";
import { increaseOf, numberUpTo, type Run } from "../counter-series";
import { newestSpans, type Truth, type Window } from "../ledger";
import { minute } from "../telemetry/world";
import { type Fact, factsOf, type Labels, type Measure, measures } from "./facts";
import type { Call, ModelCall, Process, World } from "./world";

/** The selected values of the dashboard's variables. An empty list, or none, selects all. */
export type Selection = Partial<Record<"application" | "environment" | "provider" | "model", readonly string[]>>;

/** Which facts count. */
export type Where = (labels: Labels) => boolean;

/** A series while one process writes it, with its facts by their first export, oldest first. */
interface FactRun extends Run {
  facts: Fact[];
}

interface Series {
  labels: Labels;
  /** Oldest first. Each further run is a restart. */
  runs: FactRun[];
}

const exact = (value: number): Truth => ({ value, slack: 0 });

/** A call counts at its first export. */
export class Ledger {
  private readonly series: Record<Measure, Series[]>;

  /** @param second the second of a minute in which the rules record the last full one, in milliseconds */
  constructor(
    private readonly world: World,
    private readonly mode: CounterMode,
    private readonly second = 0,
  ) {
    this.series = seriesOf(world, mode);
  }

  /** The increase of a measure by a label, or in total with the name "". A missing label is "(none)". */
  increase(measure: Measure, window: Window, selected: Selection, by?: keyof Labels, where: Where = () => true): Map<string, Truth> {
    const groups = new Map<string, Truth>();
    for (const { labels, runs } of this.selected(measure, selected, where)) {
      const truth = increaseOf(runs, this.minutes(window));
      if (!truth) continue;
      const name = by === undefined ? "" : (labels[by] ?? "(none)");
      const before = groups.get(name) ?? exact(0);
      groups.set(name, { value: before.value + truth.value, slack: before.slack + truth.slack });
    }
    return groups;
  }

  /** The increase in total, 0 if there is none. */
  total(measure: Measure, window: Window, selected: Selection, where?: Where): Truth {
    return this.increase(measure, window, selected, undefined, where).get("") ?? exact(0);
  }

  /** The facts that were exported in a window for the first time. */
  facts(measure: Measure, window: Window, selected: Selection, where: Where = () => true): Fact[] {
    return this.selected(measure, selected, where).flatMap(({ runs }) => runs.flatMap((run) => factsIn(run, this.minutes(window))));
  }

  /** The facts that percentiles read. Directly, it is exact to the second, and without what a process counted before a restart in the window. */
  timed(measure: Measure, window: Window, selected: Selection): Fact[] {
    if (this.mode === "recorded") return this.facts(measure, window, selected);
    return this.selected(measure, selected, () => true).flatMap(({ runs }) => {
      const last = runs.findLast(({ exports: [first = Number.POSITIVE_INFINITY] }) => first <= window.to);
      return last ? factsIn(last, window) : [];
    });
  }

  /**
   * The spans of calls to models or to vector databases of the newest traces, newest first, failed ones included. Provider and model select
   * calls to models only.
   */
  spans<K extends "model" | "database">(kind: K, window: Window, selected: Selection, limit: number): Extract<Call, { kind: K }>[] {
    const has = (name: keyof Selection, ...values: (string | undefined)[]) => {
      const wanted = selected[name] ?? [];
      return wanted.length === 0 || values.some((value) => wanted.includes(value ?? "(none)"));
    };
    const isWanted = (call: Call) =>
      call.kind === kind &&
      has("application", call.process.application) &&
      has("environment", call.process.environment) &&
      (call.kind !== "database" || call.database.vector) &&
      (call.kind !== "model" || (has("provider", call.model.provider) && has("model", call.model.model, answered(call))));
    const arrived = this.world.calls.filter((call) => call.arrived);
    return newestSpans(arrived, isWanted, window, limit) as Extract<Call, { kind: K }>[];
  }

  /** The full minutes of a window, whose increase a panel shows. */
  private minutes({ from, to }: Window): Window {
    const down = (time: number) => Math.floor((time - this.second) / minute) * minute;
    return { from: down(from), to: down(to) };
  }

  private selected(measure: Measure, selected: Selection, where: Where): Series[] {
    const wanted = Object.entries(selected).filter(([, values]) => values.length > 0) as [keyof Selection, readonly string[]][];
    return this.series[measure].filter(
      ({ labels }) => where(labels) && wanted.every(([name, values]) => !(name in labels) || values.includes(labels[name] ?? "(none)")),
    );
  }
}

/** The model that answered, or the requested one if the call failed. */
const answered = ({ error, model }: ModelCall) => (error ? model.model : model.answeredBy);

function factsIn({ facts, additions }: FactRun, { from, to }: Window): Fact[] {
  return facts.slice(numberUpTo(additions, from), numberUpTo(additions, to));
}

function seriesOf({ calls }: World, mode: CounterMode): Record<Measure, Series[]> {
  const byMeasure = Object.fromEntries(measures.map((measure) => [measure, [] as Series[]])) as Record<Measure, Series[]>;
  const byKey = new Map<string, Series & { runOf: Map<Process, FactRun> }>();
  for (const call of calls) {
    const { process, exportedAt: at } = call;
    if (at === undefined) continue;
    for (const fact of factsOf(call, mode)) {
      const key = JSON.stringify([process.application, process.environment, process.instance, fact.measure, fact.labels, fact.series]);
      let found = byKey.get(key);
      if (!found) {
        found = { labels: fact.labels, runs: [], runOf: new Map() };
        byKey.set(key, found);
        byMeasure[fact.measure].push(found);
      }
      let run = found.runOf.get(process);
      if (!run) {
        run = { additions: [], totals: [], exports: process.exports.filter((time) => time >= at), facts: [] };
        found.runOf.set(process, run);
        found.runs.push(run);
      }
      run.totals.push((run.totals.at(-1) ?? 0) + fact.value);
      run.additions.push(at);
      run.facts.push(fact);
    }
  }
  return byMeasure;
}
