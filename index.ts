/** The program: settings in, resources out. */
import * as pulumi from "@pulumi/pulumi";
import { defineAlerts } from "./src/alerts/definitions";
import { declareChecks } from "./src/checks/command";
import { summaryOf } from "./src/checks/table";
import { defineDashboards } from "./src/dashboards/definitions";
import { dotenv } from "./src/otlp";
import { ObservabilityPlatform } from "./src/platform/platform";
import { preflight } from "./src/platform/preflight";
import { refuseExisting } from "./src/platform/refusal";
import { MonitoredService } from "./src/platform/service";
import { readSettings } from "./src/settings";

export = async () => {
  const settings = readSettings();
  const { grafana, adoption, datasources, folder, connection, otlp } = settings;
  const { llmMonitoring, genai, otel, all: definitions } = defineDashboards(settings);
  const alerts = defineAlerts(settings);
  const recordsInGrafana = settings.dashboards.recordingRules === "grafana";

  // Only reads, while the resources are declared. These wait for it, so that nothing is changed before it has passed.
  const facts = preflight({ ...settings, definitions, recordsInGrafana, alerts: alerts.all });

  // What exists once in Grafana.
  const platform = new ObservabilityPlatform("platform", {
    grafana,
    cloudAccessPolicyToken: otlp.cloudAccessPolicyToken,
    facts,
    adoption,
    datasources, // Prometheus, Loki and Tempo: those with an address are created.
    folder, // Also its permissions, if a setting asks for them.
    genaiDashboard: genai, // "GenAI Observability".
    otelDashboard: otel, // "GenAI Observability (OpenTelemetry)".
    recordingRules: recordsInGrafana ? definitions.flatMap(({ sdk }) => sdk?.rules ?? []) : [],
    alerts: alerts.ofSdks,
  });

  // What exists once for the service.
  const service = new MonitoredService("service", {
    platform,
    dashboard: llmMonitoring, // "<service> - LLM Monitoring".
    alerts: alerts.ofService,
    // Registered with POST {serviceUrl}/api/connections.
    connection: { ...connection, serviceApiKeyConfig: `${pulumi.getProject()}:serviceApiKey` },
    // The variables of the direct push. Its token is created if none is set.
    otlp: { ...otlp, captureContents: settings.dashboards.contents === "show" },
  });
  const resources = [...platform.resources, ...service.resources];
  await refuseExisting((await facts).found, resources);

  // Run after all resources exist, and again when a deployment changes what they check.
  const checks = declareChecks(
    "checks",
    { ...settings, definitions, otlpAuthorization: service.otlpAuthorization },
    { dependsOn: resources },
  );

  return {
    /** Addresses in a browser. */
    links: {
      folder: platform.folderUrl,
      llmMonitoring: service.dashboardUrl,
      ...(platform.genaiDashboardUrl && { genaiObservability: platform.genaiDashboardUrl }),
      ...(platform.otelDashboardUrl && { genaiObservabilityOtel: platform.otelDashboardUrl }),
    },
    /** The service that holds the connection, and the time of the registration. */
    connection: { service: service.connection.serviceUrl, registeredAt: service.connection.registeredAt },
    /** Environment variables for applications that push directly; secret. */
    otlp: service.otlp,
    /** The same variables as the text of an `.env` file; secret. */
    otlpDotenv: service.otlp.apply(dotenv),
    /** Scopes that the token of the push needs. */
    otlpTokenScopes: service.otlpTokenScopes,
    /** The result of the last checks. They run if a deployment changes one of their inputs; `npm run doctor` runs them at any time. */
    checks: checks.stdout.apply(summaryOf),
  };
};
