/** How each panel type reads its frames: the values, their order, and the text without data. */
import type { DataFrame, DisplayValue, Field, FieldConfigSource, FieldDisplay, ReduceDataOptions } from "@grafana/data";
import type { Look } from "./fields";
import { grafana } from "./library";
import { replacing } from "./links";
import type { Panel } from "./panel";

/** One number on screen, with its text and color. */
export interface ShownValue {
  name: string;
  value: number;
  /** As shown, with the unit. */
  text: string;
  color: string;
}

export interface ShownSeries {
  name: string;
  unit: string | undefined;
  /** Milliseconds and values, without the gaps of the graph. */
  points: [time: number, value: number][];
  text(value: number): string;
}

export interface ShownLine {
  /** Nanoseconds. */
  time: bigint;
  line: string;
  labels: Record<string, string>;
}

export interface ShownCell {
  value: unknown;
  text: string;
  color?: string | undefined;
  /** The addresses of its links. */
  links: string[];
}

export interface ShownBucket {
  from: number;
  to: number;
  count: number;
}

export type Shown =
  /** Stat, pie chart and bar gauge, in the order shown. */
  | { kind: "values"; values: ShownValue[] }
  | { kind: "series"; step: number; series: ShownSeries[] }
  /** In the order shown. */
  | { kind: "logs"; rows: ShownLine[] }
  /** Columns by their titles, without hidden ones. */
  | { kind: "table"; columns: string[]; rows: Record<string, ShownCell>[] }
  | { kind: "histogram"; unit: string | undefined; buckets: ShownBucket[] }
  /** The text of a panel without data. */
  | { kind: "nothing"; text: string };

export interface Context {
  panel: Panel;
  fieldConfig: FieldConfigSource;
  /** Milliseconds between the points of a graph. */
  step: number;
  look: Look;
}

type Reader = (frames: DataFrame[], context: Context) => Shown;

export const readers: Record<string, Reader | undefined> = {
  stat: values,
  bargauge: values,
  piechart: slices,
  timeseries: series,
  logs: lines,
  table: rows,
  histogram: buckets,
};

const nothing = ({ panel: { type }, fieldConfig }: Context): Shown => ({ kind: "nothing", text: emptyText(type, fieldConfig) });

/**
 * The text of a panel without data in Grafana 12.3. Logs have no field options, so their text is fixed. A table shows the headers of its columns, a
 * histogram nothing.
 */
export function emptyText(type: string, { defaults }: { defaults: { noValue?: string } }): string {
  if (type === "table" || type === "histogram") return "";
  return (type === "logs" ? undefined : defaults.noValue) ?? "No data";
}

export const text = (display: DisplayValue | undefined) => (display ? grafana.formattedValueToString(display) : "");

export const nameOf = (field: Field, frame: DataFrame, frames: DataFrame[]) => grafana.getFieldDisplayName(field, frame, frames);

/** Whether a panel shows the field. `custom.hidden`, the option until Grafana 11, has no effect. */
export const visible = ({ config: { custom } }: Field) => !custom?.hideFrom?.viz;

/** The numbers of the frames, by the panel's calculation. */
export function calculated(frames: DataFrame[], { panel, fieldConfig, look }: Omit<Context, "step">): FieldDisplay[] {
  const { reduceOptions, graphMode = "none" } = (panel.options ?? {}) as { reduceOptions: ReduceDataOptions; graphMode?: string };
  return grafana.getFieldDisplayValues({
    data: frames,
    fieldConfig,
    reduceOptions,
    sparkline: graphMode !== "none",
    ...look,
    replaceVariables: replacing(look),
  });
}

const value = ({ display }: FieldDisplay): ShownValue => ({
  name: display.title ?? "",
  value: display.numeric,
  text: text(display),
  color: display.color ?? "",
});

/** Without a number, these panels show one value with the text of missing values. */
function values(frames: DataFrame[], context: Context): Shown {
  const found = calculated(frames, context);
  if (found.every(({ view, display }) => !view || Number.isNaN(display.numeric))) return { kind: "nothing", text: text(found[0]?.display) };
  return { kind: "values", values: found.map(value) };
}

/** Slices are sorted, descending by default, and NaN has none (PieChartPanel.tsx, PieChart.tsx). */
export function sorted(frames: DataFrame[], context: Omit<Context, "step">): FieldDisplay[] {
  const found = calculated(frames, context).filter(
    ({ display, field, view }) => view?.dataFrame.length && !Number.isNaN(display.numeric) && !field.custom?.hideFrom?.viz,
  );
  const { sort = "desc" } = (context.panel.options ?? {}) as { sort?: "desc" | "asc" | "none" };
  const sign = { desc: -1, asc: 1, none: 0 }[sort];
  return found.sort((left, right) => sign * (left.display.numeric - right.display.numeric));
}

