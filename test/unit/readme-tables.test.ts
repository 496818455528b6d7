/** Tests compare the README's tables that they generate, and write them only on request, one at a time. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lock } from "proper-lockfile";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { expectInReadme, updateVariable } from "../support/readme";

let file: string;
const text = "# Title\n\n<!-- a -->\n| A |\n<!-- /a -->\n\n<!-- b -->\n| B |\n<!-- /b -->\n";
const keep = (name: string, table: string) => expectInReadme(name, table, "test:some", file);

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "llm-observability-readme-"));
  file = join(folder, "README.md");
  writeFileSync(file, text);
  vi.stubEnv(updateVariable, "");
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
});

it("accepts the table that is there", () => keep("a", "| A |"));

it("fails where the table is another one, names the command that writes it, and writes nothing", async () => {
  const command = "README.md: the table a is out of step with the tests. Write it anew: UPDATE_DOCS=1 npm run test:some";
  await expect(keep("a", "| New |")).rejects.toThrow(command);
  expect(readFileSync(file, "utf8")).toBe(text);
});

it("writes on request, after whoever writes at that time", async () => {
  vi.stubEnv(updateVariable, "1");
  const unlock = await lock(file);
  const written = Promise.all([keep("a", "| New |"), keep("b", "| Newer |")]);
  await new Promise((resume) => setTimeout(resume, 150));
  expect(readFileSync(file, "utf8")).toBe(text);
  await unlock();
  await written;
  expect(readFileSync(file, "utf8")).toBe(text.replace("| A |", "| New |").replace("| B |", "| Newer |"));
});
