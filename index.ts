/** The program: settings in, resources out. */
import * as pulumi from "@pulumi/pulumi";
import { checkTargets, connectionSecrets, datasourceCredentials, platformArgs, serviceArgs } from "./src/arguments";
import { declareChecks } from "./src/checks/command";
import { authorizationOf, dotenv } from "./src/otlp";
import { ObservabilityPlatform } from "./src/platform/platform";
import { MonitoredService } from "./src/platform/service";
import { readSettings } from "./src/settings";

const settings = readSettings();

const platform = new ObservabilityPlatform("platform", platformArgs(settings));
const service = new MonitoredService("service", { platform, ...serviceArgs(settings, pulumi.getProject()) });
const checked = declareChecks(
  "checks",
  {
    targets: checkTargets(settings),
    grafanaAuth: settings.grafanaAuth,
    otlpAuthorization: service.otlp.apply(authorizationOf),
    connection: connectionSecrets(settings),
    datasourceCredentials: datasourceCredentials(settings),
  },
  { dependsOn: [...platform.resources, ...service.resources] },
);

/** Addresses to click. */
export const links = {
  folder: platform.folderUrl,
  llmMonitoring: service.dashboardUrl,
  genaiObservability: platform.genaiDashboardUrl,
};
/** Where the connection is registered, and since when. */
export const connection = { service: service.connection.serviceUrl, registeredAt: service.connection.registeredAt };
/** Environment variables for applications that push directly; secret. */
export const otlp = service.otlp;
/** The same as the text of an `.env` file; secret. */
export const otlpDotenv = service.otlp.apply(dotenv);
/** Scopes that the token of the push needs. */
export const otlpTokenScopes = service.otlpTokenScopes;
/** What the checks after the last deployment that changed something said. */
export const checks = checked.stdout;
