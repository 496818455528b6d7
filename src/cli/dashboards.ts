/**
 * `npm run dashboards`: renders all dashboards and the recording rules with the settings of the local stack to `dashboards/`, for review and for importing
 * by hand. With `-- --check`, it only compares, and fails if a file differs.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { parse, stringify } from "yaml";
import { openTelemetryAlerts, openTelemetryRequests } from "../alerts/opentelemetry";
import { serviceAlerts } from "../alerts/service";
import { defineDashboards } from "../dashboards/definitions";
import { render } from "../dashboards/normalize";
import { pricesOf } from "../prices/prices";
import { formatProblems, parseSettings, type Settings } from "../settings";
import { genaiRecordingRules } from "../signals/genai";
import { openTelemetryRecordingRules } from "../signals/opentelemetry-rules";
import { alertFile, ruleFile } from "./rule-files";

const root = resolve(__dirname, "../..");

/** Stands for each secret of the local stack. No dashboard contains one. */
const encrypted = "encrypted";

function localSettings(): Settings {
  const { config } = parse(readFileSync(join(root, "Pulumi.local.yaml"), "utf8")) as { config: Record<string, unknown> };
  const entries = Object.entries(config).map(([key, value]) => [key.replace(/.*:/, ""), typeof value === "string" ? value : encrypted]);
  const values: Record<string, string> = Object.fromEntries(entries);
  const result = parseSettings({ values, isSecret: (key) => values[key] === encrypted }, "local");
  if ("problems" in result) throw new Error(formatProblems(result.problems, "local"));
  return result.settings;
}

/** The rendered files by name. */
function files(): Record<string, string> {
  const settings = localSettings();
  const { llmMonitoring, genai, otel } = defineDashboards(settings);
  const dashboards = { "llm-monitoring.json": llmMonitoring, "genai-observability.json": genai, "genai-observability-otel.json": otel };
  const { prometheus, loki, tempo } = settings.datasources;
  const uids = { prometheus: prometheus.uid, loki: loki.uid, tempo: tempo.uid };
  const models = Object.entries(dashboards).flatMap(([name, definition]) => (definition ? [[name, render(definition.model(uids))]] : []));
  const { sdkName, naming, prices } = settings.dashboards;
  const service = settings.service.name;
  // Budgets as examples: without them, the file would lack its rules.
  const limits = { ...settings.alerts, budget: settings.alerts.budget ?? 500, budgets: settings.alerts.budgets ?? { checkout: 50 } };
  const alerts = [...serviceAlerts(service, limits, openTelemetryRequests), ...openTelemetryAlerts(limits, naming)];
  return {
    ...Object.fromEntries(models),
    "rules.yaml": toYaml(
      "Recording rules for Prometheus, Mimir and Grafana Cloud: see src/settings/README.md.",
      ruleFile({
        "llm-observability": genaiRecordingRules(sdkName, naming),
        "llm-observability-otel": openTelemetryRecordingRules(naming, pricesOf(prices), settings.alerts.budgets),
      }),
    ),
    "alerts.yaml": toYaml(
      "Alert rules for Prometheus and Mimir with an Alertmanager: see src/alerts/README.md. They read the series that rules.yaml records.",
      alertFile(alerts, { service }, settings.alerts.runbooks),
    ),
  };
}

const toYaml = (header: string, content: object) => `# ${header} Rendered by npm run dashboards.\n${stringify(content, { lineWidth: 0 })}`;

const { check } = parseArgs({ options: { check: { type: "boolean" } } }).values;
for (const [name, text] of Object.entries(files())) {
  const file = join(root, "dashboards", name);
  if (!check) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) {
    console.error(`dashboards/${name} does not match its definition. Render it: npm run dashboards`);
    process.exitCode = 1;
  }
}
