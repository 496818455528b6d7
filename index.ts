/** The program: settings in, resources out. */
import * as pulumi from "@pulumi/pulumi";
import { defineAlerts } from "./src/alerts/definitions";
import { declareChecks } from "./src/checks/command";
import { summaryOf } from "./src/checks/table";
import { defineDashboards } from "./src/dashboards/definitions";
import { dotenv } from "./src/otlp";
import { formerProvider, ObservabilityPlatform } from "./src/platform/platform";
import { preflight } from "./src/platform/preflight";
import { grafanaProvider } from "./src/platform/provider";
import { createPushToken } from "./src/platform/push-token";
import { MonitoredService } from "./src/platform/service";
import { readSettings } from "./src/settings";

export = async () => {
  const settings = readSettings();
  const { connection, datasources, folder, otlp } = settings;
  const { llmMonitoring, all: definitions } = defineDashboards(settings);
  const alerts = defineAlerts(settings);
  const recordsInGrafana = settings.dashboards.recordingRules === "grafana";

  const { url, auth, caCert } = settings.grafana;
  const provider = grafanaProvider("grafana", { url, auth, ...(caCert && { caCert }) }, formerProvider("platform-grafana"));
  // Only reads Grafana, and ends the program before it declares a resource there if there is a problem.
  await preflight(provider, { ...settings, definitions, recordsInGrafana, alerts: alerts.all });

  const protect = settings.grafana.protect === "on";
  const platform = new ObservabilityPlatform(
    "platform",
    {
      ...settings.grafana, // Its address, and which of the resources this stack manages.
      datasources, // Prometheus, Loki and Tempo: those with an address are created.
      folder, // Also its permissions, if a setting asks for them.
      dashboards: definitions.filter(({ sdk }) => sdk), // "GenAI Observability" and "GenAI Observability (OpenTelemetry)".
      recordingRules: recordsInGrafana ? definitions.flatMap(({ sdk }) => sdk?.rules ?? []) : [],
      alerts: alerts.ofSdks,
    },
    { providers: [provider], protect },
  );

  // The token of applications that push directly: of the settings, or created on Grafana Cloud.
  let token = otlp.token as pulumi.Output<string>;
  const { cloudAccessPolicyToken, instanceId, cloudRegion: region = "" } = otlp;
  const scopes = otlp.data.map((type) => `${type}:write`);
  if (cloudAccessPolicyToken) {
    // A provider of its own: if the setting is removed, its resources are still deleted with the stored token.
    const cloud = grafanaProvider("grafana-cloud", { cloudAccessPolicyToken }, formerProvider("platform-cloud"));
    token = createPushToken("service", { instanceId, region, scopes, protect }, { provider: cloud });
  }

  const service = new MonitoredService(
    "service",
    {
      platform,
      dashboard: llmMonitoring, // "<service> - LLM Monitoring".
      alerts: alerts.ofService,
      // Registered with POST {serviceUrl}/api/connections.
      connection: { ...connection, serviceApiKeyConfig: `${pulumi.getProject()}:serviceApiKey` },
      otlp: { ...otlp, token, captureContents: settings.dashboards.contents === "show" },
    },
    { protect },
  );

  // Run after all resources exist, and again when a deployment changes what they check.
  const checks = declareChecks(
    "checks",
    {
      ...settings,
      definitions,
      rules: alerts.titles,
      otlpAuthorization: service.otlpAuthorization,
    },
    { dependsOn: [platform, service] },
  );

  return {
    links: {
      folder: platform.folderUrl,
      llmMonitoring: service.dashboardUrl,
      genaiObservability: platform.dashboardUrls["genai-observability"],
      genaiObservabilityOtel: platform.dashboardUrls["genai-observability-otel"],
    },
    connection: { service: service.connection.serviceUrl, registeredAt: service.connection.registeredAt },
    /** Environment variables for applications that push directly; secret. */
    otlp: service.otlp,
    /** The same variables as the text of an `.env` file; secret. */
    otlpDotenv: service.otlp.apply(dotenv),
    otlpTokenScopes: scopes,
    /** The result of the last checks, which run if a deployment changes one of their inputs. `npm run doctor` runs them at any time. */
    checks: checks.stdout.apply(summaryOf),
  };
};
