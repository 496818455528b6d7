/** The checks as a resource: run after everything else, and again only when something that they check changed. */
import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { ConnectionBody } from "../connection/registration";
import { type CheckSecrets, type CheckTargets, secretsVariable, targetsVariable } from "./input";

export interface DeploymentChecksArgs {
  targets: pulumi.Input<CheckTargets>;
  grafanaAuth: pulumi.Output<string>;
  /** The value of the `Authorization` header of the push; secret. */
  otlpAuthorization: pulumi.Output<string>;
  /** The connection as registered, and the service's own key, where the service is asked what is in place. */
  connection: { serviceApiKey: pulumi.Input<string>; body: { [K in keyof ConnectionBody]: pulumi.Input<string> } } | undefined;
  /** All that grants access to the datasources, for a fingerprint that changes with it. */
  datasourceCredentials: pulumi.Input<pulumi.Input<DatasourceCredentials>[]>;
}

/** What grants access to one datasource. */
export interface DatasourceCredentials {
  username: string | undefined;
  password: pulumi.Input<string> | undefined;
  token: pulumi.Input<string> | undefined;
  tenant: string | undefined;
  caCert: string | undefined;
}

/** Declares the checks. `dependsOn` of the options must hold everything that is checked. */
export function declareChecks(name: string, args: DeploymentChecksArgs, options: pulumi.CustomResourceOptions): local.Command {
  const secrets = pulumi
    .all([args.grafanaAuth, args.otlpAuthorization, pulumi.output(args.connection), pulumi.output(args.datasourceCredentials)])
    .apply(([grafanaAuth, otlpAuthorization, connection, credentials]): CheckSecrets => {
      const datasourceFingerprint = createHash("sha256").update(JSON.stringify(credentials)).digest("hex");
      const datasourceSecrets = credentials.flatMap(({ password, token }) => [password, token]).filter((secret) => secret !== undefined);
      return { grafanaAuth, otlpAuthorization, connection, datasourceFingerprint, datasourceSecrets };
    });
  // The command runs in the program's folder. A path from there to this package is the same on every machine.
  const script = relative(process.cwd(), join(__dirname, "main.ts")).replaceAll("\\", "/");
  return new local.Command(
    name,
    {
      create: `node -r ts-node/register "${script}"`,
      environment: {
        [targetsVariable]: pulumi.jsonStringify(args.targets),
        [secretsVariable]: pulumi.secret(pulumi.jsonStringify(secrets)),
      },
    },
    options,
  );
}
