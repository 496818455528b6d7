/**
 * `npm run dashboards`: renders both models with the settings of the local stack into `dashboards/`, to read, to review, to import by hand.
 * With `-- --check` it only compares, and fails where they are out of step.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { datasourceUids, platformArgs, serviceArgs } from "../arguments";
import { type DashboardModel, render } from "../dashboards/finish";
import { genaiObservability } from "../dashboards/genai-observability";
import { llmMonitoring } from "../dashboards/llm-monitoring";
import { formatProblems, parseSettings, type Settings } from "../settings";
import { keepInStep } from "./generated";

const root = resolve(__dirname, "../..");

/** The local stack's settings. Its secrets stay encrypted: no dashboard needs one. */
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

/** Both models by the names of their files. */
function models(settings: Settings): Record<string, DashboardModel> {
  const { prometheus, loki, tempo } = datasourceUids(settings);
  const { service, links } = serviceArgs(settings, "");
  return {
    "llm-monitoring.json": llmMonitoring({ service, prometheusUid: prometheus, lokiUid: loki, ...links }),
    "genai-observability.json": genaiObservability({
      ...platformArgs(settings).genaiDashboard,
      prometheusUid: prometheus,
      tempoUid: tempo,
    }),
  };
}

for (const [name, model] of Object.entries(models(localSettings()))) {
  const outOfStep = `dashboards/${name} is out of step with its definition. Render it anew: npm run dashboards`;
  keepInStep(join(root, "dashboards", name), render(model), outOfStep);
}
