/** The program: settings in, resources out. */
import * as pulumi from "@pulumi/pulumi";
import { Connection } from "./src/connection/connection";
import { dotenv, otlpEnvironment, tokenScopes } from "./src/otlp";
import { readSettings } from "./src/settings";

const settings = readSettings();

const registered = new Connection("connection", {
  serviceUrl: settings.serviceUrl,
  serviceApiKeyConfig: `${pulumi.getProject()}:serviceApiKey`,
  platform: settings.platform,
  metricsUrl: settings.metricsUrl,
  metricsUsername: settings.metricsUsername,
  logsUrl: settings.logsUrl,
  logsUsername: settings.logsUsername,
  platformApiKey: settings.platformApiKey,
  registrationTrigger: settings.registrationTrigger,
});

const push = settings.otlpToken.apply((token) =>
  otlpEnvironment({ endpoint: settings.otlpEndpoint, instanceId: settings.otlpInstanceId, token }),
);

/** Where the connection is registered, and since when. */
export const connection = { service: registered.serviceUrl, registeredAt: registered.registeredAt };
/** Environment variables for applications that push directly; secret. */
export const otlp = push;
/** The same as the text of an `.env` file; secret. */
export const otlpDotenv = push.apply(dotenv);
/** Scopes that the token of the push needs. */
export const otlpTokenScopes = tokenScopes(settings.otlpData);
