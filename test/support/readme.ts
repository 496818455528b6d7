/** Generated tables in the READMEs. */
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect } from "vitest";
import { fill } from "./documents";

/**
 * Compares a table of `npm run test:truth` between its marks in a README, or writes it if the variable `UPDATE_DOCS` is set.
 *
 * @param file the README, relative to the root of the repository. Each one has tables of one test only: test files run in parallel.
 * @throws AssertionError if the README has a different table
 */
export function expectTable(name: string, table: string, file: string): void {
  const path = resolve(__dirname, "../..", file);
  const present = readFileSync(path, "utf8");
  const wanted = fill(present, name, table);
  if (process.env.UPDATE_DOCS) writeFileSync(path, wanted);
  else expect(present, `${file}: the table ${name} is outdated. Update it: UPDATE_DOCS=1 npm run test:truth`).toBe(wanted);
}
