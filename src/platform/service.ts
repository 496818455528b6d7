/** The resources that exist once per monitored service: its dashboard, its connection, and the settings of the OTLP push. */
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import type { Alerts } from "../alerts/definitions";
import { Connection, type ConnectionArgs } from "../connection/connection";
import type { DashboardDefinition } from "../dashboards/definitions";
import { type OtlpData, type OtlpEnvironment, otlpAuthorization, otlpEnvironment, tokenScopes } from "../otlp";
import { userError } from "../text/user-error";
import { createAlertRules } from "./alerts";
import { createDashboard, isManaged } from "./dashboard";
import { qualifiedStack } from "./ownership";
import type { ObservabilityPlatform } from "./platform";

export interface MonitoredServiceArgs {
  /** The platform that the service writes to. */
  platform: ObservabilityPlatform;
  /** The dashboard "LLM Monitoring" of the service. Its uid and title are unique in a platform. */
  dashboard: DashboardDefinition;
  /** The alert rules on the samples of the service. Their titles are unique in a platform. Defaults to none. */
  alerts?: Alerts | undefined;
  connection: ConnectionArgs;
  otlp: {
    /** The platform's OTLP endpoint, without the path of a signal. */
    endpoint: pulumi.Input<string>;
    /** On Grafana Cloud, the id of the stack. */
    instanceId: pulumi.Input<string>;
    /** Defaults to metrics and traces. */
    data?: readonly OtlpData[] | undefined;
    /** Whether applications may record prompts and completions. Defaults to true. */
    captureContents?: boolean | undefined;
    /** The token of the push. Without it, the stack creates one on Grafana Cloud, in `cloudRegion`. */
    token?: pulumi.Input<string> | undefined;
    cloudRegion?: pulumi.Input<string> | undefined;
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
    const { platform, dashboard, otlp } = args;
    const { provider, adoption, datasources, folderUid: folder, owner } = platform;
    const afterPlatform = { parent: this, provider, dependsOn: platform.resources };
    const isOwn = isManaged(dashboard, platform.managedResources);
    const surroundings = { folder, owner, datasources };
    const dashboards = isOwn ? [createDashboard(`${name}-llm-monitoring`, dashboard, surroundings, adoption, afterPlatform)] : [];
    const afterDashboard = { ...afterPlatform, dependsOn: [...platform.resources, ...dashboards] };
    const { prometheus } = datasources;
    const alerts =
      isOwn && args.alerts
        ? createAlertRules(`${name}-`, args.alerts, { folder, prometheus, dashboard: dashboard.uid }, afterDashboard)
        : [];
    // Last: a stack that fails to create its dashboards, because another stack was faster, registers no connection.
    this.connection = new Connection(`${name}-connection`, args.connection, {
      parent: this,
      dependsOn: [provider, ...platform.resources, ...dashboards, ...alerts],
    });
    this.otlpTokenScopes = tokenScopes(otlp.data ?? ["metrics", "traces"]);
    const token = otlp.token ?? createPushToken(name, otlp, this.otlpTokenScopes, { parent: this, provider: cloudProviderOf(platform) });
    this.otlpAuthorization = pulumi.secret(pulumi.all([otlp.instanceId, token]).apply(([id, plain]) => otlpAuthorization(id, plain)));
    this.otlp = pulumi
      .all([otlp.endpoint, this.otlpAuthorization])
      .apply(([endpoint, authorization]) => otlpEnvironment(endpoint, authorization, otlp.captureContents ?? true));

    this.dashboardUrl = dashboards[0]?.url ?? pulumi.interpolate`${platform.url}/d/${dashboard.uid}`;
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
  { instanceId, cloudRegion }: MonitoredServiceArgs["otlp"],
  scopes: string[],
  parentOptions: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
  const region = cloudRegion ?? "";
  // Pulumi generates the name, which must be unique in an organization with tokens of other stacks. Once created, a token keeps its name even if
  // Pulumi would generate another one, because a new name replaces the token. The display name identifies the stack.
  const options = { ...parentOptions, ignoreChanges: ["name"] };
  const displayName = `OTLP push of ${qualifiedStack()}: ${name}`;
  const policy = new grafana.cloud.AccessPolicy(
    `${name}-otlp-push`,
    { displayName, region, scopes, realms: [{ type: "stack", identifier: instanceId }] },
    options,
  );
  const token = new grafana.cloud.AccessPolicyToken(`${name}-otlp-push`, { displayName, region, accessPolicyId: policy.policyId }, options);
  return pulumi.secret(token.token);
}
