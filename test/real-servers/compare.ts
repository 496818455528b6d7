/** Compares the values that a panel shows with the expected ones. */
import { expect } from "vitest";
import { type Panel, type Shown, textOf } from "../view/reading/show";
import type { Truth, Window } from "./ledger";
import { spanName } from "./telemetry/sdk";
import type { Expected, Named } from "./truths";

/** The maximum difference between numbers that are calculated in different orders. */
const rounding = 1e-9;

/**
 * @returns whether data was expected
 * @throws AssertionError if any part differs by more than the expected value allows
 */
export function compare(expected: Expected, shown: Shown, panel: Panel, window: Window): boolean {
  if (!isNothing(expected, window)) compareData(expected, shown, panel, window);
  else expectNothing(shown, panel);
  return !isNothing(expected, window);
}

function compareData(expected: Expected, shown: Shown, panel: Panel, window: Window): void {
  switch (expected.kind) {
    case "values":
      compareValues(expected, must(shown, "values"), panel);
      break;
    case "series":
      compareSeries(expected, must(shown, "series"), window);
      break;
    case "logs":
      compareLines(expected, must(shown, "logs"));
      break;
    case "spans":
      compareSpans(expected, must(shown, "table"), panel);
      break;
    case "durations":
      compareDurations(expected, must(shown, "histogram"));
      break;
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

/** @throws AssertionError if the deviation is above the slack */
function compareNumber(truth: Truth, value: number, name: string): void {
  const allowed = truth.slack + rounding * Math.abs(truth.value);
  if (!(Math.abs(value - truth.value) <= allowed)) expect.fail(`${name}: shows ${value}, expected ${truth.value} ± ${allowed}`);
}

function compareValues({ values: truths, top }: Of<Expected, "values">, { values }: Of<Shown, "values">, panel: Panel): void {
  const descending = [...truths].sort(([, left], [, right]) => right.value - left.value);
  const wanted: Named = new Map(top === undefined ? truths : descending.slice(0, top));
  // A single number has no name.
  const nameOf = (name: string) => (truths.has("") ? "" : name);
  expect(values.map(({ name }) => nameOf(name)).sort()).toEqual([...wanted.keys()].sort());
  if (panel.type !== "stat")
    expect(values.map(({ value }) => value)).toEqual(values.map(({ value }) => value).sort((left, right) => right - left));
  for (const { name, value, text } of values) {
    const truth = wanted.get(nameOf(name)) as Truth;
    if (truth.slack <= rounding * truth.value) expect(text).toBe(textOf(panel, truth.value, name));
    compareNumber(truth, value, name || String(panel.title));
  }
}

function compareSeries({ at }: Of<Expected, "series">, { step, series }: Of<Shown, "series">, { from, to }: Window): void {
  const shown = new Map<number, Map<string, number>>();
  for (const { name, points } of series) {
    for (const [time, value] of points) shown.set(time, (shown.get(time) ?? new Map()).set(name, value));
  }
  // Grafana aligns range queries to the step (pkg/promlib/models/query.go).
  for (let time = Math.floor(from / step) * step; time <= to; time += step) {
    const truths = at({ from: time - step, to: time });
    const values = shown.get(time) ?? new Map<string, number>();
    const point = `at ${(time - to) / 60_000} min`;
    expect([...values.keys()].sort(), point).toEqual([...truths.keys()].sort());
    for (const [name, truth] of truths) {
      compareNumber(truth, values.get(name) as number, `${name} ${point}`);
    }
    shown.delete(time);
  }
  expect([...shown.keys()]).toEqual([]);
}

function compareLines({ lines }: Of<Expected, "logs">, { rows }: Of<Shown, "logs">): void {
  expect(rows.map(({ time, line }) => [time / 1_000_000n, line])).toEqual(lines.map(({ call, text }) => [BigInt(call.end), text]));
  expect(rows.map(({ labels }) => [labels.applicationName, labels.environment, labels.type])).toEqual(
    lines.map(({ call: { process }, type }) => [process.application, process.environment, type]),
  );
}

function compareSpans({ calls }: Of<Expected, "spans">, { columns, rows }: Of<Shown, "table">, panel: Panel): void {
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
}

/** Each bucket has the right number of durations, and no duration is outside of the buckets. */
function compareDurations({ durations }: Of<Expected, "durations">, { buckets }: Of<Shown, "histogram">): void {
  for (const { from, to, count } of buckets) {
    expect(count, `from ${from} s to ${to} s`).toBe(durations.filter((duration) => duration >= from && duration < to).length);
  }
  const counted = buckets.reduce((sum, { count }) => sum + count, 0);
  expect(counted).toBe(durations.length);
}
