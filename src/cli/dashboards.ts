/**
 * `npm run dashboards`: renders all dashboards and the recording rules with the settings of the local stack to `dashboards/`, for review and for importing
 * by hand. With `-- --check`, it only compares, and fails if a file differs.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { openTelemetryAlerts, openTelemetryRequests } from "../alerts/opentelemetry";
import { serviceAlerts } from "../alerts/service";
import { defineDashboards } from "../dashboards/definitions";
import { render } from "../dashboards/normalize";
import { formatProblems, parseSettings, type Settings } from "../settings";
import { genaiRecordingRules } from "../signals/genai";
import { openTelemetryRecordingRules } from "../signals/opentelemetry-rules";
import { writeOrCheck } from "./generated";
import { alertFile, ruleFile } from "./rule-files";

const root = resolve(__dirname, "../..");

/** The settings of the local stack. Secrets stay encrypted: no dashboard contains one. */
function localSettings(): Settings {
  const { config } = parse(readFileSync(join(root, "Pulumi.local.yaml"), "utf8")) as {
    config: Record<string, string | { secure: string }>;
  };
  const entries = Object.entries(config).map(([key, value]) => [key.split(":")[1] ?? "", value] as const);
  const encrypted = new Set(entries.filter(([, value]) => typeof value === "object").map(([key]) => key));
  const values = Object.fromEntries(entries.map(([key, value]) => [key, typeof value === "object" ? "encrypted" : String(value)]));
  const result = parseSettings({ values, isSecret: (key) => encrypted.has(key) }, "local");
  if ("problems" in result) throw new Error(formatProblems(result.problems, "local"));
  return result.settings;
}

const settings = localSettings();
const { llmMonitoring, genai, otel } = defineDashboards(settings);
const dashboards = { "llm-monitoring.json": llmMonitoring, "genai-observability.json": genai, "genai-observability-otel.json": otel };
const { prometheus, loki, tempo } = settings.datasources;
const uids = { prometheus: prometheus.uid, loki: loki.uid, tempo: tempo.uid };
for (const [name, definition] of Object.entries(dashboards)) {
  if (!definition) continue; // Not with the settings of the local stack.
  const message = `dashboards/${name} does not match its definition. Render it: npm run dashboards`;
  writeOrCheck(join(root, "dashboards", name), render(definition.model(uids)), message);
}
const { sdkName, naming } = settings.dashboards;
const serviceName = settings.service.name;
const sdkRequests = openTelemetryRequests(naming);
// A budget as an example: without one, the file would lack its rules.
const limits = { ...settings.alerts, budget: settings.alerts.budget ?? 500 };
const alerts = [...serviceAlerts(serviceName, limits, sdkRequests), ...openTelemetryAlerts(limits, naming)];
const files = {
  "rules.yaml": {
    header: "Recording rules for Prometheus, Mimir and Grafana Cloud: see src/settings/README.md.",
    content: ruleFile({
      "llm-observability": genaiRecordingRules(sdkName, naming),
      "llm-observability-otel": openTelemetryRecordingRules(naming),
    }),
  },
  "alerts.yaml": {
    header:
      "Alert rules for Prometheus and Mimir with an Alertmanager: see src/alerts/README.md. They read the series that rules.yaml records.",
    content: alertFile(alerts, { service: serviceName }, settings.alerts.runbooks),
  },
};
for (const [name, { header, content }] of Object.entries(files)) {
  const text = `# ${header} Rendered by npm run dashboards.\n${stringify(content, { lineWidth: 0 })}`;
  writeOrCheck(join(root, "dashboards", name), text, `dashboards/${name} does not match its definition. Render it: npm run dashboards`);
}
