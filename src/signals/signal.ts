/** Signals: what is measured, apart from its presentation. Each query has one home, its signal. */
import type * as units from "@grafana/grafana-foundation-sdk/units";

export interface Signal {
  /** What the panel shows: a sentence of its description. */
  description: string;
  /** How the query calculates it: a sentence of the panel's description. */
  calculation: string;
  /** PromQL, LogQL or TraceQL with Grafana's variables. */
  query: string;
}

/** A signal from Prometheus. */
export interface MetricSignal extends Signal {
  /** Names of the series that the query reads, as Prometheus stores them. */
  series: readonly string[];
  /** `instant`: one value for the dashboard's time range. `range`: a value for each interval of the time range. */
  queryType: "instant" | "range";
  /** The legend: a text, or a label as `{{label}}`. */
  legend: string;
  unit: Unit;
  /** Decimal places. By default, Grafana chooses them by the value. */
  decimals?: number;
}

/** A signal from Loki. */
export interface LogSignal extends Signal {
  /** The log streams that the query reads, in words. */
  streams: string;
}

/** A signal from Tempo. */
export interface TraceSignal extends Signal {
  /** The spans that the query reads, in words. */
  spans: string;
}

/** Grafana's id of a unit, such as `s`, `percentunit` or `reqps`. `locale` shows a number in full with the reader's separators. */
export type Unit = (typeof units)[keyof typeof units];

/** Whether panels show prompts and completions, which usually are personal data. */
export type Contents = "show" | "hide";

/** Names of all series that the signals read, each once. */
export function seriesOf(signals: Record<string, Signal | MetricSignal>): string[] {
  return [...new Set(Object.values(signals).flatMap((signal) => ("series" in signal ? signal.series : [])))];
}

/** Decimal places of costs in USD: cents for totals; a single request often costs less than a cent. */
export const totalCostDecimals = 2;
export const requestCostDecimals = 4;
