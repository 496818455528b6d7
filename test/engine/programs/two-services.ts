/** Two monitored services on one platform. They have different names and addresses. */
import * as pulumi from "@pulumi/pulumi";
import { defineDashboards, llmMonitoringDashboard } from "../../../src/dashboards/definitions";
import { ObservabilityPlatform } from "../../../src/platform/platform";
import { preflight } from "../../../src/platform/preflight";
import { MonitoredService } from "../../../src/platform/service";
import { readSettings } from "../../../src/settings";

export = async () => {
  const { alerts: _, ...settings } = readSettings();
  const { llmMonitoring, genai, otel, all } = defineDashboards({ ...settings, alerts: _ });
  const other = llmMonitoringDashboard("other");
  const facts = preflight({ ...settings, definitions: [...all, other] });
  const platform = new ObservabilityPlatform("platform", { ...settings, facts, genaiDashboard: genai, otelDashboard: otel });
  const connection = { ...settings.connection, serviceApiKeyConfig: `${pulumi.getProject()}:serviceApiKey` };
  new MonitoredService("service", { ...settings, platform, dashboard: llmMonitoring, connection });
  const serviceUrl = `${connection.serviceUrl}/other`;
  new MonitoredService("second", { ...settings, platform, dashboard: other, connection: { ...connection, serviceUrl } });
};
