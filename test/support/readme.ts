/** The README's tables that tests generate. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lock } from "proper-lockfile";
import { expect } from "vitest";
import { fill } from "../../src/cli/generated";

/** Set: tests write their tables into the README. Otherwise they compare. */
export const updateVariable = "UPDATE_DOCS";

/**
 * Compares the table between its marks in the README with `table`, or writes it, see `updateVariable`.
 *
 * @param script the npm script that runs the test
 * @throws AssertionError where the README has another table
 */
export async function expectInReadme(
  name: string,
  table: string,
  script: string,
  file = join(__dirname, "../../README.md"),
): Promise<void> {
  if (!process.env[updateVariable]) {
    const present = readFileSync(file, "utf8");
    const advice = `README.md: the table ${name} is out of step with the tests. Write it anew: ${updateVariable}=1 npm run ${script}`;
    expect(present, advice).toBe(fill(present, name, table));
    return;
  }
  // Files of tests run at the same time, and each one writes the whole document.
  const unlock = await lock(file, { retries: { forever: true, factor: 1, minTimeout: 100 } });
  try {
    writeFileSync(file, fill(readFileSync(file, "utf8"), name, table));
  } finally {
    await unlock();
  }
}
