/** Before and after of a changed dashboard: what a pull request shows. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { describeDashboard } from "../../../src/report/describe-dashboard";
import { panelNumbers } from "./compare";

const root = resolve(__dirname, "../../..");
const file = "dashboards/llm-monitoring.json";
const text = readFileSync(join(root, file), "utf8");
const changed = text.replace('"title": "Total Cost"', '"title": "Cost"');

it("panels have the number of the first line of the report about them", () => {
  const [before, after] = [JSON.parse(text), JSON.parse(changed)];
  const lines = describeDashboard(before, after);
  const { id } = after.panels.find(({ title }: { title: string }) => title === "Cost");
  const [found, ...others] = panelNumbers(before, after);
  expect([found, others]).toEqual([{ number: expect.any(Number), before: id, after: id }, []]);
  expect(lines[(found?.number ?? 0) - 1]).toContain("Total Cost");
});

it("npm run pictures -- --compare draws the changed dashboard only", () => {
  const folder = mkdtempSync(join(tmpdir(), "llm-observability-pictures-"));
  const clone = join(folder, "clone");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root });
  try {
    git("worktree", "add", "--quiet", "--detach", clone);
    for (const place of ["node_modules", "test/view/node_modules", "test/truth/node_modules"]) {
      symlinkSync(join(root, place), join(clone, place));
    }
    writeFileSync(join(clone, file), changed);
    const args = ["-r", "./src/load.cjs", "test/truth/pictures/main.ts", "--compare", "HEAD", "--out", join(folder, "out")];
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
