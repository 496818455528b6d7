/** The checks as a resource: they run after all other resources, and again only when one of their inputs changes. */
import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { ConnectionBody } from "../connection/registration";
import type { DatasourceArgs } from "../platform/datasources";
import { type CheckSecrets, type CheckTargets, secretsVariable, targetsVariable } from "./input";

export interface DeploymentChecksArgs {
  targets: CheckTargets;
  grafanaAuth: pulumi.Output<string>;
  /** Value of the header `Authorization` of the push; secret. */
  otlpAuthorization: pulumi.Output<string>;
  /** The registered connection and the service's API key; only with the setting verifyConnection. */
  connection: { serviceApiKey: pulumi.Input<string>; body: ConnectionBody<pulumi.Input<string>> } | undefined;
  /** The datasources, for a fingerprint that changes with their credentials. */
  datasources: DatasourceArgs[];
}

/** The credentials of the checks. */
export const checkSecrets = (args: Omit<DeploymentChecksArgs, "targets">): pulumi.Output<CheckSecrets> =>
  pulumi
    .all([args.grafanaAuth, args.otlpAuthorization, pulumi.output(args.connection), pulumi.output(args.datasources)])
    .apply(([grafanaAuth, otlpAuthorization, connection, datasources]): CheckSecrets => {
      const datasourceFingerprint = createHash("sha256").update(JSON.stringify(datasources)).digest("hex");
      const datasourceSecrets = datasources.flatMap(({ password }) => password ?? []);
      return { grafanaAuth, otlpAuthorization, connection, datasourceFingerprint, datasourceSecrets };
    });

/** Declares the checks. `dependsOn` must contain all resources that are checked. */
export function declareChecks(name: string, args: DeploymentChecksArgs, options: pulumi.CustomResourceOptions): local.Command {
  // The command runs in the program's folder. The relative paths are the same on every machine.
  const path = (file: string) => `"./${relative(process.cwd(), join(__dirname, file)).replaceAll("\\", "/")}"`;
  return new local.Command(
    name,
    {
      create: `node -r ${path("../load.cjs")} ${path("main.ts")}`,
      environment: {
        [targetsVariable]: JSON.stringify(args.targets),
        [secretsVariable]: pulumi.secret(pulumi.jsonStringify(checkSecrets(args))),
      },
    },
    options,
  );
}
