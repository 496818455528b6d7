/** Files, or parts of them, that scripts and tests write and that are committed. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

/** Writes the file, or, where a script runs with `-- --check`, fails where it holds anything else and says `outOfStep`. */
export function keepInStep(file: string, wanted: string, outOfStep: string): void {
  const { check } = parseArgs({ options: { check: { type: "boolean" } } }).values;
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

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->` in a document of Markdown. */
export function fill(document: string, name: string, content: string): string {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const start = document.indexOf(opening);
  const end = document.indexOf(closing);
  if (start < 0 || end < start) throw new Error(`The document lacks the marks ${opening} and ${closing}`);
  return `${document.slice(0, start + opening.length)}\n${content}\n${document.slice(end)}`;
}
