/** `npm run docs`: writes the table of settings, the runbooks of alerts and the tables of panels. With `-- --check`, it only compares them and fails if one differs. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTelemetryAlerts } from "../../src/alerts/opentelemetry";
import { serviceAlerts } from "../../src/alerts/service";
import { readOptions } from "../../src/cli/options";
import { keyDocs } from "../../src/settings";
import { fill } from "./documents";
import { exampleA, exampleB, type Panel, shownOf } from "./models";

/** A row for each setting; one for settings that differ in the server only. */
function settingsTable(): string {
  const rows = new Map<string, string[]>();
  for (const { name, description, secret, required, defaultValue } of keyDocs()) {
    const presence = defaultValue !== undefined ? `\`${defaultValue}\`` : required ? "required" : "optional";
    const generic = /^(prometheus|loki|tempo)(Url|Auth)$/.test(name)
      ? description.replace(/Prometheus|Loki|Tempo/g, "the server")
      : description.replace(/(?<=^The CA certificate of ).*?(?=, in)/, "the server");
    const row = `${secret ? "secret" : "plain"} | ${presence} | ${generic} |`;
    rows.set(row, [...(rows.get(row) ?? []), `\`${name}\``]);
  }
  return [
    "| Setting | Stored | Default | Description |",
    "|---|---|---|---|",
    ...[...rows].map(([row, names]) => `| ${names.join(", ")} | ${row}`),
  ].join("\n");
}

/** A section for each alert, with its steps. */
function runbooks(): string {
  const limits = { errorRate: 1, latency: 30, budget: 1, budgets: { checkout: 1 } };
  const service = [true, false].flatMap((withSdks) => serviceAlerts("llmobs", limits, withSdks));
  const all = new Map([...openTelemetryAlerts(limits), ...service].map((rule) => [rule.runbook, rule]));
  const sections = [...all.values()].map(({ runbook, severity, criticalFrom, summary, steps }) => {
    const when = criticalFrom === undefined ? severity : "warning or critical";
    const list = steps.map((step, index) => `${index + 1}. ${step}`).join("\n");
    return `### ${runbook}\n${summary.replace(/^llmobs/, "The service")} (${when})\n${list}`;
  });
  return sections.join("\n");
}

/** The panels of the dashboards that the specification defines: title, type, and the first sentence of the description. */
function panelsTable(): string {
  const cell = ({ title, type, description = "" }: Panel) =>
    `**${title || "(no title)"}** (${type})${description && `: ${/^.*?(?=\.( |$))/m.exec(description)?.[0]}`}`;
  const rows = [exampleA, exampleB].map((model) => `| ${model.title} | ${shownOf(model).map(cell).join("<br>")} |`);
  return ["| Dashboard | Panels |", "|---|---|", ...rows].join("\n");
}

const usage = `Usage: npm run docs [-- --check]

Writes the table of settings in src/settings/README.md, the runbooks in src/alerts/README.md and the panels in dashboards/README.md.

  --check          only compare them

Exit codes: 0 written, or the same; 1 one differs.`;

const { check } = readOptions(usage, { check: { type: "boolean" } }).values;
for (const [file, name, text] of [
  ["src/settings/README.md", "settings", settingsTable()],
  ["src/alerts/README.md", "runbooks", runbooks()],
  ["dashboards/README.md", "panels", panelsTable()],
] as const) {
  const path = join(__dirname, "../..", file);
  const present = readFileSync(path, "utf8");
  const wanted = fill(present, name, text);
  if (!check) writeFileSync(path, wanted);
  else if (present !== wanted) {
    console.error(`${file}: ${name} is outdated. Update it: npm run docs`);
    process.exitCode = 1;
  }
}
