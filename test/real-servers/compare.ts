/** Compares the values that a panel shows with the expected ones. */
import { expect } from "vitest";
import { type Panel, type Shown, textOf } from "../view/reading/show";
import type { Truth, Window } from "./ledger";
import { spanName } from "./telemetry/sdk";
import type { Expected, Named } from "./truths";

/** The result of a comparison, for the README's table. */
export interface Finding {
  truth: string;
  shown: string;
  /** The largest deviation of all parts, relative to the expected value. */
  deviation: number;
}

/** The maximum difference between numbers that are calculated in different orders. */
const rounding = 1e-9;

/** @throws AssertionError if any part differs by more than the expected value allows */
export function compare(expected: Expected, shown: Shown, panel: Panel, window: Window): Finding {
  if (isNothing(expected, window)) {
    expectNothing(shown, panel);
    return { truth: "nothing", shown: "nothing", deviation: 0 };
  }
  switch (expected.kind) {
    case "values":
      return compareValues(expected, must(shown, "values"), panel);
    case "series":
      return compareSeries(expected, must(shown, "series"), window);
    case "logs":
      return compareLines(expected, must(shown, "logs"));
    case "spans":
      return compareSpans(expected, must(shown, "table"), panel);
    case "durations":
      return compareDurations(expected, must(shown, "histogram"));
  }
}

/** @throws AssertionError if the panel shows data, or another text than Grafana does: an empty table or histogram has none */
export function expectNothing(shown: Shown, { type }: Panel): void {
  expect(shown).toEqual({ kind: "nothing", text: ["table", "histogram"].includes(type) ? "" : "No data" });
}

type Of<T extends { kind: string }, K extends T["kind"]> = Extract<T, { kind: K }>;

function must<K extends Shown["kind"]>(shown: Shown, kind: K): Of<Shown, K> {
  expect(shown.kind, shown.kind === "nothing" ? shown.text : "").toBe(kind);
  return shown as Of<Shown, K>;
}

function isNothing(expected: Expected, window: Window): boolean {
  if (expected.kind === "series") return expected.at(window).size === 0;
  if (expected.kind === "values") return expected.values.size === 0;
  if (expected.kind === "logs") return expected.lines.length === 0;
  if (expected.kind === "spans") return expected.calls.length === 0;
  return expected.kind === "durations" && expected.durations.length === 0;
}

/**
 * The deviation relative to the expected value.
 *
 * @throws AssertionError if it is above the slack
 */
function deviationOf(truth: Truth, value: number, name: string): number {
  const allowed = truth.slack + rounding * Math.abs(truth.value);
  const off = Math.abs(value - truth.value);
  if (!(off <= allowed)) expect.fail(`${name}: shows ${value}, expected ${truth.value} ± ${allowed}`);
  return off <= rounding * Math.abs(truth.value) ? 0 : off / Math.abs(truth.value || 1);
}

function compareValues({ values: truths, top }: Of<Expected, "values">, { values }: Of<Shown, "values">, panel: Panel): Finding {
  const descending = [...truths].sort(([, left], [, right]) => right.value - left.value);
  const wanted: Named = new Map(top === undefined ? truths : descending.slice(0, top));
  // A single number has no name.
  const nameOf = (name: string) => (truths.has("") ? "" : name);
  expect(values.map(({ name }) => nameOf(name)).sort()).toEqual([...wanted.keys()].sort());
  if (panel.type !== "stat")
    expect(values.map(({ value }) => value)).toEqual(values.map(({ value }) => value).sort((left, right) => right - left));
  const deviations = values.map(({ name, value, text }) => {
    const truth = wanted.get(nameOf(name)) as Truth;
    if (truth.slack <= rounding * truth.value) expect(text).toBe(textOf(panel, truth.value, name));
    return deviationOf(truth, value, name || String(panel.title));
  });
  const summary = (parts: readonly number[]) =>
    truths.has("")
      ? textOf(panel, parts[0] as number)
      : `${parts.length} parts, ${textOf(
          panel,
          parts.reduce((sum, part) => sum + part, 0),
        )}`;
  return {
    truth: summary([...wanted.values()].map(({ value }) => value)),
    shown: summary(values.map(({ value }) => value)),
    deviation: Math.max(...deviations),
  };
}

