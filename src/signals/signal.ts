/** Signals: what is measured, without its presentation. Each query is part of one signal. */
import type * as grafanaUnits from "@grafana/grafana-foundation-sdk/units";
import type { Naming } from "./names/translate";
import { quote, type Window } from "./promql";

export interface Signal {
  /** Sentences of the panel's description: what the panel shows, and how the query calculates it. */
  description: string;
  calculation: string;
  /** PromQL, LogQL or TraceQL with Grafana's variables. */
  query: string;
}

/** A signal from Prometheus. */
export interface MetricSignal extends Signal {
  /** The names of the series that the query reads. */
  series: readonly string[];
  /** `instant`: one value for the dashboard's time range. `range`: a value for each interval of the time range. */
  queryType: "instant" | "range";
  /** The legend: a text, or a label as `{{label}}`. */
  legend: string;
  /** Grafana's id of a unit, and decimal places. By default, Grafana chooses the decimal places. */
  unit: (typeof grafanaUnits)[keyof typeof grafanaUnits];
  decimals?: number | undefined;
  /** The result is a table with labels as columns. Defaults to series. */
  isTable?: true;
}

/** Signals from Loki and from Tempo. They describe the log streams or spans that the query reads. */
export type LogSignal = Signal & { streams: string };
export type TraceSignal = Signal & { spans: string };

/** Whether panels show prompts and completions, which usually are personal data. */
export type Contents = "show" | "hide";

/** The telemetry of SDKs that a dashboard reads: the names of 2024 (`spec`), or OpenTelemetry's semantic conventions (`otel`). */
export type SdkTelemetry = "spec" | "otel";

/** How the dashboards read the telemetry of SDKs. The settings of these names describe the values. */
export type ReadOptions = { genaiReads: "samples" | "rules"; naming: Naming; contents: Contents };

export const queryTypeOf = (window: Window): "instant" | "range" => (window === "$__range" ? "instant" : "range");

/** A query with its legend and a sentence of the panel's description. */
export const shown = <Q extends object>(query: Q, legend: string, description: string) => ({ ...query, legend, description });

/**
 * The same by a label. A series without the label gets the name "(none)" in another label. PromQL refuses two series with the same labels,
 * and the label itself can have the value "(none)".
 */
export const shownBy = <Q extends { query: string }>(query: Q, label: string, description: string) =>
  shown(
    { ...query, query: `label_replace(${query.query}, "missing", "(none)", ${quote(label)}, "")` },
    `{{${label}}}{{missing}}`,
    description,
  );

/** The highest values. */
export const top = <Q extends { query: string }>(number: number, query: Q) => ({ ...query, query: `topk(${number}, ${query.query})` });

/** The names of all series that the signals read. */
export const seriesReadBy = (signals: Record<string, Signal | MetricSignal>) => [
  ...new Set(Object.values(signals).flatMap((signal) => ("series" in signal ? signal.series : []))),
];

/** Grafana reads only intervals that end within the time range. */
export const newestNote = (window: Window) => (window === "$__range" ? "" : " The newest interval is left out until it is complete");

/** The same for totals. */
export const intervalNote = (window: Window) =>
  newestNote(window) && `${newestNote(window)}, so that the intervals do not add up to the total of the time range.`;

/** Units of signals, and their decimal places. */
export const units = {
  /** No decimals: sums of differences have rounding errors. */
  whole: { unit: "locale", decimals: 0 },
  /** USD. Totals have cents, such as $4.44. Other costs have three digits: a request can cost some millionths of a dollar. */
  totalCost: { unit: "currencyUSD", decimals: 2 },
  cost: { unit: "currencyUSD", decimals: undefined },
  seconds: { unit: "s", decimals: 2 },
  share: { unit: "percentunit", decimals: 1 },
  /** Such as 12.3 Mil. The tokens of a month are wider than a panel. */
  abbreviated: { unit: "short", decimals: undefined },
} as const;
