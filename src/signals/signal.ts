/** Signals: what is measured, apart from its presentation. Each query has one home, its signal. */
import type * as units from "@grafana/grafana-foundation-sdk/units";
import type { Naming } from "./names/translate";
import type { Window } from "./promql";

export interface Signal {
  /** Sentences of the panel's description: what it shows, and how the query calculates it. */
  description: string;
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
  /** Grafana's id of a unit, and decimal places. By default, Grafana chooses them by the value. */
  unit: Unit;
  decimals?: number | undefined;
}

/** Signals from Loki and from Tempo, with the log streams and the spans that the query reads, in words. */
export type LogSignal = Signal & { streams: string };
export type TraceSignal = Signal & { spans: string };

/** One of Grafana's, or a text before or after the number. */
export type Unit = (typeof units)[keyof typeof units] | `${"prefix" | "suffix"}:${string}`;

/** Whether panels show prompts and completions, which usually are personal data. */
export type Contents = "show" | "hide";

/** The telemetry of SDKs that a dashboard reads: that of the spec, or OpenTelemetry's semantic conventions. */
export type SdkTelemetry = "spec" | "otel";

/** `direct`: each query calculates the increases of counters from the samples. `recorded`: a recording rule does, once a minute. */
export type CounterMode = "direct" | "recorded";

/** How a dashboard reads the telemetry of SDKs: see the settings of these names. */
export interface Reading {
  mode: CounterMode;
  naming: Naming;
  contents: Contents;
  /** The attribute with the environment. In recorded series, it is a label of its own. */
  environmentAttribute: string;
}

/** The defaults of the settings. */
export const defaultReading: Reading = {
  mode: "direct",
  naming: "prometheus",
  contents: "show",
  environmentAttribute: "deployment.environment",
};

export const queryTypeOf = (window: Window): "instant" | "range" => (window === "$__range" ? "instant" : "range");

/** What a query returns, with its legend and the sentence of the panel's description. */
export const shown = <Q extends object>(query: Q, legend: string, description: string) => ({ ...query, legend, description });

/** Names of all series that the signals read, each once. */
export const seriesReadBy = (signals: Record<string, Signal | MetricSignal>) => [
  ...new Set(Object.values(signals).flatMap((signal) => ("series" in signal ? signal.series : []))),
];

/** Of totals in each interval. Grafana reads intervals that end within the time range. */
export const wholeIntervals =
  "The newest interval is left out until it is complete, so that the intervals do not add up to the total of the time range.";

/** A whole number with the reader's separators: sums of differences have rounding errors. */
export const whole = { unit: "locale", decimals: 0 } as const;
/** Costs in USD: cents for totals, three digits for a request or a model: an embedding costs some millionths of a dollar. */
export const totalCost = { unit: "currencyUSD", decimals: 2 } as const;
export const requestCost = { unit: "currencyUSD", decimals: undefined } as const;
export const seconds = { unit: "s", decimals: 2 } as const;