function slices(frames: DataFrame[], context: Context): Shown {
  const found = sorted(frames, context);
  // With NaN only, the pie is empty, without a text.
  return calculated(frames, context).some(({ view }) => view?.dataFrame.length)
    ? { kind: "values", values: found.map(value) }
    : nothing(context);
}

/** Each number field of a frame with a time is a series with gaps for non-finite values (prepareGraphableFields in timeseries/utils.ts). */
function series(frames: DataFrame[], context: Context): Shown {
  const found = frames.flatMap((frame) => {
    const time = frame.fields.find(({ type }) => type === grafana.FieldType.time);
    if (!time) return [];
    return frame.fields
      .filter((field) => field.type === grafana.FieldType.number && visible(field))
      .map((field) => ({
        name: nameOf(field, frame, frames),
        unit: field.config.unit,
        points: field.values
          .map((value, index): [number, number] => [time.values[index], value])
          .filter(([, value]) => Number.isFinite(value)),
        text: (value: number) => text(field.display?.(value)),
      }));
  });
  return found.length > 0 ? { kind: "series", step: context.step, series: found } : nothing(context);
}

/** Lines by their nanoseconds (sortLogsResult in public/app/features/logs/utils.ts). Equal times keep the order of the response. */
export function sortedLines(frames: DataFrame[], { options }: Panel): ShownLine[] {
  const found = frames.flatMap(({ fields, length }) => {
    const of = (name: string) => fields.find((field) => field.name === name)?.values ?? [];
    const [labels, line, time] = [of("labels"), of("Line"), of("tsNs")];
    return Array.from({ length }, (_, index) => ({ time: BigInt(time[index]), line: line[index], labels: labels[index] }));
  });
  const { sortOrder = "Descending" } = (options ?? {}) as { sortOrder?: string };
  const sign = sortOrder === "Ascending" ? 1 : -1;
  return found.sort((left, right) => (left.time === right.time ? 0 : left.time < right.time ? -sign : sign));
}

function lines(frames: DataFrame[], context: Context): Shown {
  const found = sortedLines(frames, context.panel);
  return found.length > 0 ? { kind: "logs", rows: found } : nothing(context);
}

/** One of the frames as a table (TablePanel.tsx). */
function rows(frames: DataFrame[], context: Context): Shown {
  const { frameIndex = 0 } = (context.panel.options ?? {}) as { frameIndex?: number };
  const frame = frames[frameIndex] ?? frames[0];
  if (!frame || frame.length === 0) return nothing(context);
  const fields = frame.fields.filter(visible);
  const columns = fields.map((field) => nameOf(field, frame, frames));
  const duplicate = columns.find((title, index) => columns.indexOf(title) !== index);
  if (duplicate !== undefined) throw new Error(`Two columns have the title "${duplicate}"`);
  const cell = (field: Field, row: number): ShownCell => {
    const display = field.display?.(field.values[row]);
    const links = field.getLinks?.({ valueRowIndex: row }) ?? [];
    return { value: field.values[row], text: text(display), color: display?.color, links: links.map(({ href }) => href) };
  };
  return {
    kind: "table",
    columns,
    rows: Array.from({ length: frame.length }, (_, row) =>
      Object.fromEntries(fields.map((field, index) => [columns[index] as string, cell(field, row)])),
    ),
  };
}

/** Grafana's own buckets (HistogramPanel.tsx). */
export function histogramOf(frames: DataFrame[], { options }: Panel) {
  const ready = frames.length === 1 && frames[0] ? grafana.getHistogramFields(frames[0]) : undefined;
  return ready ?? grafana.buildHistogram(frames, options);
}

function buckets(frames: DataFrame[], context: Context): Shown {
  const histogram = histogramOf(frames, context.panel);
  const [counts, ...others] = histogram?.counts ?? [];
  if (!histogram || !counts || histogram.xMin.values.length === 0) return nothing(context);
  if (others.length > 0) throw new Error("Several histograms in one panel");
  const { xMin, xMax } = histogram;
  return {
    kind: "histogram",
    unit: xMin.config.unit,
    buckets: counts.values.map((count, index) => ({ from: xMin.values[index], to: xMax.values[index], count })),
  };
}
