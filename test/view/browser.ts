/** Opens pages of the view in headless Chromium. Nothing comes from a network: this process answers all requests of a page. */
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { delimiter, extname, join } from "node:path";
import { type Browser, chromium, type Page, type Route } from "playwright-core";

export type { Browser, Page };

const programs = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/**
 * The program of Chromium: the variable CHROME_PATH, else the first one on PATH.
 *
 * @throws Error if there is none, with the command that installs it
 */
export function findChromium({ CHROME_PATH: chosen, PATH = "" }: NodeJS.ProcessEnv = process.env): string {
  if (chosen) {
    if (isProgram(chosen)) return chosen;
    throw new Error(`CHROME_PATH is ${chosen}, which is not a program. Set it to the program of Chromium or Chrome, or remove it.`);
  }
  const folders = PATH.split(delimiter).filter(Boolean);
  const found = programs.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
  if (found) return found;
  throw new Error(
    [
      "No Chromium is on PATH. Install it, or set CHROME_PATH to the program of Chromium or Chrome:",
      "  Debian, Ubuntu   sudo apt-get install --no-install-recommends chromium",
      '  macOS            export CHROME_PATH="/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"',
    ].join("\n"),
  );
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The same letters and edges on every machine. */
const sameEverywhere = ["--font-render-hinting=none", "--disable-lcd-text", "--force-color-profile=srgb", "--disable-gpu"];

export function startChromium(): Promise<Browser> {
  // Chromium has no sandbox for root, as in containers. It only opens pages of this project.
  const root = process.getuid?.() === 0;
  return chromium.launch({ executablePath: findChromium(), args: [...sameEverywhere, ...(root ? ["--no-sandbox"] : [])] });
}

/** Milliseconds until a page must be complete. It takes one to four seconds. */
const timeout = 60_000;

const host = "http://view.localhost";

/** Pixels of Grafana's docked menu. The window is as much wider than the dashboard, which matters: Grafana moves legends by the width of the window. */
export const dockedMenu = 300;

/**
 * Opens the page with data, and waits until it is complete. Close its context after use.
 *
 * @param folder the built page
 * @param data the page's data by name: the parameters of its address
 * @param width of the dashboard in pixels
 * @param menu pixels of the window on the left of it
 * @throws Error if the page reports an error or is not complete in a minute
 */
export async function openPage(browser: Browser, folder: string, data: Record<string, unknown>, width: number, menu = 0): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: width + menu, height: 1000 },
    deviceScaleFactor: 1,
    locale: "en-US",
    timezoneId: "UTC",
    reducedMotion: "reduce",
  });
  try {
    const page = await context.newPage();
    const errors = errorsOf(page);
    await page.route(`${host}/**`, (route) => answer(route, folder, data));
    const parameters = new URLSearchParams(Object.keys(data).map((name): [string, string] => [name, `/data/${name}.json`]));
    if (menu > 0) parameters.set("menu", String(menu));
    await page.goto(`${host}/?${parameters}`);
    await untilReady(page).catch((error: Error) => {
      throw new Error(`The page is not complete after ${timeout / 1000} s. ${errors.join("\n")}`, { cause: error });
    });
    if (errors.length > 0) throw new Error(`The page reports errors:\n${errors.join("\n")}`);
    return page;
  } catch (error) {
    await context.close();
    throw error;
  }
}

/** A picture of a page as PNG. Parameters and errors: see `openPage`. */
export async function drawPage(browser: Browser, folder: string, data: Record<string, unknown>, width: number, menu = 0): Promise<Buffer> {
  const page = await openPage(browser, folder, data, width, menu);
  try {
    // All of the page is in the viewport: a chart outside of it is drawn, but a shadow or a scroll bar may differ.
    const height: number = await page.evaluate("document.documentElement.scrollHeight");
    await page.setViewportSize({ width: width + menu, height });
    await untilReady(page);
    return await page.screenshot({ fullPage: true, clip: { x: menu, y: 0, width, height }, animations: "disabled", caret: "hide" });
  } finally {
    await page.context().close();
  }
}

const untilReady = (page: Page) => page.waitForSelector('html[data-state="ready"]', { timeout });

/** Opens all folded rows of a dashboard, the last one first. */
export async function openRows(page: Page): Promise<void> {
  await untilReady(page);
  for (const row of (await page.locator('[data-panel-type="row"][aria-expanded="false"]').all()).toReversed()) await row.click();
  await untilReady(page);
}

/** Errors of a page, as they happen. */
export function errorsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return errors;
}

const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

async function answer(route: Route, folder: string, data: Record<string, unknown>): Promise<void> {
  const { pathname } = new URL(route.request().url());
  const [, name = ""] = /^\/data\/(\w+)\.json$/.exec(pathname) ?? [];
  if (name in data) return route.fulfill({ json: data[name] });
  const file = join(folder, pathname === "/" ? "index.html" : pathname.replace(/^\/public\/view\//, ""));
  if (!existsSync(file)) return route.fulfill({ status: 404, body: `No file for ${pathname}` });
  return route.fulfill({ body: readFileSync(file), contentType: types[extname(file)] ?? "application/octet-stream" });
}
