/** A pie chart or a donut with a legend. */
import { type DisplayValue, type FieldDisplay, formattedValueToString, type GrafanaTheme2 } from "@grafana/data";
import type { LegendDisplayMode, LegendPlacement } from "@grafana/schema";
import { VizLayout, VizLegend, type VizLegendItem } from "@grafana/ui";
import { useId } from "react";
import tinycolor from "tinycolor2";
import { fieldConfigOf } from "../../reading/fields";
import { sorted } from "../../reading/read";
import { type Arc, arcsOf } from "../donut";
import { optionsOf, useLook } from "../look";
import { Empty } from "./Empty";
import type { PanelProps } from "./props";

interface Options {
  displayLabels?: string[];
  pieType?: "pie" | "donut";
  legend: { displayMode: LegendDisplayMode; placement: LegendPlacement; showLegend: boolean; values?: string[]; width?: number };
}

export function PieChartPanel({ panel, frames, width, height }: PanelProps) {
  const look = useLook();
  const { legend, displayLabels = [], pieType = "pie" } = optionsOf<Options>(panel);
  const slices = sorted(frames, { panel, fieldConfig: fieldConfigOf(panel), look });
  if (slices.length === 0) return <Empty panel={panel} width={width} height={height} />;
  const total = slices.reduce((sum, { display }) => sum + Math.max(0, display.numeric), 0);
  const items = slices.map(
    ({ display, field }): VizLegendItem => ({
      label: display.title ?? "",
      color: display.color ?? "",
      yAxis: 1,
      getDisplayValues: () => legendValues(legend.values ?? [], display, total, field.decimals),
    }),
  );
  return (
    <VizLayout
      width={width}
      height={height}
      legend={
        legend.showLegend ? (
          <VizLayout.Legend placement={legend.placement} {...(legend.width && { width: legend.width })}>
            <VizLegend items={items} placement={legend.placement} displayMode={legend.displayMode} />
          </VizLayout.Legend>
        ) : null
      }
    >
      {(width, height) => <Pie slices={slices} donut={pieType === "donut"} labels={displayLabels} width={width} height={height} />}
    </VizLayout>
  );
}

function legendValues(wanted: string[], display: DisplayValue, total: number, decimals?: number | null): DisplayValue[] {
  return [
    ...(wanted.includes("value") ? [{ numeric: display.numeric, text: formattedValueToString(display), title: "Value" }] : []),
    ...(wanted.includes("percent")
      ? [{ numeric: display.numeric / total, text: percent(display.numeric / total, decimals), title: "Percent" }]
      : []),
  ];
}

/** A share with the decimal places of the values, as Grafana writes it. */
const percent = (share: number, decimals?: number | null) => `${(share * 100).toFixed(decimals ?? 0)}%`;

interface PieProps {
  slices: FieldDisplay[];
  donut: boolean;
  labels: string[];
  width: number;
  height: number;
}

const margin = 16;

/** Pixels by which labels are below the middle of the ring in Grafana 12.3. */
const labelOffset = 9;

function Pie({ slices, donut, labels, width, height }: PieProps) {
  const { theme } = useLook();
  const id = useId();
  const outer = Math.min(width, height) / 2 - margin;
  const inner = donut ? outer - Math.max(outer / 3, 20) : 0;
  if (outer <= 0) return null;
  const arcs = arcsOf(
    slices.map(({ display }) => display.numeric),
    outer,
    inner,
  );
  return (
    <svg width={width} height={height} role="img" aria-label="Pie chart" style={{ overflow: "visible", display: "block" }}>
      <g transform={`translate(${width / 2},${height / 2})`}>
        {slices.map(({ display }, index) => {
          const { path } = arcs[index] as Arc;
          return (
            <g key={display.title}>
              <title>{`${display.title}: ${formattedValueToString(display)}`}</title>
              <radialGradient id={`${id}-${index}`} gradientUnits="userSpaceOnUse" cx={0} cy={0} r={outer * 1.35}>
                <stop offset={0.6} stopColor={darker(display.color, 20, 4, theme)} />
                <stop offset={1} stopColor={darker(display.color, 10, -4, theme)} />
              </radialGradient>
              <path d={path} fill={`url(#${id}-${index})`} stroke={theme.colors.background.primary} strokeWidth={1} />
            </g>
          );
        })}
        {labels.length > 0 &&
          slices.map(({ display, field }, index) => {
            const { share, middle } = arcs[index] as Arc;
            // A label does not fit into a smaller slice.
            if (share < 0.05) return null;
            const text = labels.flatMap((label) =>
              label === "percent"
                ? [percent(share, field.decimals)]
                : label === "name"
                  ? [display.title]
                  : [formattedValueToString(display)],
            );
            return (
              <text
                key={display.title}
                x={middle.x}
                y={middle.y + labelOffset}
                dy=".33em"
                fontSize={12}
                textAnchor="middle"
                fill={theme.colors.text.primary}
              >
                {text.join(" ")}
              </text>
            );
          })}
      </g>
    </svg>
  );
}

const darker = (color: string | undefined, amount: number, turn: number, { isDark }: GrafanaTheme2) =>
  tinycolor(color)
    .darken(amount * (isDark ? 1 : -0.7))
    .spin(turn)
    .toRgbString();
