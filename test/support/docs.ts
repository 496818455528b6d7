/** `npm run docs`: writes the table of settings. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readOptions } from "../../src/cli/options";
import { keyDocs } from "../../src/settings";
import { fill } from "./documents";

const readme = join(__dirname, "../../src/settings/README.md");

/** A row for each setting; one for the settings that differ in the type of the datasource only. */
function settingsTable(): string {
  const rows = new Map<string, string[]>();
  for (const { name, description, secret, required, defaultValue } of keyDocs()) {
    const presence = defaultValue !== undefined ? `\`${defaultValue}\`` : required ? "required" : "optional";
    const generic = /^(prometheus|loki|tempo)(Url|Username|Password)$/.test(name)
      ? description.replace(/Prometheus|Loki|Tempo/g, "the server").replace(/`\w+Username`/, "the user name")
      : description;
    const row = `${secret ? "secret" : "plain"} | ${presence} | ${generic} |`;
    rows.set(row, [...(rows.get(row) ?? []), `\`${name}\``]);
  }
  return [
    "| Setting | Stored | Default | Description |",
    "|---|---|---|---|",
    ...[...rows].map(([row, names]) => `| ${names.join(", ")} | ${row}`),
  ].join("\n");
}

const usage = `Usage: npm run docs [-- --check]

Writes the table of settings in src/settings/README.md.

  --check          only compare it

Exit codes: 0 written, or the same; 1 it differs.`;

const { check } = readOptions(usage, { check: { type: "boolean" } }).values;
const present = readFileSync(readme, "utf8");
const wanted = fill(present, "settings", settingsTable());
if (!check) writeFileSync(readme, wanted);
else if (present !== wanted) {
  console.error("src/settings/README.md: the table of settings is outdated. Update it: npm run docs");
  process.exitCode = 1;
}
