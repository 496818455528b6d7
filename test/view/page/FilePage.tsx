/** A dashboard from a file with its data. */
import type { GrafanaTheme2 } from "@grafana/data";
import { useMemo } from "react";
import { type DashboardFile, framesFromFile } from "../reading/file";
import { allPanelsOf } from "../reading/panel";
import { Dashboard } from "./Dashboard";
import type { PanelData } from "./DrawnPanel";
import { usePageWidth } from "./width";

/** @throws Error if the file is missing */
export async function loadFile<T>(address: string): Promise<T> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} responds with ${response.status}`);
  return response.json();
}

/** The data of each panel of a file. One without an entry has no data. */
export function dataOf({ model, panels }: DashboardFile): Record<string, PanelData> {
  return Object.fromEntries(
    allPanelsOf(model).map(({ id }) => {
      const panel = panels[id] ?? { frames: [] };
      return [id, "error" in panel ? panel : { frames: framesFromFile(panel.frames) }];
    }),
  );
}

export function FilePage({ file, theme }: { file: DashboardFile; theme: GrafanaTheme2 }) {
  const { model, range, timeZone, selected, folder, raw } = file;
  const data = useMemo(() => dataOf(file), [file]);
  const width = usePageWidth();
  return <Dashboard {...{ model, range, timeZone, selected, folder, raw, data, theme, width }} />;
}
