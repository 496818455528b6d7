/** Where Chromium is searched for. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findChromium } from "../../view/browser";

function programIn(name: string): { folder: string; program: string } {
  const folder = mkdtempSync(join(tmpdir(), "chromium-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, name);
  writeFileSync(program, "");
  chmodSync(program, 0o755);
  return { folder, program };
}

it("CHROME_PATH comes first, then PATH", () => {
  const { folder, program } = programIn("google-chrome");
  const { program: chosen } = programIn("any-name");
  expect(findChromium({ PATH: `/nowhere:${folder}` })).toBe(program);
  expect(findChromium({ PATH: folder, CHROME_PATH: chosen })).toBe(chosen);
});

it("a wrong CHROME_PATH is an error, even if PATH has Chromium", () => {
  const { folder } = programIn("chromium");
  expect(() => findChromium({ PATH: folder, CHROME_PATH: "/nowhere/chrome" })).toThrow(/^CHROME_PATH is \/nowhere\/chrome, which is not/);
});

it("without Chromium, the error has the command that installs it", () => {
  expect(() => findChromium({ PATH: "/nowhere" })).toThrow(/apt-get install --no-install-recommends chromium/);
});
