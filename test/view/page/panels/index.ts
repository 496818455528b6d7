/** The drawing of each panel type. */
import type { ComponentType } from "react";
import { BarGaugePanel } from "./BarGauge";
import { HistogramPanel } from "./Histogram";
import { LogsPanel } from "./Logs";
import { PieChartPanel } from "./PieChart";
import type { PanelProps } from "./props";
import { StatPanel } from "./Stat";
import { TablePanel } from "./Table";
import { TimeSeriesPanel } from "./TimeSeries";

export const panelTypes: Readonly<Record<string, ComponentType<PanelProps> | undefined>> = {
  stat: StatPanel,
  bargauge: BarGaugePanel,
  piechart: PieChartPanel,
  timeseries: TimeSeriesPanel,
  histogram: HistogramPanel,
  table: TablePanel,
  logs: LogsPanel,
};
