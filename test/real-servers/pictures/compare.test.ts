/** Before and after of a changed dashboard: the numbers are those of the report's lines, and each version is read with its own queries. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeDashboard } from "../../../src/report/describe-dashboard";
import { exampleA } from "../../support/models";
import { type Browser, openPage, startChromium } from "../../view/browser";
import { buildView } from "../../view/build";
import type { DashboardFile } from "../../view/reading/file";
import { panelNumbers } from "./compare";

type Model = typeof exampleA & { panels: { id: number; title: string; gridPos: { x: number; y: number }; targets: { expr: string }[] }[] };

const copy = () => structuredClone(exampleA) as Model;
const named = (model: Model, title: string) => model.panels.find((panel) => panel.title === title) as Model["panels"][number];

/** A changed threshold, a moved panel and a changed query. */
function changed(): Model {
  const model = copy();
  const text = JSON.stringify(named(model, "Avg Request Duration")).replace('"value":5', '"value":2');
  Object.assign(named(model, "Avg Request Duration"), JSON.parse(text));
  const [target] = named(model, "Total Cost").targets;
  if (target) target.expr = target.expr.replace("sum_over_time", "max_over_time");
  const [first, second] = ["Usage cost by Provider", "Usage cost by Application"].map((title) => named(model, title));
  if (first && second) [first.gridPos, second.gridPos] = [second.gridPos, first.gridPos];
  model.panels.sort((left, right) => left.gridPos.y - right.gridPos.y || left.gridPos.x - right.gridPos.x);
  return model;
}

let browser: Browser;

beforeAll(async () => {
  browser = await startChromium();
});

afterAll(() => browser?.close());

it("panels have the number of the first line of the report about them", () => {
  const [before, after] = [copy(), changed()];
  const lines = describeDashboard(before as never, after as never);
  const numbers = panelNumbers(before, after);
  const titleOf = (id?: number) => before.panels.find((panel) => panel.id === id)?.title ?? "";
  expect(numbers.map(({ number, before, after }) => [titleOf(before), titleOf(after), lines[number - 1]])).toEqual([
    ["Usage cost by Provider", "Usage cost by Provider", expect.stringContaining("Usage cost by Provider")],
    ["Avg Request Duration", "Avg Request Duration", expect.stringMatching(/threshold.*5.*2/)],
    ["Total Cost", "Total Cost", expect.stringContaining("max_over_time")],
  ]);
});

it("a new or removed dashboard has no numbers", () => {
  expect([panelNumbers(undefined, copy()), panelNumbers(copy(), undefined)]).toEqual([[], []]);
});

it("the page frames and numbers the changed panels, and draws them in full size below", async () => {
  const file = (model: Model): DashboardFile => ({ model, range: { from: 0, to: 60_000 }, timeZone: "utc", selected: {}, panels: {} });
  const comparison = { before: file(copy()), after: file(changed()), panels: panelNumbers(copy(), changed()) };
  const page = await openPage(browser, await buildView(), { comparison }, 1600);
  const texts = (await page.locator("body").innerText()).split("\n");
  for (const heading of ["Before", "After", "1 before", "1 after", "2 before", "3 after"]) expect(texts).toContain(heading);
  // Twice in each half, once in each full size: three changed panels.
  expect(await page.locator("[data-highlight]").count()).toBe(12);
  expect(await page.locator('[data-panel-id="2"]').count()).toBe(4);
  await page.context().close();
});

it("npm run pictures -- --compare draws the changed dashboard only", () => {
  const root = resolve(__dirname, "../../..");
  const folder = mkdtempSync(join(tmpdir(), "llm-observability-pictures-"));
  const clone = join(folder, "clone");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root });
  try {
    git("worktree", "add", "--quiet", "--detach", clone);
    for (const place of ["node_modules", "test/view/node_modules", "test/real-servers/node_modules"]) {
      symlinkSync(join(root, place), join(clone, place));
    }
    const model = join(clone, "dashboards/llm-monitoring.json");
    writeFileSync(model, readFileSync(model, "utf8").replace('"title": "Total Cost"', '"title": "Cost"'));
    const args = ["-r", "./src/load.cjs", "test/real-servers/pictures/main.ts", "--compare", "HEAD", "--out", join(folder, "out")];
    execFileSync(process.execPath, args, { cwd: clone, stdio: "pipe" });
    expect(existsSync(join(folder, "out/genai-observability.png"))).toBe(false);
    const png = readFileSync(join(folder, "out/llm-monitoring.png"));
    // The width of a PNG, in its header.
    expect([png.subarray(1, 4).toString(), png.readUInt32BE(16)]).toEqual(["PNG", 1600]);
    expect(readFileSync(join(folder, "out/pictures.md"), "utf8")).toContain("![llm-monitoring.png](llm-monitoring.png)");
  } finally {
    git("worktree", "remove", "--force", clone);
    rmSync(folder, { recursive: true, force: true });
  }
}, 180_000);
