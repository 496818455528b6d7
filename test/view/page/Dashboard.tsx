/** A dashboard: toolbar, rows and panels. Several can be on one page: everything is in the properties. */
import type { GrafanaTheme2 } from "@grafana/data";
import { Icon, ThemeContext } from "@grafana/ui";
import { useMemo, useState } from "react";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { type Panel, panelsOf, type Range, titleOf } from "../reading/panel";
import { DrawnPanel, type PanelData } from "./DrawnPanel";
import { heightOf, placeOf, visiblePanels } from "./grid";
import { LookContext } from "./look";
import { Toolbar, type ToolbarProps } from "./Toolbar";

export interface DashboardProps extends Omit<ToolbarProps, "model"> {
  model: DashboardModel;
  theme: GrafanaTheme2;
  timeZone: string;
  range: Range;
  /** By panel id. */
  data: Readonly<Record<string, PanelData | undefined>>;
  /** Pixels, with the page's edges. */
  width: number;
  /** Panels with an orange frame and a number. */
  highlight?: ReadonlyMap<number, number>;
  /** Without the line of breadcrumbs. */
  kiosk?: boolean;
}

/** Pixels between the grid and the edge of the page. */
export const edge = 16;

const waiting: PanelData = {};

export function Dashboard({ model, theme, timeZone, range, data, width, highlight, ...toolbar }: DashboardProps) {
  const panels = useMemo(() => panelsOf(model), [model]);
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(
    () => new Set(panels.flatMap(({ id, collapsed }) => (collapsed ? [id] : []))),
  );
  const { from, to } = range;
  const { selected } = toolbar;
  const look = useMemo(() => ({ theme, timeZone, range: { from, to }, selected }), [theme, timeZone, from, to, selected]);
  const visible = visiblePanels(panels, collapsed);
  const toggle = (id: number) => {
    const next = new Set(collapsed);
    if (!next.delete(id)) next.add(id);
    setCollapsed(next);
  };
  return (
    <ThemeContext.Provider value={theme}>
      <LookContext.Provider value={look}>
        <div style={{ width, background: theme.colors.background.canvas, color: theme.colors.text.primary }}>
          <Toolbar model={model} range={range} timeZone={timeZone} {...toolbar} />
          <div style={{ position: "relative", height: heightOf(visible), margin: `0 ${edge}px ${edge * 2}px` }}>
            {visible.map((panel) => {
              const { left, top, width: panelWidth, height } = placeOf(panel.gridPos, width - 2 * edge);
              const number = highlight?.get(panel.id);
              return (
                <div key={panel.id} style={{ position: "absolute", left, top, width: panelWidth, height }}>
                  {panel.type === "row" ? (
                    <Row panel={panel} collapsed={collapsed.has(panel.id)} onToggle={() => toggle(panel.id)} />
                  ) : (
                    <DrawnPanel
                      panel={panel}
                      title={titleOf(panel, model, selected)}
                      data={data[panel.id] ?? waiting}
                      width={panelWidth}
                      height={height}
                    />
                  )}
                  {number !== undefined && <Highlight number={number} />}
                </div>
              );
            })}
          </div>
        </div>
      </LookContext.Provider>
    </ThemeContext.Provider>
  );
}

function Row({ panel: { id, title }, collapsed, onToggle }: { panel: Panel; collapsed: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      data-panel-id={id}
      data-panel-type="row"
      data-panel-state="done"
      aria-expanded={!collapsed}
      onClick={onToggle}
      style={{
        all: "unset",
        cursor: "pointer",
        display: "flex",
        alignItems: "center",
        gap: 8,
        height: 30,
        padding: "0 6px",
        fontSize: 16,
        fontWeight: 500,
      }}
    >
      <Icon name={collapsed ? "angle-right" : "angle-down"} />
      {title}
    </button>
  );
}

const orange = "#ff9830";

export function Highlight({ number }: { number: number }) {
  return (
    <div
      data-highlight={number}
      style={{ position: "absolute", inset: -2, border: `2px solid ${orange}`, borderRadius: 4, pointerEvents: "none", zIndex: 1 }}
    >
      <div
        style={{
          position: "absolute",
          // In a dashboard that is drawn smaller, the number keeps its size.
          zoom: "var(--badge-zoom, 1)",
          left: -10,
          top: -10,
          minWidth: 22,
          height: 22,
          borderRadius: 11,
          background: orange,
          color: "#111217",
          font: "500 13px/22px Inter",
          textAlign: "center",
          padding: "0 4px",
          boxSizing: "border-box",
        }}
      >
        {number}
      </div>
    </div>
  );
}
