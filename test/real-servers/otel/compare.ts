/** Compares what a panel of "GenAI Observability (OpenTelemetry)" shows with the expected values. */
import { expect } from "vitest";
import { type Panel, type Shown, textOf } from "../../../src/view/reading/show";
import { compare as compareAll, expectNothing, type Finding } from "../compare";
import type { Truth, Window } from "../ledger";
import type { Expected as Common, Named } from "../truths";

/** A row of a table: its cells by the columns' titles. Empty cells are left out. */
export type Row = Record<string, unknown>;

export type Expected =
  | Extract<Common, { kind: "values" | "series" }>
  /** A single number in a range: see `percentiles.ts`. */
  | { kind: "percentile"; truth: Truth | undefined }
  | { kind: "rows"; rows: Row[] };

/** A difference of large numbers that should be 0. */
const nothingMore = 1e-9;

/** A part of 0 says the same as none: whether Prometheus still has a series with this name. */
const counts = (value: number) => Math.abs(value) > nothingMore;

const withoutZeros = (named: Named): Named => new Map([...named].filter(([name, { value }]) => name === "" || counts(value)));

export function compare(expected: Expected, shown: Shown, panel: Panel, window: Window): Finding {
  switch (expected.kind) {
    case "values":
      return compareAll({ ...expected, values: withoutZeros(expected.values) }, shownParts(shown, expected.values), panel, window);
    case "series":
      return compareAll({ kind: "series", at: (step) => withoutZeros(expected.at(step)) }, shownPoints(shown), panel, window);
    case "percentile":
      return comparePercentile(expected.truth, shown, panel);
    case "rows":
      return compareRows(expected.rows, shown, panel);
  }
}

function shownParts(shown: Shown, truths: Named): Shown {
  if (shown.kind !== "values" || truths.has("")) return shown;
  const values = shown.values.filter(({ value }) => counts(value));
  return values.length === 0 ? { kind: "nothing", text: "No data" } : { ...shown, values };
}

function shownPoints(shown: Shown): Shown {
  if (shown.kind !== "series") return shown;
  const series = shown.series
    .map((each) => ({ ...each, points: each.points.filter(([, value]) => counts(value)) }))
    .filter(({ points }) => points.length > 0);
  return series.length === 0 ? { kind: "nothing", text: "No data" } : { ...shown, series };
}

function comparePercentile(truth: Truth | undefined, shown: Shown, panel: Panel): Finding {
  if (!truth) {
    expectNothing(shown, panel);
    return { truth: "nothing", shown: "nothing", deviation: 0 };
  }
  expect(shown.kind).toBe("values");
  const [first] = (shown as Extract<Shown, { kind: "values" }>).values;
  const [from, to] = [truth.value - truth.slack, truth.value + truth.slack];
  const value = first?.value ?? Number.NaN;
  if (!(value >= from - nothingMore && value <= to + nothingMore)) expect.fail(`shows ${value} s, expected ${from} s to ${to} s`);
  return { truth: `${textOf(panel, from)} to ${textOf(panel, to)}`, shown: first?.text ?? "", deviation: 0 };
}

function compareRows(wanted: readonly Row[], shown: Shown, panel: Panel): Finding {
  if (wanted.length === 0) {
    expectNothing(shown, panel);
    return { truth: "nothing", shown: "nothing", deviation: 0 };
  }
  expect(shown.kind).toBe("table");
  const { columns, rows } = shown as Extract<Shown, { kind: "table" }>;
  // The last column links to the trace.
  expect(columns.at(-1)).toBe("Trace");
  expect(rows.map((row) => cellsOf(row, columns.slice(0, -1)))).toEqual(wanted);
  return { truth: `${wanted.length} rows`, shown: `${rows.length} rows`, deviation: 0 };
}

/** The texts of a row, without empty cells. */
export function cellsOf(row: Extract<Shown, { kind: "table" }>["rows"][number], columns: readonly string[]): Row {
  return Object.fromEntries(
    columns.flatMap((column) => {
      const cell = row[column];
      const isEmpty = !cell || cell.value === undefined || cell.value === null || cell.value === "";
      return isEmpty ? [] : [[column, cell.text]];
    }),
  );
}
