/** Committed files, or parts of files, that scripts and tests generate. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

/** Writes a file. With the flag `--check` of the script, it only compares the file, and fails with `message` if it differs. */
export function writeOrCheck(file: string, wanted: string, message: string): void {
  const { check } = parseArgs({ options: { check: { type: "boolean" } } }).values;
  if (existsSync(file) && readFileSync(file, "utf8") === wanted) return;
  if (check) {
    console.error(message);
    process.exitCode = 1;
  } else writeFileSync(file, wanted);
}

/** Replaces the text between `<!-- name -->` and `<!-- /name -->` in a Markdown document. */
export function fill(document: string, name: string, content: string): string {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const start = document.indexOf(opening);
  const end = document.indexOf(closing);
  if (start < 0 || end < start) throw new Error(`The document lacks the marks ${opening} and ${closing}`);
  return `${document.slice(0, start + opening.length)}\n${content}\n${document.slice(end)}`;
}
