/** Defaults of all panels: texts, datasource, unit, thresholds, colors, legend, tooltip. */
import * as common from "@grafana/grafana-foundation-sdk/common";
import {
  FieldColorBuilder,
  FieldColorModeId,
  MappingType,
  SpecialValueMatch,
  type Threshold,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  type ValueMapping,
} from "@grafana/grafana-foundation-sdk/dashboard";
import { faint } from "./colors";
import { type AnySignal, describe } from "./descriptions";
import type { DatasourceRef } from "./queries";

/** The text of a panel without data. The panel's description says how to find the cause. */
export const noData = "No data";

/** Title, texts, datasource and unit of a panel. */
export function withDefaults<B extends PanelBuilder>(panel: B, title: string, datasource: DatasourceRef, ...signals: AnySignal[]): B {
  panel
    .title(title)
    .description(describe(...signals))
    .datasource(datasource)
    .noValue(noData);
  const [signal] = signals;
  if (signal && "unit" in signal) panel.unit(signal.unit);
  if (signal && "decimals" in signal && signal.decimals !== undefined) panel.decimals(signal.decimals);
  return panel;
}

/** The methods that all of the SDK's panel builders share. The SDK declares no such type. */
interface PanelBuilder {
  title(title: string): this;
  description(description: string): this;
  datasource(datasource: DatasourceRef): this;
  noValue(text: string): this;
  unit(unit: string): this;
  decimals(decimals: number): this;
}

/** Shows a missing value as a gray text. Otherwise, it has the color of the lowest threshold, which can be green. */
export const missingValue = (text: string): ValueMapping => ({
  type: MappingType.SpecialValue,
  options: { match: SpecialValueMatch.NullAndNan, result: { text, color: faint, index: 0 } },
});

/** Thresholds are always set: without them, Grafana colors values of 80 and more red. */
export const steps = (base: string, thresholds: readonly Threshold[] = []) =>
  new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps([{ value: null, color: base }, ...thresholds]);

/** The value of an instant query. */
export const lastValue = () => new common.ReduceDataOptionsBuilder().values(false).calcs(["lastNotNull"]);

export const palette = () => new FieldColorBuilder().mode(FieldColorModeId.PaletteClassic);

export const oneColor = (color: string) => new FieldColorBuilder().mode(FieldColorModeId.Fixed).fixedColor(color);

export const legend = (show: boolean) =>
  new common.VizLegendOptionsBuilder()
    .showLegend(show)
    .displayMode(common.LegendDisplayMode.List)
    .placement(common.LegendPlacement.Bottom)
    .calcs([]);

export const tooltip = (mode: common.TooltipDisplayMode, sort: common.SortOrder) =>
  new common.VizTooltipOptionsBuilder().mode(mode).sort(sort);
