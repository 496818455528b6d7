/** Files that scripts write from the sources and that are committed: with `-- --check` they are only compared. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

const { check } = parseArgs({ options: { check: { type: "boolean" } } }).values;

/** Writes the file, or, where only checked, fails with `outOfStep` where it holds anything else. */
export function keepInStep(file: string, wanted: string, outOfStep: string): void {
  if (!check) {
    writeFileSync(file, wanted);
    return;
  }
  const present = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (present !== wanted) {
    console.error(outOfStep);
    process.exitCode = 1;
  }
}
