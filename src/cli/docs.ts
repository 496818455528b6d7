/** `npm run docs`: writes the generated parts of the documents. With `-- --check` it only compares, and fails where they are out of step. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeKeys } from "../settings";
import { keepInStep } from "./generated";

const readme = join(__dirname, "../../README.md");

/** The README's table of settings. */
function settingsTable(): string {
  const rows = describeKeys().map(({ name, description, secret, required, fallback }) => {
    const presence = fallback !== undefined ? `\`${fallback}\`` : required ? "required" : "optional";
    return `| \`${name}\` | ${secret ? "secret" : "plain"} | ${presence} | ${description} |`;
  });
  return ["| Setting | Stored | Default | Meaning |", "|---|---|---|---|", ...rows].join("\n");
}

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`. */
function fill(document: string, name: string, content: string): string {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const start = document.indexOf(opening);
  const end = document.indexOf(closing);
  if (start < 0 || end < start) throw new Error(`README.md lacks the marks ${opening} and ${closing}`);
  return `${document.slice(0, start + opening.length)}\n${content}\n${document.slice(end)}`;
}

const wanted = fill(readFileSync(readme, "utf8"), "settings", settingsTable());
keepInStep(readme, wanted, "README.md: the table of settings is out of step with src/settings.ts. Write it anew: npm run docs");
