/** What is measured, apart from how it is shown. A query stands in one place: its signal. */

/** One thing that is measured: the only home of its query. */
export interface Signal {
  /** What is shown, as a sentence for a panel's description. */
  meaning: string;
  /** How it is computed, as a sentence for a panel's description. */
  computed: string;
  /** PromQL, LogQL or TraceQL with Grafana's variables. */
  query: string;
  /** The section of the spec that asks for it. */
  source: string;
}

/** A signal from series of metrics. */
export interface MetricSignal extends Signal {
  /** Names of the series that it reads, as the platform stores them. */
  series: readonly string[];
  /** What the query gives: one value for the dashboard's whole time range, or one for each interval of it. */
  per: "range" | "interval";
  /** What a value is called in legends: words, or a label as `{{label}}`. */
  legend: string;
  /** Grafana's id of the unit. */
  unit: Unit;
  /** Digits after the point; without it, Grafana chooses them by the number. */
  decimals?: number;
}

/** A signal from log lines. */
export interface LogSignal extends Signal {
  /** The streams that it reads, in people's words. */
  streams: string;
}

/** A signal from spans. */
export interface TraceSignal extends Signal {
  /** The spans that it reads, in people's words. */
  spans: string;
}

/**
 * Grafana's ids of units. `locale` writes a number in full with the reader's separators; the others scale with the number: 0.0004 USD and
 * 50 ms keep their digits.
 */
export type Unit = "locale" | "s" | "currencyUSD";

/** Names of all series that signals read, each once. */
export function seriesOf(signals: Record<string, Signal | MetricSignal>): string[] {
  return [...new Set(Object.values(signals).flatMap((signal) => ("series" in signal ? signal.series : [])))];
}
