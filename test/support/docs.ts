/** `npm run docs`: writes the table of settings. With `-- --check`, it only compares the table and fails if it differs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeOrCheck } from "../../src/cli/generated";
import { keyDocs } from "../../src/settings";
import { fill } from "./documents";

const readme = join(__dirname, "../../src/settings/README.md");

function settingsTable(): string {
  const rows = keyDocs.map(({ name, description, secret, required, defaultValue }) => {
    const presence = defaultValue !== undefined ? `\`${defaultValue}\`` : required ? "required" : "optional";
    return `| \`${name}\` | ${secret ? "secret" : "plain"} | ${presence} | ${description} |`;
  });
  return ["| Setting | Stored | Default | Description |", "|---|---|---|---|", ...rows].join("\n");
}

const wanted = fill(readFileSync(readme, "utf8"), "settings", settingsTable());
writeOrCheck(readme, wanted, "src/settings/README.md: the table of settings is outdated. Update it: npm run docs");
