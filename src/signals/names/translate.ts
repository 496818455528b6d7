/**
 * From OTLP's names to those in Prometheus. Pure.
 *
 * The rules are those of Prometheus, Mimir and the OpenTelemetry collector: the Go module github.com/prometheus/otlptranslator 1.0.0.
 * test/recorded/otlp-names.json contains its results.
 */

/** What a metric is called in Prometheus depends on the receiver of OTLP. The first one is the default of Prometheus and of Grafana Cloud. */
export const namings = ["prometheus", "no-suffixes", "utf8"] as const;

/**
 * `prometheus`: underscores, suffixes of unit and type (`UnderscoreEscapingWithSuffixes`). `no-suffixes`: underscores only, Mimir's default
 * (`UnderscoreEscapingWithoutSuffixes`). `utf8`: unchanged, with dots (`NoTranslation`).
 */
export type Naming = (typeof namings)[number];

/** A metric as an SDK exports it. */
export interface Metric {
  name: string;
  /** A unit of UCUM: `s`, or `{token}`, which is no unit. */
  unit: string;
  /** `counter`: a monotonic sum. */
  kind: "counter" | "gauge" | "histogram";
}

/** The series of a histogram, by their suffix. */
export type HistogramPart = "bucket" | "sum" | "count";

/** Names of units in suffixes. A unit in braces has none. */
const unitNames: ReadonlyMap<string, string> = new Map([
  ["", ""],
  ["1", ""],
  ["%", "percent"],
  ["By", "bytes"],
  ["s", "seconds"],
  ["ms", "milliseconds"],
  // Unknown to the translator, which keeps them.
  ["USD", "USD"],
  ["token", "token"],
]);

/** Names of the units of a rate, after the slash. */
const perUnitNames: ReadonlyMap<string, string> = new Map([
  ["", ""],
  ["s", "per_second"],
]);

/**
 * The name of a metric in Prometheus, of a histogram without the suffix of its part.
 *
 * @throws Error if the name would be empty, or if a suffix of the unit is not known here
 */
export function metricName({ name, unit, kind }: Metric, naming: Naming): string {
  if (!/[a-z0-9:]/i.test(name)) throw new Error(`The metric ${JSON.stringify(name)} has no name in Prometheus.`);
  if (naming === "utf8") return name;
  if (naming === "no-suffixes")
    return name
      .split(/[^a-z0-9:_]+/i)
      .filter(Boolean)
      .join("_")
      .replace(/^(?=\d)/, "_");
  const words = name.split(/[^a-z0-9:]+/i).filter(Boolean);
  const named = [...words, ...unitWords(unit, name).filter((word) => !words.includes(word))];
  const moveToEnd = (word: string) => [...named.filter((other) => other !== word), word];
  const suffixed = kind === "counter" ? moveToEnd("total") : kind === "gauge" && unit === "1" ? moveToEnd("ratio") : named;
  return suffixed.join("_").replace(/^(?=\d)/, "_");
}

/** The suffixes of a unit: that of the unit itself, and that after its slash. */
function unitWords(unit: string, metric: string): string[] {
  const [main = "", ...per] = unit.split("/");
  const nameIn = (names: ReadonlyMap<string, string>, part: string) => {
    const known = /[{}]/.test(part) ? "" : names.get(part.trim());
    if (known !== undefined) return known ? [known] : [];
    throw new Error(
      `The unit ${JSON.stringify(unit)} of ${metric} is not known: add ${JSON.stringify(part)} to src/signals/names/translate.ts, with its result to ` +
        "test/recorded/otlp-names.json.",
    );
  };
  return [...nameIn(unitNames, main), ...(per.length > 0 ? nameIn(perUnitNames, per.join("/")) : [])];
}

/** The name of a series of a metric in Prometheus. A histogram has a series for each part. */
export function seriesName(metric: Metric, naming: Naming, part?: HistogramPart): string {
  if ((metric.kind === "histogram") !== (part !== undefined))
    throw new Error(`${metric.name} is a ${metric.kind}: only histograms have parts.`);
  return metricName(metric, naming) + (part ? `_${part}` : "");
}

/**
 * The name of a label in Prometheus, from that of an attribute.
 *
 * @throws Error if the name would have underscores only, or be reserved
 */
export function labelName(attribute: string, naming: Naming): string {
  if (/^_*$/.test(attribute) || attribute.startsWith("__"))
    throw new Error(`The attribute ${JSON.stringify(attribute)} is no label in Prometheus.`);
  if (naming === "utf8") return attribute;
  const label = attribute.replace(/[^a-z0-9]+/gi, "_").replace(/^(?=\d)/, "key_");
  if (label === "_") throw new Error(`The attribute ${JSON.stringify(attribute)} is no label in Prometheus.`);
  return label;
}
