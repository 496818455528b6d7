/** Tests compare the generated tables in the READMEs, and write them only on request. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { expectTable, updateVariable } from "../support/readme";
import { temporaryFolder } from "../support/temporary-folder";

let file: string;
const text = "# Title\n\n<!-- a -->\n| A |\n<!-- /a -->\n\n<!-- b -->\n| B |\n<!-- /b -->\n";
const compare = (name: string, table: string) => expectTable(name, table, "test:some", file);

beforeEach(() => {
  file = join(temporaryFolder(), "README.md");
  writeFileSync(file, text);
  vi.stubEnv(updateVariable, "");
  onTestFinished(() => void vi.unstubAllEnvs());
});

it("accepts an equal table", () => compare("a", "| A |"));

it("fails if the table differs, names the command that updates it, and writes nothing", () => {
  const command = "README.md: the table a is outdated. Update it: UPDATE_DOCS=1 npm run test:some";
  expect(() => compare("a", "| New |")).toThrow(command);
  expect(readFileSync(file, "utf8")).toBe(text);
});

it("writes on request", () => {
  vi.stubEnv(updateVariable, "1");
  compare("a", "| New |");
  expect(readFileSync(file, "utf8")).toBe(text.replace("| A |", "| New |"));
});
