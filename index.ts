/** The program: settings in, resources out. */
import * as pulumi from "@pulumi/pulumi";
import { checksArgs, platformArgs, preflightArgs, serviceArgs } from "./src/arguments";
import { declareChecks } from "./src/checks/command";
import { summaryOf } from "./src/checks/table";
import { dotenv } from "./src/otlp";
import { ObservabilityPlatform } from "./src/platform/platform";
import { preflight } from "./src/platform/preflight";
import { refuseExisting } from "./src/platform/refusal";
import { MonitoredService } from "./src/platform/service";
import { readSettings } from "./src/settings";

export = async () => {
  const settings = readSettings();
  // The credentials of Grafana wait for it, and with them all resources: nothing is changed before it has passed.
  const facts = preflight(preflightArgs(settings));

  const platform = new ObservabilityPlatform("platform", platformArgs(settings, facts));
  const service = new MonitoredService("service", { platform, ...serviceArgs(settings, pulumi.getProject()) });
  await refuseExisting((await facts).found, [...platform.resources, ...service.resources]);
  const checks = declareChecks(
    "checks",
    { ...checksArgs(settings), otlpAuthorization: service.otlpAuthorization },
    { dependsOn: [...platform.resources, ...service.resources] },
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
