/** Dashboards from files with their data. */
import { useMemo } from "react";
import { type DashboardFile, framesFromFile } from "../reading/file";
import { panelsOf } from "../reading/panel";
import { Dashboard } from "./Dashboard";
import type { PanelData } from "./DrawnPanel";
import { themeOf } from "./look";
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
    panelsOf(model)
      .flatMap((panel) => [panel, ...(panel.panels ?? [])])
      .map(({ id }) => {
        const panel = panels[id] ?? { frames: [] };
        return [id, "error" in panel ? panel : { frames: framesFromFile(panel.frames) }];
      }),
  );
}

/** One dashboard, or several beside each other. */
export function FilesPage({ files }: { files: readonly DashboardFile[] }) {
  const width = Math.floor(usePageWidth() / files.length);
  return (
    <div style={{ display: "flex", alignItems: "flex-start" }}>
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the files never change
        <FileDashboard key={index} file={file} width={width} />
      ))}
    </div>
  );
}

function FileDashboard({ file, width }: { file: DashboardFile; width: number }) {
  const { model, range, timeZone, selected, folder, raw } = file;
  const [data, theme, highlight] = useMemo(() => [dataOf(file), themeOf(file.theme), highlightOf(file)], [file]);
  return <Dashboard {...{ model, range, timeZone, selected, folder, raw, data, theme, width, highlight }} />;
}

const highlightOf = ({ highlight = {} }: DashboardFile) => new Map(Object.entries(highlight).map(([id, number]) => [Number(id), number]));
