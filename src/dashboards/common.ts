/** What panels of all types share: their words, and steps of color. */
import { ThresholdsConfigBuilder, ThresholdsMode } from "@grafana/grafana-foundation-sdk/dashboard";
import type { LogSignal, MetricSignal, TraceSignal } from "../signals/signal";

export type AnySignal = MetricSignal | LogSignal | TraceSignal;

/** Values from `from` on have the color. */
export interface Threshold {
  from: number;
  color: string;
}

/** The color of what no threshold judges. */
export const baseColor = "text";

/** Steps of color. They are always given: where a panel has none, Grafana turns everything from 80 on red. */
export function steps(base: string, thresholds: readonly Threshold[] = []): ThresholdsConfigBuilder {
  return new ThresholdsConfigBuilder()
    .mode(ThresholdsMode.Absolute)
    .steps([{ value: null, color: base }, ...thresholds.map(({ from, color }) => ({ value: from, color }))]);
}

/** What a person reads behind a panel's "i": what is shown, from what, how. */
export function describe(...signals: AnySignal[]): string {
  return signals.map((signal) => `${signal.meaning}\n\nReads ${literal(read(signal))}. ${signal.computed}`).join("\n\n");
}

/** Underscores at the ends of a word would be Markdown's emphasis. */
const literal = (text: string) => text.replace(/(?<![a-z0-9_])_+|_+(?![a-z0-9_])/gi, (run) => run.replaceAll("_", "\\_"));

/** What stands in an empty panel. */
export function noValue(...signals: AnySignal[]): string {
  return `No data: check that ${[...new Set(signals.map(arriving))].join(", and that ")}`;
}

function read(signal: AnySignal): string {
  if ("series" in signal) return signal.series.join(" and ");
  return "streams" in signal ? signal.streams : signal.spans;
}

function arriving(signal: AnySignal): string {
  if ("series" in signal) return `${signal.series.join(" and ")} ${signal.series.length > 1 ? "arrive" : "arrives"}`;
  return "streams" in signal ? `lines arrive in ${signal.streams}` : `there are ${signal.spans}`;
}
