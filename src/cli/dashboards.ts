/** `npm run dashboards`: renders the dashboards and rules of the repository. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { defineDashboards } from "../dashboards/definitions";
import { render } from "../dashboards/normalize";
import { type Settings, settingsOf } from "../settings";
import { readOptions } from "./options";
import { ruleTexts } from "./rule-files";

const root = resolve(__dirname, "../..");

/** Stands for each secret of the local stack. No dashboard contains one. */
const encrypted = "encrypted";

function localSettings(): Settings {
  const { config } = parse(readFileSync(join(root, "Pulumi.local.yaml"), "utf8")) as { config: Record<string, unknown> };
  const entries = Object.entries(config).map(([key, value]) => [key.replace(/.*:/, ""), typeof value === "string" ? value : encrypted]);
  const values: Record<string, string> = Object.fromEntries(entries);
  return settingsOf({ values, isSecret: (key) => values[key] === encrypted }, "local").settings;
}

const usage = `Usage: npm run dashboards [-- --check]

Renders all dashboards and the rules with the settings of the stack local to dashboards/, for review and for importing by hand. For the
rules of another stack: npm run rules.

  --check          only compare the files

Exit codes: 0 written, or the same; 1 a file differs.`;

const { check } = readOptions(usage, { check: { type: "boolean" } }).values;
const settings = localSettings();
const { prometheus, loki, tempo } = settings.datasources;
const uids = { prometheus: prometheus.uid, loki: loki.uid, tempo: tempo.uid };
const models = defineDashboards(settings).all.map(({ part, model }) => [`${part}.json`, render(model(uids))] as const);
const { rules = "", alerts = "" } = ruleTexts(settings, "npm run dashboards");
for (const [name, text] of [...models, ["rules.yaml", rules], ["alerts.yaml", alerts]] as const) {
  const file = join(root, "dashboards", name);
  if (!check) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) {
    console.error(`dashboards/${name} does not match its definition. Render it: npm run dashboards`);
    process.exitCode = 1;
  }
}
