/** The page: a dashboard from a file (`?data=<address>`), a comparison of two (`?comparison=<address>`), a dashboard of Grafana (`/d/<uid>`), or a folder (`/dashboards/f/<uid>`). */
import "./setup";
import type { GrafanaTheme2 } from "@grafana/data";
import { initPluginTranslations } from "@grafana/i18n";
import { GlobalStyles, ThemeContext } from "@grafana/ui";
import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import type { Comparison, DashboardFile } from "../reading/file";
import { ComparePage } from "./ComparePage";
import { FilePage, loadFile } from "./FilePage";
import { pageOf, rangeOf, rawOf, timeZoneOf } from "./live/address";
import { FolderPage, loadFolder } from "./live/FolderPage";
import { LivePage, loadDashboard } from "./live/LivePage";
import { themeOf } from "./look";
import { loadFonts, watchState } from "./ready";
import "./style.css";

async function main(): Promise<void> {
  watchState();
  const url = new URL(window.location.href);
  document.body.style.paddingLeft = `${Number(url.searchParams.get("menu"))}px`;
  await initPluginTranslations("view", []);
  const { theme, content } = await contentOf(url);
  const root = createRoot(document.getElementById("root") as HTMLElement);
  const page = (content: ReactNode) => (
    <ThemeContext.Provider value={theme}>
      <GlobalStyles />
      {content}
    </ThemeContext.Provider>
  );
  // The styles declare the fonts.
  flushSync(() => root.render(page(null)));
  await loadFonts();
  root.render(page(content));
  document.body.dataset.pageState = "drawn";
}

async function contentOf(url: URL): Promise<{ theme: GrafanaTheme2; content: ReactNode }> {
  const theme = themeOf(url.searchParams.get("theme"));
  const page = pageOf(url);
  switch (page.kind) {
    case "file": {
      const file = await loadFile<DashboardFile>(page.file);
      const theme = themeOf(file.theme);
      return { theme, content: <FilePage file={file} theme={theme} /> };
    }
    case "comparison":
      return { theme, content: <ComparePage comparison={await loadFile<Comparison>(page.file)} theme={theme} /> };
    case "dashboard": {
      const loaded = await loadDashboard(page.uid);
      // An address without a valid range has a message, not an empty page.
      rangeOf(rawOf(url, loaded.model), timeZoneOf(url, loaded.model), Date.now());
      document.title = `${loaded.model.title} - Dashboards - Grafana`;
      return { theme, content: <LivePage loaded={loaded} theme={theme} /> };
    }
    case "folder":
      return { theme, content: <FolderPage dashboards={await loadFolder(page.uid)} /> };
    case "unknown":
      throw new Error(`No page at ${url.pathname}`);
  }
}

main().catch((error: Error) => {
  document.body.textContent = error.message;
  document.body.dataset.pageState = "error";
  throw error;
});
