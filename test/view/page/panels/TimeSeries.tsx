/** Lines, bars and points over time. */
import {
  applyNullInsertThreshold,
  type DataFrame,
  dateTimeFormat,
  FieldType,
  formattedValueToString,
  getFieldDisplayName,
  getFieldSeriesColor,
} from "@grafana/data";
import type { VizLegendOptions } from "@grafana/schema";
import { TimeSeries, TooltipPlugin2 } from "@grafana/ui";
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
    >
      {(config, aligned) => (
        <TooltipPlugin2
          config={config}
          hoverMode={TooltipHoverMode.xAll}
          render={(_plot, rows) => <Tooltip aligned={aligned} rows={rows} />}
        />
      )}
    </TimeSeries>
  );
}

/** The value of a const enum of the package. */
const TooltipHoverMode = { xAll: 1 } as const;

/** The time and the values under the pointer, the largest value first. */
function Tooltip({ aligned, rows }: { aligned: DataFrame; rows: (number | null)[] }) {
  const { theme, timeZone } = useLook();
  const time = aligned.fields[0]?.values[rows[0] ?? -1];
  const values = aligned.fields
    .flatMap((field, index) => {
      const value = index > 0 ? field.values[rows[index] ?? -1] : undefined;
      return Number.isFinite(value) ? [{ value, field, name: getFieldDisplayName(field, aligned) }] : [];
    })
    .sort((left, right) => right.value - left.value);
  return (
    <div style={{ padding: 8, fontSize: theme.typography.bodySmall.fontSize }}>
      <div>{dateTimeFormat(time, { timeZone })}</div>
      {values.map(({ name, field, value }) => (
        <div key={name} style={{ display: "flex", gap: 8, alignItems: "center" }}>
          <span style={{ width: 14, height: 4, borderRadius: 2, background: getFieldSeriesColor(field, theme).color }} />
          <span style={{ flexGrow: 1 }}>{name}</span>
          <span>{field.display ? formattedValueToString(field.display(value)) : value}</span>
        </div>
      ))}
    </div>
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
