/** Compares what a panel of "GenAI Observability (OpenTelemetry)" shows with the expected values. */
import { expect } from "vitest";
import { type Panel, type Shown, type ShownValue, textOf } from "../../view/reading/show";
import { compare as compareAll } from "../compare";
import type { Truth, Window } from "../ledger";
import type { Expected as Common, Named } from "../truths";
import { emptyTexts } from "./truths";

/** A row of a table: its cells by the columns' titles. Those of empty cells are undefined. */
export type Row = Record<string, unknown>;

export type Expected =
  | Extract<Common, { kind: "values" | "series" }>
  /** The percentile of one of these, which no other one exceeds: see `percentiles.ts`. */
  | { kind: "slowest"; values: Named }
  | { kind: "rows"; rows: Row[] };

/**
 * @returns whether data was expected
 * @throws AssertionError if the panel shows something else
 */
export function compare(expected: Expected, shown: Shown, panel: Panel, window: Window): boolean {
  const isEmpty = isNothing(expected, window);
  if (!isEmpty) compareData(expected, shown, panel, window);
  // A counter that increased before the time range shows 0.
  else if (!isZero(shown)) expectNothing(shown, panel);
  return !isEmpty;
}

function compareData(expected: Expected, shown: Shown, panel: Panel, window: Window): void {
  switch (expected.kind) {
    case "values":
      compareAll({ ...expected, values: counting(expected.values) }, withoutZeros(shown), panel, window);
      break;
    case "series":
      compareAll({ kind: "series", at: (step) => counting(expected.at(step)) }, withoutZeros(shown), panel, window);
      break;
    case "slowest":
      compareSlowest(expected.values, shown);
      break;
    case "rows":
      compareRows(expected.rows, shown, panel);
      break;
  }
}

/** The text of a panel without data. Grafana shows an empty table without any. */
export function expectNothing(shown: Shown, { type, title }: Panel): void {
  const text = type === "table" ? /^$/ : (emptyTexts[title ?? ""] ?? /^No data$/);
  expect(shown).toEqual({ kind: "nothing", text: expect.stringMatching(text) });
}

function isNothing(expected: Expected, window: Window): boolean {
  switch (expected.kind) {
    case "values":
      return counting(expected.values).size === 0;
    case "series":
      return counting(expected.at(window)).size === 0;
    case "slowest":
      return expected.values.size === 0;
    case "rows":
      return expected.rows.length === 0;
  }
}

/** A difference of large numbers that should be 0. */
const nothingMore = 1e-9;

const counts = (value: number) => Math.abs(value) > nothingMore;

/** The parts of more than 0. A part of 0 says the same as none: whether Prometheus still has a series with this name. */
export const counting = (named: Named): Named => new Map([...named].filter(([, { value }]) => counts(value)));

function isZero(shown: Shown): boolean {
  if (shown.kind === "values") return shown.values.every(({ value }) => !counts(value));
  return shown.kind === "series" && shown.series.every(({ points }) => points.every(([, value]) => !counts(value)));
}

/** The same, as shown. A single number without a name stays. */
function withoutZeros(shown: Shown): Shown {
  if (shown.kind === "values" && shown.values.length > 1) return { ...shown, values: shown.values.filter(({ value }) => counts(value)) };
  if (shown.kind !== "series") return shown;
  const series = shown.series.map((each) => ({ ...each, points: each.points.filter(([, value]) => counts(value)) }));
  return { ...shown, series: series.filter(({ points }) => points.length > 0) };
}

function compareSlowest(truths: Named, shown: Shown): void {
  expect(shown).toMatchObject({ kind: "values", values: [{ name: expect.any(String) }] });
  const [{ name, value }] = (shown as Extract<Shown, { kind: "values" }>).values as [ShownValue];
  const bucketOf = ({ value, slack }: Truth) => [value - slack, value + slack] as const;
  const [from, to] = bucketOf(truths.get(name) ?? { value: Number.NaN, slack: 0 });
  if (!(value >= from - nothingMore && value <= to + nothingMore))
    expect.fail(`shows ${value} s of ${name}, expected ${from} s to ${to} s`);
  for (const [other, truth] of truths) expect(value, `the p95 of ${other} is more`).toBeGreaterThanOrEqual(bucketOf(truth)[0]);
}

function compareRows(truths: readonly Row[], shown: Shown, panel: Panel): void {
  expect(shown.kind).toBe("table");
  const { columns, rows } = shown as Extract<Shown, { kind: "table" }>;
  // The last column links to the trace.
  expect(columns.at(-1)).toBe("Trace");
  const wanted = truths.map((row) => ({ ...row, Cost: typeof row.Cost === "number" ? textOf(panel, row.Cost, costName) : undefined }));
  expect(rows.map((row) => Object.fromEntries(columns.slice(0, -1).map((column) => [column, cellOf(row, column)])))).toEqual(wanted);
}

/** The column of costs before it has its title. */
const costName = "gen_ai.usage.cost";

/** A cell's value, or its text if that is another one. */
function cellOf(row: Extract<Shown, { kind: "table" }>["rows"][number], column: string): unknown {
  const { value, text } = row[column] ?? {};
  if (value === undefined || value === null || value === "") return undefined;
  return ["Cost", "Status"].includes(column) ? text : value;
}