function compareSeries({ at }: Of<Expected, "series">, { step, series }: Of<Shown, "series">, { from, to }: Window): Finding {
  const shown = new Map<number, Map<string, number>>();
  for (const { name, points } of series) {
    for (const [time, value] of points) shown.set(time, (shown.get(time) ?? new Map()).set(name, value));
  }
  let [points, deviation] = [0, 0];
  // Grafana aligns range queries to the step (pkg/promlib/models/query.go).
  for (let time = Math.floor(from / step) * step; time <= to; time += step) {
    const truths = at({ from: time - step, to: time });
    const values = shown.get(time) ?? new Map<string, number>();
    const point = `at ${(time - to) / 60_000} min`;
    expect([...values.keys()].sort(), point).toEqual([...truths.keys()].sort());
    for (const [name, truth] of truths) {
      points += 1;
      deviation = Math.max(deviation, deviationOf(truth, values.get(name) as number, `${name} ${point}`));
    }
    shown.delete(time);
  }
  expect([...shown.keys()]).toEqual([]);
  const summary = `${series.length} series, ${points} points`;
  return { truth: summary, shown: summary, deviation };
}

function compareLines({ lines }: Of<Expected, "logs">, { rows }: Of<Shown, "logs">): Finding {
  expect(rows.map(({ time, line }) => [time / 1_000_000n, line])).toEqual(lines.map(({ call, text }) => [BigInt(call.end), text]));
  expect(rows.map(({ labels }) => [labels.applicationName, labels.environment, labels.type])).toEqual(
    lines.map(({ call: { process }, type }) => [process.application, process.environment, type]),
  );
  return { truth: `${lines.length} lines`, shown: `${rows.length} lines`, deviation: 0 };
}

function compareSpans({ calls }: Of<Expected, "spans">, { columns, rows }: Of<Shown, "table">, panel: Panel): Finding {
  const wanted = calls.map((call) => ({
    Time: call.start,
    Duration: (call.end - call.start) * 1_000_000,
    Application: call.process.application,
    Environment: call.process.environment,
    ...("operation" in call
      ? {
          Model: call.operation.model,
          Prompt: call.prompt,
          ...(call.completion === undefined ? {} : { Completion: call.completion }),
          ...(call.cost === undefined ? {} : { Cost: textOf(panel, call.cost, "gen_ai.usage.cost") }),
        }
      : { Operation: spanName(call) }),
  }));
  // The last column links to the trace.
  expect(columns.at(-1)).toBe("Trace");
  const shown = rows.map((row) =>
    Object.fromEntries(
      columns.slice(0, -1).flatMap((column) => {
        const cell = row[column];
        const isEmpty = !cell || cell.value === undefined || cell.value === null || cell.value === "";
        return isEmpty ? [] : [[column, column === "Cost" ? cell.text : cell.value]];
      }),
    ),
  );
  expect(shown).toEqual(wanted);
  return { truth: `${wanted.length} rows`, shown: `${rows.length} rows`, deviation: 0 };
}

/** Each bucket has the right number of durations, and no duration is outside of the buckets. */
function compareDurations({ durations }: Of<Expected, "durations">, { buckets }: Of<Shown, "histogram">): Finding {
  for (const { from, to, count } of buckets) {
    expect(count, `from ${from} s to ${to} s`).toBe(durations.filter((duration) => duration >= from && duration < to).length);
  }
  const counted = buckets.reduce((sum, { count }) => sum + count, 0);
  expect(counted).toBe(durations.length);
  return { truth: `${durations.length} spans`, shown: `${counted} spans`, deviation: 0 };
}
