/** A dashboard before and after a change: both at half their size with the changed panels framed and numbered, and these panels in full size below. */
import type { GrafanaTheme2 } from "@grafana/data";
import { ThemeContext } from "@grafana/ui";
import { type CSSProperties, type ReactNode, useMemo } from "react";
import type { Comparison, DashboardFile } from "../reading/file";
import { allPanelsOf } from "../reading/panel";
import { Dashboard, edge, Highlight } from "./Dashboard";
import { DrawnPanel, type PanelData } from "./DrawnPanel";
import { dataOf } from "./FilePage";
import { placeOf } from "./grid";
import { LookContext } from "./look";
import { usePageWidth } from "./width";

type Side = "before" | "after";
const sides: Side[] = ["before", "after"];

export function ComparePage({ comparison, theme }: { comparison: Comparison; theme: GrafanaTheme2 }) {
  const width = usePageWidth();
  const { panels } = comparison;
  const before = useVersion(comparison.before, panels, "before");
  const after = useVersion(comparison.after, panels, "after");
  const versions = { before, after };
  const numbers = [...new Set(panels.map(({ number }) => number))];
  return (
    <ThemeContext.Provider value={theme}>
      <div style={{ background: theme.colors.background.canvas, color: theme.colors.text.primary, padding: `${edge}px 0` }}>
        <div style={{ display: "flex" }}>
          {sides.map((side) => (
            <div key={side} style={{ width: width / 2 }}>
              <Heading>{side === "before" ? "Before" : "After"}</Heading>
              {versions[side] ? (
                <Half version={versions[side]} width={width} theme={theme} />
              ) : (
                <Heading>{side === "before" ? "The dashboard is new" : "The dashboard is removed"}</Heading>
              )}
            </div>
          ))}
        </div>
        {numbers.map((number) => (
          <div key={number} style={{ display: "flex", flexWrap: "wrap", gap: `${edge}px 8px`, padding: `${edge}px` }}>
            {panels
              .filter((panel) => panel.number === number)
              .flatMap((panel) =>
                sides.map((side) => (
                  <FullSize
                    key={`${side} ${panel.before} ${panel.after}`}
                    side={side}
                    version={versions[side]}
                    id={panel[side]}
                    {...{ number, width, theme }}
                  />
                )),
              )}
          </div>
        ))}
      </div>
    </ThemeContext.Provider>
  );
}

interface Version {
  file: DashboardFile;
  data: Record<string, PanelData>;
  highlight: Map<number, number>;
}

function useVersion(file: DashboardFile | undefined, panels: Comparison["panels"], side: Side): Version | undefined {
  return useMemo(() => {
    if (!file) return undefined;
    const highlight = new Map(
      panels.flatMap((panel): [number, number][] => (panel[side] === undefined ? [] : [[panel[side], panel.number]])),
    );
    return { file, data: dataOf(file), highlight };
  }, [file, panels, side]);
}

const Heading = ({ children }: { children: ReactNode }) => (
  <div style={{ fontSize: 18, fontWeight: 500, padding: `0 ${edge}px 8px` }}>{children}</div>
);

/** A dashboard at half its size. */
function Half({ version: { file, data, highlight }, width, theme }: { version: Version; width: number; theme: GrafanaTheme2 }) {
  const { model, range, timeZone, selected, folder, raw } = file;
  return (
    <div style={{ zoom: 0.5, "--badge-zoom": 2 } as CSSProperties}>
      <Dashboard {...{ model, range, timeZone, selected, folder, raw, data, theme, width, highlight }} />
    </div>
  );
}

interface FullSizeProps {
  side: Side;
  version: Version | undefined;
  /** Undefined if this version lacks the panel. */
  id: number | undefined;
  number: number;
  width: number;
  theme: GrafanaTheme2;
}

/** One panel as large as in its dashboard. */
function FullSize({ side, version, id, number, width, theme }: FullSizeProps) {
  const panel = version && allPanelsOf(version.file.model).find((panel) => panel.id === id);
  if (!panel || panel.type === "row") return null;
  const { timeZone, range, selected } = version.file;
  const place = placeOf(panel.gridPos, width - 2 * edge);
  return (
    <div>
      <Heading>{`${number} ${side}`}</Heading>
      <LookContext.Provider value={{ theme, timeZone, range, selected }}>
        <div style={{ position: "relative", width: place.width, height: place.height }}>
          <DrawnPanel panel={panel} data={version.data[panel.id] ?? { frames: [] }} width={place.width} height={place.height} />
          <Highlight number={number} />
        </div>
      </LookContext.Provider>
    </div>
  );
}
