/** One platform and as many monitored services as the environment says. */
import * as pulumi from "@pulumi/pulumi";
import { defineDashboards, llmMonitoringDashboard } from "../../../src/dashboards/definitions";
import { ObservabilityPlatform } from "../../../src/platform/platform";
import { preflight } from "../../../src/platform/preflight";
import { MonitoredService } from "../../../src/platform/service";
import { readSettings } from "../../../src/settings";

export = async () => {
  const settings = readSettings();
  const { connection } = settings;
  const { genai, otel } = defineDashboards(settings);
  const dashboards = Array.from({ length: Number(process.env.BENCH_SERVICES) }, (_, place) =>
    llmMonitoringDashboard(`service${place + 1}`),
  );
  const facts = preflight({ ...settings, definitions: dashboards, alerts: [] });
  const platform = new ObservabilityPlatform("platform", {
    ...settings,
    facts,
    genaiDashboard: genai,
    otelDashboard: otel,
    alerts: undefined,
  });
  const serviceApiKeyConfig = `${pulumi.getProject()}:serviceApiKey`;
  for (const dashboard of dashboards) {
    const serviceUrl = `${connection.serviceUrl}/${dashboard.uid}`;
    new MonitoredService(dashboard.uid, {
      ...settings,
      platform,
      dashboard,
      alerts: undefined,
      connection: { ...connection, serviceUrl, serviceApiKeyConfig },
    });
  }
};
