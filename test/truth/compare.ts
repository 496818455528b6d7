/** Compares what a panel shows with the expected values. */
import { expect } from "vitest";
import { stepOf } from "../view/reading/query";
import type { Panel, Shown } from "../view/reading/show";
import { grouped, type Named, type Truth, type Window } from "./ledger";
import { emptyTexts } from "./truths";
import type { Expected, Row } from "./truths/expected";

/** The maximum difference between numbers that are calculated in different orders, and of what should be 0. */
const rounding = 1e-9;

type Of<T extends { kind: string }, K extends T["kind"]> = Extract<T, { kind: K }>;

/**
 * @returns whether data was expected
 * @throws AssertionError if the panel shows something else
 */
export function compare(expected: Expected, shown: Shown, panel: Panel, window: Window): boolean {
  const isEmpty = isNothing(expected, window);
  // No step may have enough calls for a percentile.
  if (expected.kind === "series" && shown.kind === "nothing") {
    expectNothing(shown, panel);
    compareSeries(expected, { kind: "series", step: stepOf(panel, { ...window, selected: {} }), series: [] }, window);
  } else if (!isEmpty) compareData(expected, shown, panel, window);
  // A counter that increased before the time range shows 0.
  else if (!isZero(shown)) expectNothing(shown, panel);
  return !isEmpty;
}

function compareData(expected: Expected, shown: Shown, panel: Panel, window: Window): void {
  if (expected.kind === "values") compareValues(expected, must(shown, "values"), panel);
  else if (expected.kind === "series") compareSeries(expected, must(shown, "series"), window);
  else if (expected.kind === "numbers") compareNumbers(expected, must(shown, "table"));
  else if (expected.kind === "logs") compareLines(expected, must(shown, "logs"));
  else if (expected.kind === "rows") compareRows(expected.rows, must(shown, "table"));
  else compareDurations(expected, must(shown, "histogram"));
}

/** @throws AssertionError if the panel shows data, or another text than Grafana does: an empty table or histogram has none */
export function expectNothing(shown: Shown, { type, title }: Panel): void {
  const text = ["table", "histogram"].includes(type) ? /^$/ : (emptyTexts[title ?? ""] ?? /^No data$/);
  expect(shown).toEqual({ kind: "nothing", text: expect.stringMatching(text) });
}

function must<K extends Shown["kind"]>(shown: Shown, kind: K): Of<Shown, K> {
  expect(shown.kind, shown.kind === "nothing" ? shown.text : "").toBe(kind);
  return shown as Of<Shown, K>;
}

export function isNothing(expected: Expected, window: Window): boolean {
  if (expected.kind === "values") return counting(expected.values).size === 0;
  if (expected.kind === "numbers") return Object.values(expected.columns).every(({ values }) => counting(values).size === 0);
  if (expected.kind === "series") return counting(expected.at(window)).size === 0;
  const { length } = expected.kind === "logs" ? expected.lines : expected.kind === "rows" ? expected.rows : expected.durations;
  return length === 0;
}

const counts = (value: number) => Math.abs(value) > rounding;

/** The parts of more than 0. A part of 0 says the same as none: whether Prometheus still has a series with this name. */
export const counting = (named: Named): Named => new Map([...named].filter(([, { value }]) => counts(value)));

function isZero(shown: Shown): boolean {
  if (shown.kind === "values") return shown.values.every(({ value }) => !counts(value));
  return shown.kind === "series" && shown.series.every(({ points }) => points.every(([, value]) => !counts(value)));
}

/** @throws AssertionError if the deviation is above the slack */
function compareNumber({ value: truth, slack }: Truth, value: number, name: string): void {
  const allowed = slack + rounding * Math.max(1, Math.abs(truth));
  if (!(Math.abs(value - truth) <= allowed)) expect.fail(`${name}: shows ${value}, expected ${truth} ± ${allowed}`);
}

function compareValues({ values, text, top }: Of<Expected, "values">, shown: Of<Shown, "values">, panel: Panel): void {
  const truths = counting(values);
  // Of equal ones at the end of a list, any.
  const isShown = (name: string) => Number(shown.values.some((value) => value.name === name));
  const descending = [...truths].sort(([left, a], [right, b]) => b.value - a.value || isShown(right) - isShown(left));
  const wanted: Named = new Map(descending.slice(0, top));
  // A single number has no name.
  const isSingle = truths.has("") && truths.size === 1;
  // The course of a number is its graph: see test/unit/dashboards/opentelemetry.test.ts.
  const parts = shown.values.filter(({ name, value }) => name !== "course" && (isSingle || counts(value)));
  const numbers = parts.map(({ value }) => value);
  // That of gateways begins with the lowest one.
  if (panel.type !== "stat" && panel.title !== "Coverage by Application")
    expect(numbers).toEqual([...numbers].sort((left, right) => right - left));
  const sums = grouped(parts.map(({ name, value }) => ({ name: isSingle ? "" : name, value })));
  expect([...sums.keys()].sort()).toEqual([...wanted.keys()].sort());
  for (const [name, { value }] of sums) compareNumber(wanted.get(name) as Truth, value, name || String(panel.title));
  expect(parts.map((part) => part.text)).toEqual(parts.map(({ name, value }) => text(value, name)));
}

