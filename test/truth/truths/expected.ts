/** What a panel is expected to show. */
import type { Ledger, Named, Selection, Window } from "../ledger";
import type { Line } from "../telemetry/service";
import { type Text, whole } from "./texts";

/** A row of a table: its cells by the columns' titles. Those of empty cells are undefined. */
export type Row = Record<string, unknown>;

export type Expected =
  /** `top` is the maximum number of values, in descending order. */
  | { kind: "values"; values: Named; text(value: number, name: string): string; top?: number }
  /** The values of a graph's step by the names of the series. `top` is the maximum number of values of a step: any of them. */
  | { kind: "series"; at(step: Window): Named; text(name: string): Text; top?: number }
  /** Rows by name, those with the highest first column first. Empty columns may be missing. */
  | { kind: "numbers"; columns: Record<string, { values: Named; text: Text }>; top: number }
  | { kind: "logs"; lines: Line[] }
  | { kind: "rows"; rows: Row[] }
  /** In seconds. */
  | { kind: "durations"; durations: number[] };

/** What a panel shows depends on. */
export type View = [ledger: Ledger, window: Window, selected: Selection];

export type PanelTruth = (...view: View) => Expected;

/** The maximum number of spans in a table, and that of models in a list. */
export const maxSpans = 20;
export const topModels = 5;

/** A number, or none if it is not finite. */
export const one = (name: string, value: number): Named => new Map(Number.isFinite(value) ? [[name, { value, slack: 0 }]] : []);

export const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** What is known of a number: a sum that contains NaN is not. */
export const known = (value: number | undefined) => (Number.isFinite(value) ? value : undefined);

/** Values of the time range. */
export const values =
  (of: (...view: View) => Named, text: (value: number, name: string) => string = whole, top?: number): PanelTruth =>
  (...view) => ({ kind: "values", values: of(...view), text, ...(top === undefined ? {} : { top }) });

/** A graph, from the values of each step. */
export const graph =
  (at: (...view: View) => Named, text = whole, others: Readonly<Record<string, Text>> = {}): PanelTruth =>
  (ledger, _window, selected) => ({ kind: "series", at: (step) => at(ledger, step, selected), text: (name) => others[name] ?? text });
