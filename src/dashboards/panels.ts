/** Factories of panels: one for each way to show a signal. */
import { BigValueGraphMode, ReduceDataOptionsBuilder } from "@grafana/grafana-foundation-sdk/common";
import { ThresholdsConfigBuilder, ThresholdsMode } from "@grafana/grafana-foundation-sdk/dashboard";
import { DataqueryBuilder } from "@grafana/grafana-foundation-sdk/prometheus";
import { PanelBuilder as StatBuilder } from "@grafana/grafana-foundation-sdk/stat";
import type { Signal } from "../signals/signal";

/** Where a panel reads from: a datasource's uid, or a variable that holds one. */
export interface DatasourceRef {
  type: "prometheus" | "loki" | "tempo";
  uid: string;
}

/** Place and size on the grid of 24 columns. */
export type GridPos = [x: number, y: number, w: number, h: number];

export interface StatOptions {
  title: string;
  at: GridPos;
  datasource: DatasourceRef;
  /** Value from which the number turns red. */
  red?: number;
  /** Digits behind the point; without it, as many as read well. */
  decimals?: number;
}

/** One number for the whole time range. */
export function stat(signal: Signal, { title, at, datasource, red, decimals }: StatOptions): StatBuilder {
  const [x, y, w, h] = at;
  const panel = new StatBuilder()
    .title(title)
    .description(describe(signal))
    .datasource(datasource)
    .gridPos({ x, y, w, h })
    .noValue(noValue(signal))
    .graphMode(BigValueGraphMode.None)
    .reduceOptions(new ReduceDataOptionsBuilder().values(false).calcs(["lastNotNull"]))
    .thresholds(
      new ThresholdsConfigBuilder()
        .mode(ThresholdsMode.Absolute)
        .steps([{ value: null, color: "green" }, ...(red === undefined ? [] : [{ value: red, color: "red" }])]),
    )
    .withTarget(new DataqueryBuilder().datasource(datasource).expr(signal.query).instant());
  if (signal.unit) panel.unit(signal.unit);
  if (decimals !== undefined) panel.decimals(decimals);
  return panel;
}

/** What a person reads behind a panel's "i". */
function describe({ meaning, series }: Signal): string {
  return `${meaning}\n\nReads ${series.join(" and ")}.`;
}

/** What stands in an empty panel. */
function noValue({ series }: Signal): string {
  return `No data: check that ${series.join(" and ")} arrives`;
}
