/** `npm run docs`: writes the generated parts of the documents. With `-- --check` it only compares, and fails where they are out of step. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeKeys } from "../settings";
import { fill, keepInStep } from "./generated";

const readme = join(__dirname, "../../README.md");

/** The README's table of settings. */
function settingsTable(): string {
  const rows = describeKeys().map(({ name, description, secret, required, fallback }) => {
    const presence = fallback !== undefined ? `\`${fallback}\`` : required ? "required" : "optional";
    return `| \`${name}\` | ${secret ? "secret" : "plain"} | ${presence} | ${description} |`;
  });
  return ["| Setting | Stored | Default | Meaning |", "|---|---|---|---|", ...rows].join("\n");
}

const wanted = fill(readFileSync(readme, "utf8"), "settings", settingsTable());
keepInStep(readme, wanted, "README.md: the table of settings is out of step with src/settings.ts. Write it anew: npm run docs");
