/** Signals: what is measured, apart from its presentation. Each query has one home, its signal. */
import type * as grafanaUnits from "@grafana/grafana-foundation-sdk/units";
import type { Naming } from "./names/translate";
import { quote, type Window } from "./promql";

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
  /** Labels as columns, for a table. Defaults to series. */
  isTable?: true;
}

/** Signals from Loki and from Tempo, with the log streams and the spans that the query reads, in words. */
export type LogSignal = Signal & { streams: string };
export type TraceSignal = Signal & { spans: string };

export type Unit = (typeof grafanaUnits)[keyof typeof grafanaUnits];

/** Whether panels show prompts and completions, which usually are personal data. */
export type Contents = "show" | "hide";

/** The telemetry of SDKs that a dashboard reads: that of the spec, or OpenTelemetry's semantic conventions. */
export type SdkTelemetry = "spec" | "otel";

/** How the dashboards read the telemetry of SDKs: see the settings of these names. */
export interface ReadOptions {
  genaiReads: "samples" | "rules";
  naming: Naming;
  contents: Contents;
}

/** The defaults of the settings. */
export const defaultReadOptions: ReadOptions = { genaiReads: "samples", naming: "prometheus", contents: "show" };

export const queryTypeOf = (window: Window): "instant" | "range" => (window === "$__range" ? "instant" : "range");

/** What a query returns, with its legend and the sentence of the panel's description. */
export const shown = <Q extends object>(query: Q, legend: string, description: string) => ({ ...query, legend, description });

/**
 * The same by a label. Series without it have the name "(none)" in another label: the label itself could have that value already, and PromQL refuses two series
 * with the same labels.
 */
export const shownBy = <Q extends { query: string }>(query: Q, label: string, description: string) =>
  shown(
    { ...query, query: `label_replace(${query.query}, "missing", "(none)", ${quote(label)}, "")` },
    `{{${label}}}{{missing}}`,
    description,
  );

/** The highest values. */
export const top = <Q extends { query: string }>(number: number, query: Q) => ({ ...query, query: `topk(${number}, ${query.query})` });

/** Names of all series that the signals read, each once. */
export const seriesReadBy = (signals: Record<string, Signal | MetricSignal>) => [
  ...new Set(Object.values(signals).flatMap((signal) => ("series" in signal ? signal.series : []))),
];

/** Of totals: Grafana reads intervals that end within the time range. */
export const intervalNote = (window: Window) =>
  window === "$__range"
    ? ""
    : " The newest interval is left out until it is complete, so that the intervals do not add up to the total of the time range.";

/** Units of signals, and their decimal places. */
export const units = {
  /** With the reader's separators: sums of differences have rounding errors. */
  whole: { unit: "locale", decimals: 0 },
  /** USD: cents for the total of all, else three digits: $4.44, and $0.00374 of one model. An embedding costs some millionths of a dollar. */
  totalCost: { unit: "currencyUSD", decimals: 2 },
  cost: { unit: "currencyUSD", decimals: undefined },
  seconds: { unit: "s", decimals: 2 },
  share: { unit: "percentunit", decimals: 1 },
  /** Tokens of months are billions: 12.3 Mil instead of 12,345,678, which is wider than a panel. */
  abbreviated: { unit: "short", decimals: undefined },
} as const;
