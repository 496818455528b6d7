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
import type { DatasourceType } from "../settings/keys";
import type { LogSignal, MetricSignal, TraceSignal } from "../signals/signal";
import { faint } from "./colors";

/** A datasource by its uid, or by a variable that contains the uid. */
export interface DatasourceRef {
  type: DatasourceType;
  uid: string;
}

type AnySignal = MetricSignal | LogSignal | TraceSignal;

/** The text of a panel without data. The panel's description says how to find the cause. */
export const noData = "No data";

/** Title, texts, datasource and unit of a panel, of the first signal if there are several. */
export function withDefaults<B extends PanelBuilder>(
  panel: B,
  title: string,
  datasource: DatasourceRef,
  signal: AnySignal,
  ...others: AnySignal[]
): B {
  panel
    .title(title)
    .description(describe(signal, ...others))
    .datasource(datasource)
    .noValue(noData);
  if ("unit" in signal) panel.unit(signal.unit);
  if ("decimals" in signal && signal.decimals !== undefined) panel.decimals(signal.decimals);
  return panel;
}

/** The text behind a panel's "i", as Markdown: what it shows, what it reads, how the query calculates it, what to check if it is empty. */
function describe(first: AnySignal, ...others: AnySignal[]): string {
  const texts = [first, ...others].map(
    (signal) => `${signal.description}\n\nReads ${escapeEmphasis(sourceOf(signal).names)}. ${signal.calculation}`,
  );
  const { store, noun } = sourceOf(first);
  return [...texts, `If the panel is empty, check whether ${store} receives these ${noun}.`].join("\n\n");
}

function sourceOf(signal: AnySignal) {
  if ("series" in signal) return { store: "Prometheus", noun: "series", names: signal.series.join(" and ") };
  if ("streams" in signal) return { store: "Loki", noun: "streams", names: signal.streams };
  return { store: "Tempo", noun: "spans", names: signal.spans };
}

/** In Markdown, underscores at the ends of a word are emphasis. */
const escapeEmphasis = (text: string) => text.replace(/(?<![a-z0-9_])_+|_+(?![a-z0-9_])/gi, (run) => run.replaceAll("_", "\\_"));

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

export const tooltip = (mode: common.TooltipDisplayMode, sort: common.SortOrder) =>
  new common.VizTooltipOptionsBuilder().mode(mode).sort(sort);
