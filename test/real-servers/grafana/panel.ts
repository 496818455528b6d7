/** The types that the reading of a panel depends on. */
import type { DataTransformerConfig } from "@grafana/data";
import type * as models from "../../support/models";

/** One query of a panel. */
export type Target = models.Target & {
  hide?: boolean;
  /** The minimum step of this query. */
  interval?: string;
  maxLines?: number;
  direction?: string;
  spss?: number;
};

/** All panels of `panelsOf` have this type: the additional fields are optional. */
export interface Panel extends Omit<models.Panel, "targets"> {
  targets?: Target[];
  /** The minimum step of all queries. */
  interval?: string;
  maxDataPoints?: number;
  transformations?: DataTransformerConfig[];
}

/** The time range in milliseconds, and the selected values of variables. An empty list is "All". */
export interface View {
  from: number;
  to: number;
  selected: Record<string, string[]>;
  /** Grafana's feature toggle `prometheusSpecialCharsInLabelValues`. Defaults to false: then, values with double quotes break a query. */
  specialCharacters?: boolean;
}

/** Base URLs of the servers, without a slash at the end. */
export interface Servers {
  prometheus: string;
  loki: string;
  tempo: string;
}
