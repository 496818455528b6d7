/**
 * Bounds of histograms. SDKs that know nothing of the conventions' bounds have OpenTelemetry's default ones, made for milliseconds: 0, 5, 10, 25 …
 * (OpenLLMetry, LiteLLM). A sum of buckets with different bounds is wrong: so rules take them to the next higher ones of the conventions.
 */

/** The label with the bound that a percentile reads. The original bound stays in `le`, so that no two buckets of a series become one. */
export const boundLabel = "bound";

/** The bounds of one measurement. */
export interface Bounds {
  /** Other bounds, with the next higher one of the conventions. */
  moved: Readonly<Record<string, string>>;
  /** Another bound that also stands for a second one of the conventions, below the next other bound. */
  copied?: readonly (readonly [from: string, to: string])[];
  /** Bounds that are not read: their next higher one is that of another, or they are above those that all SDKs have. */
  dropped: readonly string[];
}

const above75 = ["100", "250", "500", "750", "1000", "2500", "5000", "7500", "10000"];

/** Of requests to models: 0.01, 0.02, 0.04 … 81.92 seconds. */
export const requestBounds: Bounds = {
  moved: { 5: "5.12", 10: "10.24", 25: "40.96", 75: "81.92" },
  copied: [["10", "20.48"]],
  dropped: ["50", ...above75],
};

/** Of the first token: 0.01, 0.02, 0.04 … 10.24 seconds. `gen_ai.server.time_to_first_token` has 0.001, 0.005, 0.01 … 10. */
export const firstTokenBounds: Bounds = {
  moved: { "0.1": "0.16", "0.25": "0.32", "0.5": "0.64", 1: "1.28", "2.5": "2.56", 5: "5.12", 10: "10.24" },
  dropped: ["0.001", "0.005", "0.06", "0.75", "7.5", "20.48", "25", "40.96", "50", "75", "81.92", ...above75],
};

/** Of requests to databases: 0.001, 0.005, 0.01 … 10 seconds. */
export const databaseBounds: Bounds = { moved: {}, dropped: ["25", "50", "75", ...above75] };

/** A regular expression of bounds. Prometheus 3 writes 5 as 5.0. */
const pattern = (...bounds: readonly string[]) => `(${bounds.join("|").replaceAll(".", "[.]")})([.]0)?`;

/** Filters: buckets of the other bounds, and of one bound. */
export const withoutDropped = ({ dropped }: Bounds) => `le!~"${pattern(...dropped)}"`;
export const onlyBound = (bound: string) => `le=~"${pattern(bound)}"`;

/** Steps that set `boundLabel`. */
export const boundSteps = ({ moved }: Bounds): string[] => [
  `"${boundLabel}", "$1", "le", "(.+?)([.]0)?"`,
  ...Object.entries(moved)
    .sort(([left], [right]) => Number(left) - Number(right))
    .map(([from, to]) => `"${boundLabel}", "${to}", "le", "${pattern(from)}"`),
];

/** Makes `boundLabel` that of a histogram again. */
export const asHistogram = (query: string) => `sum without (${boundLabel}) (label_replace(${query}, "le", "$1", "${boundLabel}", "(.+)"))`;
