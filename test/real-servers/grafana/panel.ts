/** What of a dashboard's model decides what a panel shows. */
import type { DataTransformerConfig } from "@grafana/data";
import type * as models from "../../support/models";

/** One query of a panel. */
export type Target = models.Target & {
  hide?: boolean;
  /** The shortest step of this query alone. */
  interval?: string;
  maxLines?: number;
  direction?: string;
  spss?: number;
};

/** Any panel of `panelsOf` is one: what is added may be absent. */
export interface Panel extends Omit<models.Panel, "targets"> {
  targets?: Target[];
  /** The shortest step of all queries. */
  interval?: string;
  maxDataPoints?: number;
  transformations?: DataTransformerConfig[];
}

/** What a reader has set: the time range in milliseconds, and values of variables. No values of a variable: "All". */
export interface View {
  from: number;
  to: number;
  selected: Record<string, string[]>;
  /** Grafana's feature toggle `prometheusSpecialCharsInLabelValues`, off by default: values with double quotes break a query without it. */
  specialCharacters?: boolean;
}

/** Where the datasources answer: base URLs without a slash at the end. */
export interface Servers {
  prometheus: string;
  loki: string;
  tempo: string;
}
