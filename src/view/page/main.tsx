/** The page: a dashboard from a file (`?data=<address>`), or from Grafana's API. */
import "./setup";
import { createTheme } from "@grafana/data";
import { initPluginTranslations } from "@grafana/i18n";
import { GlobalStyles, ThemeContext } from "@grafana/ui";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { FilePage, loadFile } from "./FilePage";
import { loadFonts, watchState } from "./ready";
import "./style.css";

async function main(): Promise<void> {
  watchState();
  await initPluginTranslations("view", []);
  const parameters = new URLSearchParams(window.location.search);
  const file = parameters.get("data");
  if (!file) throw new Error("No ?data= in the address");
  const data = await loadFile(file);
  const theme = createTheme({ colors: { mode: data.theme ?? "dark" } });
  const root = createRoot(document.getElementById("root") as HTMLElement);
  const styles = (
    <ThemeContext.Provider value={theme}>
      <GlobalStyles />
    </ThemeContext.Provider>
  );
  // The styles declare the fonts.
  flushSync(() => root.render(styles));
  await loadFonts();
  root.render(
    <>
      {styles}
      <FilePage file={data} theme={theme} />
    </>,
  );
}

main().catch((error: Error) => {
  document.body.textContent = error.message;
  throw error;
});
