/** Committed files, or parts of files, that scripts and tests generate. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

/** Whether the script only compares: its flag `--check`. */
export const isChecking = (): boolean => parseArgs({ options: { check: { type: "boolean" } } }).values.check === true;

/** Prints problems and lets the script fail if there are any. */
export function failWith(problems: readonly string[]): void {
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

/** Writes a file. With the flag `--check` of the script, it only compares the file, and fails with `message` if it differs. */
export function writeOrCheck(file: string, wanted: string, message: string): void {
  if (existsSync(file) && readFileSync(file, "utf8") === wanted) return;
  if (isChecking()) failWith([message]);
  else writeFileSync(file, wanted);
}

/** Replaces the text between `<!-- name -->` and `<!-- /name -->` in a Markdown document. */
export function fill(document: string, name: string, content: string): string {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const start = document.indexOf(opening);
  const end = document.indexOf(closing);
  if (start < 0 || end < start) throw new Error(`The document lacks the marks ${opening} and ${closing}`);
  return `${document.slice(0, start + opening.length)}\n${content}\n${document.slice(end)}`;
}
