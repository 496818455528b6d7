/** Counts and sums of what the SDKs record of the made-up calls, without any query. As in Prometheus, windows exclude their start. */
import type { CounterMode } from "../../../src/signals/signal";
import { newestSpans, recordedWindow, type Truth, type Window } from "../ledger";
import { type Fact, factsOf, type Labels, type Measure } from "./facts";
import { sdks } from "./sdks";
import type { Call, World } from "./world";

/** The selected values of the dashboard's variables. An empty list, or none, selects all. */
export type Selection = Partial<Record<"application" | "environment" | "provider" | "model", readonly string[]>>;

/** Which facts count. */
export type Where = (labels: Labels) => boolean;

/** What provider and model select. */
const ofModels: readonly Measure[] = ["requests", "tokens", "cachedTokens", "cost", "firstToken"];

/** A call counts at its first export. */
export class Ledger {
  /** Oldest first. */
  private readonly all: Fact[];

  /** The full minutes of a window, whose increase panels show. */
  private readonly minutes: (window: Window) => Window;

  /** @param second the second of a minute in which the rules record the last full one, in milliseconds */
  constructor(
    private readonly world: World,
    readonly mode: CounterMode,
    second = 0,
  ) {
    this.all = world.calls.flatMap((call) => factsOf(call, mode)).sort((left, right) => left.at - right.at);
    this.minutes = recordedWindow(second);
  }

  /** The facts in the full minutes of a window. */
  facts(measure: Measure, window: Window, selected: Selection, where: Where = () => true): Fact[] {
    const { from, to } = this.minutes(window);
    return this.upTo(measure, to, selected).filter(({ at, labels }) => at > from && where(labels));
  }

  /** The facts that percentiles read. Directly, it is exact to the second, and without what a process counted before a restart in the window. */
  timed(measure: Measure, window: Window, selected: Selection): Fact[] {
    if (this.mode === "recorded") return this.facts(measure, window, selected);
    const found = this.upTo(measure, window.to, selected);
    const last = new Map(found.map(({ series, process }) => [series, process]));
    return found.filter(({ at, series, process }) => at > window.from && last.get(series) === process);
  }

  /** The increase of a measure by a label, or in total with the name "". A missing label is "(none)". */
  increase(measure: Measure, window: Window, selected: Selection, by?: keyof Labels, where?: Where): Map<string, Truth> {
    const groups = new Map<string, Truth>();
    for (const { labels, value } of this.facts(measure, window, selected, where)) {
      const name = by === undefined ? "" : (labels[by] ?? "(none)");
      groups.set(name, { value: (groups.get(name)?.value ?? 0) + value, slack: 0 });
    }
    return groups;
  }

  /** The spans of calls to models or to vector databases of the newest traces, newest first, failed ones included. Every model call's has the requested model. */
  spans<K extends "model" | "database">(kind: K, window: Window, selected: Selection, limit: number): Extract<Call, { kind: K }>[] {
    const isSelected = (values: readonly string[] = [], value = "") => values.length === 0 || values.includes(value);
    const isWanted = (call: Call) => {
      const { application, environment, sdk } = call.process;
      const isRead = this.mode === "recorded" || sdks[sdk].environment.includes("deployment.environment");
      return (
        call.kind === kind &&
        isSelected(selected.application, application) &&
        isSelected(selected.environment, isRead ? environment : undefined) &&
        (call.kind === "model" ? isSelected(selected.model, call.model.model) : call.kind === "database" && call.database.vector)
      );
    };
    const arrived = this.world.calls.filter((call) => call.arrived);
    return newestSpans(arrived, isWanted, window, limit) as Extract<Call, { kind: K }>[];
  }

  private upTo(measure: Measure, time: number, selected: Selection): Fact[] {
    const { provider: _provider, model: _model, ...ofProcess } = selected;
    const wanted = Object.entries(ofModels.includes(measure) ? selected : ofProcess) as [keyof Selection, readonly string[]][];
    const isSelected = (labels: Labels) =>
      wanted.every(([name, values]) => values.length === 0 || values.includes(labels[name] ?? "(none)"));
    return this.all.filter((fact) => fact.measure === measure && fact.at <= time && isSelected(fact.labels));
  }
}
