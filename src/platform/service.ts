/** The resources that exist once per monitored service: its dashboard, its connection, and the settings of the OTLP push. */
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import { Connection, type ConnectionArgs } from "../connection/connection";
import { type OtlpData, type OtlpEnvironment, otlpAuthorization, otlpEnvironment, tokenScopes } from "../otlp";
import { userError } from "../text/user-error";
import { type AlertsArgs, createAlertRules } from "./alerts";
import { createDashboard, type DashboardDefinition } from "./dashboard";
import { qualifiedStack } from "./ownership";
import type { ObservabilityPlatform } from "./platform";

/** The token of the push, or where to create it on Grafana Cloud. */
export type PushToken = pulumi.Output<string> | { region: string };

export interface MonitoredServiceArgs {
  /** The platform that the service writes to. */
  platform: ObservabilityPlatform;
  /** The dashboard "LLM Monitoring" of the service. Its uid and title are unique in a platform. */
  dashboard: DashboardDefinition;
  /** The alert rules on the samples of the service. Their titles are unique in a platform. Defaults to none. */
  alerts?: AlertsArgs | undefined;
  connection: ConnectionArgs;
  otlp: {
    /** The platform's OTLP endpoint, without the path of a signal. */
    endpoint: string;
    /** On Grafana Cloud, the id of the stack. */
    instanceId: string;
    data: readonly OtlpData[];
    /** Whether applications may record prompts and completions. */
    captureContents: boolean;
    token: PushToken;
  };
}

export class MonitoredService extends pulumi.ComponentResource {
  /** Address of "LLM Monitoring" in a browser. */
  readonly dashboardUrl: pulumi.Output<string>;
  readonly connection: Connection;
  /** Environment variables for applications that push directly; secret. */
  readonly otlp: pulumi.Output<OtlpEnvironment>;
  /** The `Authorization` header of the push; secret. */
  readonly otlpAuthorization: pulumi.Output<string>;
  /** Scopes that the token of the push needs. */
  readonly otlpTokenScopes: string[];
  /** The resources that must exist before the service can be checked. */
  readonly resources: pulumi.Resource[];

  constructor(name: string, args: MonitoredServiceArgs, options?: pulumi.ComponentResourceOptions) {
    super("llm-observability:platform:MonitoredService", name, {}, options);
    const { platform, otlp } = args;
    const { provider, folderUid: folder, owner, adoption } = platform;
    const dashboardOptions = { parent: this, provider, dependsOn: platform.resources };
    const dashboards = args.dashboard.managed
      ? [createDashboard(`${name}-llm-monitoring`, args.dashboard, { folder, owner }, adoption, dashboardOptions)]
      : [];
    const alertOptions = { ...dashboardOptions, dependsOn: [...platform.resources, ...dashboards] };
    const alerts = args.alerts ? createAlertRules(`${name}-`, args.alerts, folder, alertOptions) : [];
    // Last: a stack that fails to create its dashboards, because another stack was faster, registers no connection.
    this.connection = new Connection(`${name}-connection`, args.connection, {
      parent: this,
      dependsOn: [provider, ...platform.resources, ...dashboards, ...alerts],
    });
    this.otlpTokenScopes = tokenScopes(otlp.data);
    const token = pulumi.Output.isInstance(otlp.token)
      ? otlp.token
      : createPushToken(name, { ...otlp.token, stackId: otlp.instanceId }, this.otlpTokenScopes, {
          parent: this,
          provider: cloudProviderOf(platform),
        });
    this.otlpAuthorization = token.apply((plain) => otlpAuthorization(otlp.instanceId, plain));
    this.otlp = this.otlpAuthorization.apply((authorization) => otlpEnvironment(otlp.endpoint, authorization, otlp.captureContents));

    this.dashboardUrl = dashboards[0]?.url ?? pulumi.output(`${platform.url}/d/${args.dashboard.uid}`);
    this.resources = [...dashboards, ...alerts, this.connection];
    this.registerOutputs({ dashboardUrl: this.dashboardUrl });
  }
}

function cloudProviderOf({ cloudProvider }: ObservabilityPlatform): grafana.Provider {
  if (!cloudProvider) throw userError("To create a push token, the platform needs cloudAccessPolicyToken.");
  return cloudProvider;
}

/** Creates an access policy with exactly the scopes of the push, and a token of it. */
function createPushToken(
  name: string,
  { region, stackId }: { region: string; stackId: string },
  scopes: string[],
  parentOptions: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
  // Pulumi generates the name, which must be unique in an organization with tokens of other stacks. Once created, a token keeps its name even if
  // Pulumi would generate another one, because a new name replaces the token. The display name identifies the stack.
  const options = { ...parentOptions, ignoreChanges: ["name"] };
  const displayName = `OTLP push of ${qualifiedStack()}: ${name}`;
  const policy = new grafana.cloud.AccessPolicy(
    `${name}-otlp-push`,
    { displayName, region, scopes, realms: [{ type: "stack", identifier: stackId }] },
    options,
  );
  const token = new grafana.cloud.AccessPolicyToken(`${name}-otlp-push`, { displayName, region, accessPolicyId: policy.policyId }, options);
  return pulumi.secret(token.token);
}
