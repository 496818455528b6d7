/** Rows and columns. Without rows: the panel's text, as in Grafana 13; 12.3 shows headers only. */
import { cacheFieldDisplayNames, type DataFrame, type Field, type LinkModel } from "@grafana/data";
import type { TableCellHeight } from "@grafana/schema";
import { TableNG } from "@grafana/ui/unstable";
import { useMemo } from "react";
import { fieldConfigOf } from "../../reading/fields";
import { optionsOf, timeRangeOf, useLook } from "../look";
import type { PanelProps } from "./props";

interface Options {
  frameIndex?: number;
  showHeader?: boolean;
  cellHeight?: TableCellHeight;
  /** Pixels. */
  maxRowHeight?: number;
  sortBy?: { displayName: string; desc?: boolean }[];
}

export function TablePanel({ panel, frames, width, height }: PanelProps) {
  const { range } = useLook();
  const { frameIndex = 0, showHeader = true, cellHeight, maxRowHeight, sortBy } = optionsOf<Options>(panel);
  const frame = frames[frameIndex] ?? frames[0];
  const table = useMemo(() => frame && migrated(frame), [frame]);
  if (!table || table.fields.length === 0) return null;
  return (
    <TableNG
      data={table}
      width={width}
      height={height}
      noHeader={!showHeader}
      {...(cellHeight && { cellHeight })}
      {...(maxRowHeight && { maxRowHeight })}
      {...(sortBy && { sortBy })}
      fieldConfig={fieldConfigOf(panel)}
      noValue={fieldConfigOf(panel).defaults.noValue}
      timeRange={timeRangeOf(range)}
      enableVirtualization
      resizable
    />
  );
}

/** Tempo's datasource links spans to their traces in Explore. */
function traceLink(origin: Field, traceId: string): LinkModel {
  const panes = { trace: { queries: [{ refId: "A", queryType: "traceql", query: traceId }] } };
  return {
    href: `/explore?schemaVersion=1&panes=${encodeURIComponent(JSON.stringify(panes))}`,
    title: "Open the trace",
    target: "_self",
    origin,
  };
}

/** Grafana 12 moves the option `cellOptions.wrapText` to `wrapText`. The table reads the names of columns from a cache. */
function migrated(frame: DataFrame): DataFrame {
  cacheFieldDisplayNames([frame]);
  const traces = frame.fields.find(({ name }) => name === "traceIdHidden")?.values ?? [];
  const fields = frame.fields.map((field) => {
    const { cellOptions, wrapText = cellOptions?.wrapText } = field.config.custom ?? {};
    const config = { ...field.config, custom: { ...field.config.custom, wrapText } };
    if (field.name !== "spanID") return { ...field, config };
    return {
      ...field,
      config: { ...config, links: [{ title: "", url: "#" }] },
      getLinks: ({ valueRowIndex = 0 }) => [traceLink(field, traces[valueRowIndex])],
    };
  });
  return { ...frame, fields };
}
