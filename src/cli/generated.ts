/** Committed files that scripts generate. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

/** Writes a file. With the flag `--check` of the script, it only compares the file, and fails with `message` if it differs. */
export function writeOrCheck(file: string, wanted: string, message: string): void {
  const { check } = parseArgs({ options: { check: { type: "boolean" } } }).values;
  if (existsSync(file) && readFileSync(file, "utf8") === wanted) return;
  if (check) {
    console.error(message);
    process.exitCode = 1;
  } else {
    writeFileSync(file, wanted);
  }
}
