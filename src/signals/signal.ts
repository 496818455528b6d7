/** What is measured, apart from how it is shown. A query stands in one place: its signal. */

/** One thing that is measured: the only home of its query. */
export interface Signal {
  /** What the number is, as a sentence for a panel's description. */
  meaning: string;
  /** Names of the series that it reads, as the platform stores them. */
  series: readonly string[];
  /** PromQL with Grafana's variables. One number for the whole time range of the dashboard. */
  query: string;
  /** Grafana's id of the unit; undefined for plain counts. */
  unit?: string;
  /** The section of the spec that asks for it. */
  source: string;
}

/** Names of all series that signals read, each once. */
export function seriesOf(signals: Record<string, Signal>): string[] {
  return [...new Set(Object.values(signals).flatMap(({ series }) => series))];
}
