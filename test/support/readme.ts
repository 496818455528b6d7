/** Generated tables in the READMEs. */
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { lock } from "proper-lockfile";
import { expect } from "vitest";
import { fill } from "./documents";

/** With this variable, tests write their tables into the READMEs. Without it, they compare them. */
export const updateVariable = "UPDATE_DOCS";

/**
 * Compares a table between its marks in a README, or writes it, see `updateVariable`.
 *
 * @param script the npm script that runs the test
 * @param file the README, relative to the root of the repository. Defaults to `README.md`.
 * @throws AssertionError if the README has a different table
 */
export async function expectTable(name: string, table: string, script: string, file = "README.md"): Promise<void> {
  const path = resolve(__dirname, "../..", file);
  if (!process.env[updateVariable]) {
    const present = readFileSync(path, "utf8");
    const message = `${file}: the table ${name} is outdated. Update it: ${updateVariable}=1 npm run ${script}`;
    expect(present, message).toBe(fill(present, name, table));
    return;
  }
  // Test files run in parallel, and each one writes the whole document.
  const unlock = await lock(path, { retries: { forever: true, factor: 1, minTimeout: 100 } });
  try {
    writeFileSync(path, fill(readFileSync(path, "utf8"), name, table));
  } finally {
    await unlock();
  }
}
