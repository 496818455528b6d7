/** Lines, bars and points over time. */
import { applyNullInsertThreshold, type DataFrame, FieldType } from "@grafana/data";
import type { VizLegendOptions } from "@grafana/schema";
import { TimeSeries } from "@grafana/ui";
import { useMemo } from "react";
import { visible } from "../../reading/read";
import { optionsOf, timeRangeOf, useLook } from "../look";
import { Empty } from "./Empty";
import type { PanelProps } from "./props";

export function TimeSeriesPanel({ panel, frames, width, height }: PanelProps) {
  const { range, timeZone } = useLook();
  const timeRange = useMemo(() => timeRangeOf(range), [range]);
  const series = useMemo(() => graphable(frames, range), [frames, range]);
  if (series.length === 0) return <Empty panel={panel} width={width} height={height} />;
  return (
    <TimeSeries
      frames={series}
      timeRange={timeRange}
      timeZone={timeZone}
      width={width}
      height={height}
      legend={optionsOf<{ legend: VizLegendOptions }>(panel).legend}
      options={panel.options ?? {}}
    />
  );
}

/** The frames with a time and a number, with gaps for missing and non-finite values. */
function graphable(frames: DataFrame[], { from, to }: { from: number; to: number }): DataFrame[] {
  const drawn = frames.filter(
    ({ fields, length }) =>
      length > 0 &&
      fields.some(({ type }) => type === FieldType.time) &&
      fields.some((field) => field.type === FieldType.number && visible(field)),
  );
  return drawn.map((frame) => {
    const finite = {
      ...frame,
      fields: frame.fields.map((field) =>
        field.type === FieldType.number
          ? { ...field, values: field.values.map((value) => (Number.isFinite(value) ? value : null)) }
          : field,
      ),
    };
    // The component does this for the first frame only.
    return applyNullInsertThreshold({ frame: finite, refFieldPseudoMin: from, refFieldPseudoMax: to });
  });
}
