/** From OTLP's names to those in Prometheus by github.com/prometheus/otlptranslator 1.0.0, as far as the dashboards need it. */

/** What a metric is called in Prometheus depends on the receiver of OTLP. The first one is the default of Prometheus and of Grafana Cloud. */
export const namings = ["prometheus", "no-suffixes"] as const;

/**
 * `prometheus`: underscores, suffixes of unit and type (`UnderscoreEscapingWithSuffixes`). `no-suffixes`: underscores only, Mimir's default
 * (`UnderscoreEscapingWithoutSuffixes`).
 */
export type Naming = (typeof namings)[number];

/** The units of metrics, with their suffixes. The translator keeps a unit that it does not know, and drops what is in braces. */
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
  /** As Prometheus scrapes it. */
  isScraped?: true;
}

export const scraped = <N extends string, K extends Metric["kind"]>(name: N, kind: K) =>
  ({ name, kind, unit: "", isScraped: true }) as const;

/** What the SDKs of a time call their metrics, by what they measure, and the attributes of their points, by what they say. Each set is one file of data. */
export interface NameSet {
  metrics: Readonly<Record<string, Metric>>;
  attributes?: Readonly<Record<string, string>>;
}

/** The series of a histogram, by their suffix. */
export type HistogramPart = "bucket" | "sum" | "count";

/** The name of a series of a metric in Prometheus. A histogram has a series for each part; a counter has one, whatever the part. */
export function seriesName({ name, unit, kind, isScraped }: Metric, naming: Naming, part?: HistogramPart): string {
  const end = part && kind === "histogram" ? `_${part}` : "";
  if (isScraped) return name + end;
  if (naming === "no-suffixes") return name.replaceAll(".", "_") + end;
  const words = new Set([...name.split(/[._]/), ...(suffixes[unit] ? [suffixes[unit]] : [])]);
  // A counter ends with "total", wherever its name has it.
  if (kind === "counter") words.delete("total");
  return [...words, ...(kind === "counter" ? ["total"] : [])].join("_") + end;
}

/** The name of a label in Prometheus, from that of an attribute. */
export const labelName = (attribute: string) => attribute.replace(/[^a-z0-9]+/gi, "_");
