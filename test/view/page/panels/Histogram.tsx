/** The distribution of numbers. Without data it is blank, as in Grafana 12.3. */
import { type Field, formattedValueToString, getDisplayProcessor, getFieldColorModeForField, getFieldSeriesColor } from "@grafana/data";
import { AxisPlacement, GraphDrawStyle, ScaleDirection, ScaleOrientation } from "@grafana/schema";
import { UPlotChart, UPlotConfigBuilder } from "@grafana/ui";
import { useMemo } from "react";
import { histogramOf } from "../../reading/read";
import { type SharedLook, useLook } from "../look";
import type { PanelProps } from "./props";

/** Minimum of pixels between two lines of the grid, and between two of their labels. */
const lineSpace = 40;
const labelSpace = 80;

type Histogram = NonNullable<ReturnType<typeof histogramOf>>;

export function HistogramPanel({ panel, frames, width, height }: PanelProps) {
  const look = useLook();
  const histogram = useMemo(() => histogramOf(frames, panel), [frames, panel]);
  const config = useMemo(() => histogram && configOf(histogram, look), [histogram, look]);
  if (!histogram || !config || histogram.xMin.values.length === 0) return null;
  const { xMin, xMax, counts } = histogram;
  // The last bound, without a bar, ends the axis.
  const data = [[...xMin.values, xMax.values.at(-1)], ...counts.map(({ values }) => [...values, null])];
  return <UPlotChart data={data as never} width={width} height={height} config={config} />;
}

function configOf({ xMin, xMax, counts }: Histogram, { theme, timeZone }: SharedLook): UPlotConfigBuilder {
  const builder = new UPlotConfigBuilder(timeZone);
  const [first, end] = [xMin.values[0] as number, xMax.values.at(-1) as number];
  const size = (xMax.values[0] as number) - first;
  const display = xMin.display ?? getDisplayProcessor({ field: xMin, theme });
  builder.addScale({
    scaleKey: "x",
    isTime: false,
    orientation: ScaleOrientation.Horizontal,
    direction: ScaleDirection.Right,
    range: () => [first, end],
  });
  builder.addScale({ scaleKey: "y", isTime: false, orientation: ScaleOrientation.Vertical, direction: ScaleDirection.Up, min: 0 });
  builder.addAxis({
    scaleKey: "x",
    isTime: false,
    placement: AxisPlacement.Bottom,
    theme,
    space: () => lineSpace,
    // Ticks at bounds of buckets only.
    incrs: Array.from({ length: 50 }, (_, index) => (index + 1) * size),
    splits: (_plot, _axis, from, to, increment) =>
      Array.from({ length: Math.floor((to - from) / increment + 1e-6) + 1 }, (_, index) => from + index * increment),
    values: (plot, splits, _axis, _space, increment) => {
      const each = Math.ceil(labelSpace / (plot.valToPos(first + increment, "x") - plot.valToPos(first, "x")));
      return splits.map((split, index) => (index % each === 0 ? formattedValueToString(display(Number(split.toPrecision(12)))) : null));
    },
  });
  builder.addAxis({ scaleKey: "y", isTime: false, placement: AxisPlacement.Left, theme, formatValue: (value) => `${value}` });
  for (const field of counts) builder.addSeries(barsOf(field, theme));
  return builder;
}

function barsOf(field: Field, theme: SharedLook["theme"]) {
  const { lineWidth = 1, fillOpacity = 80, gradientMode } = field.config.custom ?? {};
  return {
    scaleKey: "y",
    drawStyle: GraphDrawStyle.Bars,
    barAlignment: 1,
    barWidthFactor: 1,
    barMaxWidth: Number.POSITIVE_INFINITY,
    lineWidth,
    lineColor: getFieldSeriesColor(field, theme).color,
    fillOpacity,
    gradientMode,
    theme,
    colorMode: getFieldColorModeForField(field),
    show: true,
  } as const;
}
