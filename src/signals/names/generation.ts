/** A generation of names: what the SDKs of a time call their metrics and attributes. Each generation is one file of data. */
import type { Metric } from "./translate";

export interface Generation {
  /** The metrics, by what they measure. */
  metrics: Readonly<Record<string, Metric>>;
  /** The attributes of their points, by what they say. */
  attributes: Readonly<Record<string, string>>;
}