function compareSeries(
  { at, text, top = Number.POSITIVE_INFINITY }: Of<Expected, "series">,
  { step, series }: Of<Shown, "series">,
  { from, to }: Window,
): void {
  const shown = new Map<number, Map<string, number>>();
  for (const { name, points, text: shownText } of series) {
    const highest = Math.max(...points.map(([, value]) => value));
    if (counts(highest)) expect(shownText(highest)).toBe(text(name)(highest));
    for (const [time, value] of points) {
      const values = shown.get(time) ?? new Map<string, number>();
      if (counts(value)) shown.set(time, values.set(name, (values.get(name) ?? 0) + value));
    }
  }
  // Grafana aligns range queries to the step (pkg/promlib/models/query.go).
  for (let time = Math.floor(from / step) * step; time <= to; time += step) {
    const all = counting(at({ from: time - step, to: time }));
    const values = shown.get(time) ?? new Map<string, number>();
    const point = `at ${(time - to) / 60_000} min`;
    const truths = all.size > top ? new Map([...all].filter(([name]) => values.has(name))) : all;
    if (all.size > top) expect(values.size, point).toBe(top);
    expect([...values.keys()].sort(), point).toEqual([...truths.keys()].sort());
    for (const [name, truth] of truths) compareNumber(truth, values.get(name) as number, `${name} ${point}`);
    shown.delete(time);
  }
  expect([...shown.keys()]).toEqual([]);
}

/** Of rows that are equal in the first column, any at the end. */
function compareNumbers({ columns, top }: Of<Expected, "numbers">, { columns: titles, rows }: Of<Shown, "table">): void {
  const truths = new Map(Object.entries(columns).map(([title, { values, text }]) => [title, { values: counting(values), text }]));
  const [name = "", ...shown] = titles;
  const isNeeded = (title: string) => (truths.get(title)?.values.size ?? 0) > 0;
  expect(shown).toEqual([...truths.keys()].filter((title) => isNeeded(title) || shown.includes(title)));
  const names = new Set([...truths.values()].flatMap(({ values }) => [...values.keys()]));
  expect(rows).toHaveLength(Math.min(top, names.size));
  const [first = { values: new Map() }] = truths.values();
  const sizes = [...names].map((each) => first.values.get(each)?.value ?? 0).sort((left, right) => right - left);
  expect(rows.map((row) => Math.round(Number(row[shown[0] as string]?.value ?? 0)))).toEqual(sizes.slice(0, top));
  for (const row of rows) {
    const key = row[name]?.text ?? "";
    for (const [title, { values, text }] of truths) {
      const truth = values.get(key);
      if (!truth) {
        expect([key, title, row[title]?.text ?? "–"]).toEqual([key, title, "–"]);
        continue;
      }
      const value = row[title]?.value as number;
      compareNumber(truth, value, `${title} of ${key}`);
      expect(row[title]?.text, `${title} of ${key}`).toBe(text(value));
    }
  }
}

function compareLines({ lines }: Of<Expected, "logs">, { rows }: Of<Shown, "logs">): void {
  const shown = rows.map(({ time, line, labels }) => [time / 1_000_000n, line, labels.applicationName, labels.environment, labels.type]);
  const wanted = lines.map(({ call: { end, process }, text, type }) => [BigInt(end), text, process.application, process.environment, type]);
  expect(shown).toEqual(wanted);
}

function compareRows(truths: readonly Row[], { columns, rows }: Of<Shown, "table">): void {
  // The last column links to the trace.
  expect(columns.at(-1)).toBe("Trace");
  expect(rows.map((row) => Object.fromEntries(columns.slice(0, -1).map((column) => [column, cellOf(row, column)])))).toEqual(truths);
}

/** A cell's value, or its text if that is another one. */
function cellOf(row: Of<Shown, "table">["rows"][number], column: string): unknown {
  const { value, text } = row[column] ?? {};
  if (value === undefined || value === null || value === "") return undefined;
  return ["Cost", "Status", "Tokens in", "Tokens out"].includes(column) ? text : value;
}

/** Each bucket has the right number of durations, and no duration is outside of the buckets. */
function compareDurations({ durations }: Of<Expected, "durations">, { buckets, unit }: Of<Shown, "histogram">): void {
  expect(unit).toBe("s");
  for (const { from, to, count } of buckets) {
    expect(count, `from ${from} s to ${to} s`).toBe(durations.filter((duration) => duration >= from && duration < to).length);
  }
  const counted = buckets.reduce((sum, { count }) => sum + count, 0);
  expect(counted).toBe(durations.length);
}
