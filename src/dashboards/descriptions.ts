/** Descriptions of panels. */
import type { LogSignal, MetricSignal, TraceSignal } from "../signals/signal";

export type AnySignal = MetricSignal | LogSignal | TraceSignal;

/** The text behind a panel's "i", as Markdown: what it shows, what it reads, how the query calculates it, what to check if it is empty. */
export function describe(...signals: AnySignal[]): string {
  const texts = signals.map(
    (signal) => `${signal.description}\n\nReads ${escapeEmphasis(sourcesOf(signal).join(" and "))}. ${signal.calculation}`,
  );
  return [...texts, `If the panel is empty, check whether ${storeOf(signals[0])} receives these ${nounOf(signals[0])}.`].join("\n\n");
}

/** In Markdown, underscores at the ends of a word are emphasis. */
const escapeEmphasis = (text: string) => text.replace(/(?<![a-z0-9_])_+|_+(?![a-z0-9_])/gi, (run) => run.replaceAll("_", "\\_"));

function sourcesOf(signal: AnySignal): readonly string[] {
  if ("series" in signal) return signal.series;
  return ["streams" in signal ? signal.streams : signal.spans];
}

function storeOf(signal: AnySignal | undefined): string {
  if (!signal || "series" in signal) return "Prometheus";
  return "streams" in signal ? "Loki" : "Tempo";
}

function nounOf(signal: AnySignal | undefined): string {
  if (!signal || "series" in signal) return "series";
  return "streams" in signal ? "streams" : "spans";
}
