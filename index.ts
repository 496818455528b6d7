/** The program: settings in, resources out. */
import * as pulumi from "@pulumi/pulumi";
import { checkTargets, connectionSecrets, datasourceCredentials, platformArgs, preflightArgs, serviceArgs } from "./src/arguments";
import { declareChecks } from "./src/checks/command";
import { summaryOf } from "./src/checks/report";
import { dotenv } from "./src/otlp";
import { ObservabilityPlatform } from "./src/platform/platform";
import { preflight } from "./src/platform/preflight";
import { MonitoredService } from "./src/platform/service";
import { readSettings } from "./src/settings";

export = async () => {
  const settings = readSettings();
  const facts = await preflight(preflightArgs(settings));

  const platform = new ObservabilityPlatform("platform", platformArgs(settings, facts));
  const service = new MonitoredService("service", { platform, ...serviceArgs(settings, pulumi.getProject()) });
  const checked = declareChecks(
    "checks",
    {
      targets: checkTargets(settings),
      grafanaAuth: settings.grafanaAuth,
      otlpAuthorization: service.otlpAuthorization,
      connection: connectionSecrets(settings),
      datasourceCredentials: datasourceCredentials(settings),
    },
    { dependsOn: [...platform.resources, ...service.resources] },
  );

  return {
    /** Addresses to click. */
    links: {
      folder: platform.folderUrl,
      llmMonitoring: service.dashboardUrl,
      genaiObservability: platform.genaiDashboardUrl,
    },
    /** Where the connection is registered, and since when. */
    connection: { service: service.connection.serviceUrl, registeredAt: service.connection.registeredAt },
    /** Environment variables for applications that push directly; secret. */
    otlp: service.otlp,
    /** The same as the text of an `.env` file; secret. */
    otlpDotenv: service.otlp.apply(dotenv),
    /** Scopes that the token of the push needs. */
    otlpTokenScopes: service.otlpTokenScopes,
    /** The result of the checks after the last deployment that changed something; `npm run doctor` runs them again and shows the table. */
    checks: checked.stdout.apply(summaryOf),
  };
};
