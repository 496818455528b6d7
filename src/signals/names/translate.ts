/**
 * Translates names of OTLP to names in Prometheus, as github.com/prometheus/otlptranslator 1.0.0 does, for the metrics of the dashboards.
 */

/** The receiver of OTLP decides on the name of a metric. The first naming is the default of Prometheus and of Grafana Cloud. */
export const namings = ["prometheus", "no-suffixes"] as const;

/**
 * `prometheus`: underscores, suffixes of unit and type (`UnderscoreEscapingWithSuffixes`). `no-suffixes`: underscores only, Mimir's default
 * (`UnderscoreEscapingWithoutSuffixes`).
 */
export type Naming = (typeof namings)[number];

/** The suffixes of units. The translator keeps a unit that it does not know, and drops a unit in braces. */
const suffixes = {
  s: "seconds",
  milliseconds: "milliseconds",
  USD: "USD",
  tokens: "tokens",
  "1": "",
  "": "",
  "{token}": "",
  "{USD}": "",
} as const;

/** A metric as an SDK exports it. A counter is a monotonic sum. */
export interface Metric {
  name: string;
  unit: keyof typeof suffixes;
  kind: "counter" | "histogram";
  /** Prometheus scrapes it: the name stays as it is. */
  isScraped?: true;
}

export const scraped = (name: string, kind: Metric["kind"]): Metric => ({ name, kind, unit: "", isScraped: true });

/** The names of one generation of SDKs: metrics by what they measure, and attributes by what they mean. Each set is one file of data. */
export type NameSet = { metrics: Readonly<Record<string, Metric>>; attributes?: Readonly<Record<string, string>> };

/** The series of a histogram, by their suffix. */
export type HistogramPart = "bucket" | "sum" | "count";

/** The name of a series of a metric in Prometheus. A histogram has a series for each part, a counter has one series. */
export function seriesName({ name, unit, kind, isScraped }: Metric, naming: Naming, part?: HistogramPart): string {
  const end = part && kind === "histogram" ? `_${part}` : "";
  if (isScraped) return name + end;
  if (naming === "no-suffixes") return name.replaceAll(".", "_") + end;
  const words = new Set([...name.split(/[._]/), ...(suffixes[unit] ? [suffixes[unit]] : [])]);
  // A counter ends with "total", wherever its name has it.
  if (kind === "counter") words.delete("total");
  return [...words, ...(kind === "counter" ? ["total"] : [])].join("_") + end;
}

/** The name of an attribute's label in Prometheus. */
export const labelName = (attribute: string) => attribute.replace(/[^a-z0-9]+/gi, "_");
