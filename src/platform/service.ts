/** What exists once for each monitored service: its dashboard, its connection, and the settings of the push. */
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import { Connection, type ConnectionArgs } from "../connection/connection";
import { llmMonitoring } from "../dashboards/models";
import { llmMonitoringUid } from "../dashboards/names";
import { type OtlpData, type OtlpEnvironment, otlpAuthorization, otlpEnvironment, tokenScopes } from "../otlp";
import { userError } from "../text/user-error";
import { createDashboard } from "./dashboard";
import type { ObservabilityPlatform } from "./platform";

/** The token of the push: given, or made on Grafana Cloud. */
export type PushToken = pulumi.Output<string> | { region: string; stackId: string };

export interface MonitoredServiceArgs {
  /** The platform that the service writes to. */
  platform: ObservabilityPlatform;
  /** Whether the service's dashboard is this stack's. If not, another stack has it. */
  ownsDashboard: boolean;
  /** `<svc>` of the spec: prefix of its metrics, part of the dashboard's title and uid. Unique in a platform. */
  service: string;
  links: {
    documentationUrl: string;
    communityUrl: string;
    repositoryUrl: string;
  };
  connection: ConnectionArgs;
  otlp: {
    /** The platform's OTLP endpoint, without a signal's path. */
    endpoint: string;
    instanceId: string;
    data: readonly OtlpData[];
    token: PushToken;
  };
}

export class MonitoredService extends pulumi.ComponentResource {
  /** The address of "LLM Monitoring" in a browser. */
  readonly dashboardUrl: pulumi.Output<string>;
  readonly connection: Connection;
  /** Environment variables for applications that push directly; secret. */
  readonly otlp: pulumi.Output<OtlpEnvironment>;
  /** The `Authorization` header of the push; secret. */
  readonly otlpAuthorization: pulumi.Output<string>;
  /** Scopes that the token of the push needs. */
  readonly otlpTokenScopes: string[];
  /** Everything that must exist before the service can be checked. */
  readonly resources: pulumi.Resource[];

  constructor(name: string, args: MonitoredServiceArgs, options?: pulumi.ComponentResourceOptions) {
    super("llm-observability:platform:MonitoredService", name, {}, options);
    const { platform, service, links, otlp } = args;
    const own = { parent: this, provider: platform.provider };
    const uids = platform.datasourceUids;

    const uid = llmMonitoringUid(service);
    const dashboard = args.ownsDashboard
      ? createDashboard(
          `${name}-llm-monitoring`,
          {
            uid,
            model: () => llmMonitoring({ service, prometheusUid: uids.prometheus, lokiUid: uids.loki, ...links }),
            folder: platform.folderUid,
            orgId: platform.orgId,
            part: "llm-monitoring",
            adoption: platform.adoption,
          },
          { ...own, dependsOn: platform.resources },
        )
      : undefined;
    const inGrafana = [...platform.resources, ...(dashboard ? [dashboard] : [])];
    // Last: a stack that cannot have its dashboards, because another one is faster, registers nothing.
    this.connection = new Connection(`${name}-connection`, args.connection, { parent: this, dependsOn: inGrafana });
    this.otlpTokenScopes = tokenScopes(otlp.data);
    const token = pulumi.Output.isInstance(otlp.token)
      ? otlp.token
      : createPushToken(name, otlp.token, this.otlpTokenScopes, { parent: this, provider: cloudOf(platform) });
    this.otlpAuthorization = token.apply((plain) => otlpAuthorization(otlp.instanceId, plain));
    this.otlp = this.otlpAuthorization.apply((authorization) => otlpEnvironment(otlp.endpoint, authorization));

    this.dashboardUrl = dashboard?.url ?? pulumi.interpolate`${platform.url}/d/${uid}`;
    this.resources = [...(dashboard ? [dashboard] : []), this.connection];
    this.registerOutputs({ dashboardUrl: this.dashboardUrl });
  }
}

function cloudOf({ cloudProvider }: ObservabilityPlatform): grafana.Provider {
  if (!cloudProvider) throw userError("A token of the push can be made only where the platform has a cloudAccessPolicyToken.");
  return cloudProvider;
}

/** An access policy with exactly the scopes of the push, and a token of it. */
function createPushToken(
  name: string,
  { region, stackId }: { region: string; stackId: string },
  scopes: string[],
  options: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
  // Named by Pulumi: a name is taken for the whole organization, where other stacks make tokens, too. Once made, a token keeps its name, whatever
  // Pulumi would call it now: another one would be another token. What is displayed tells whose it is.
  const named = { ...options, ignoreChanges: ["name"] };
  const displayName = `OTLP push of ${pulumi.getProject()}/${pulumi.getStack()}: ${name}`;
  const policy = new grafana.cloud.AccessPolicy(
    `${name}-otlp-push`,
    { displayName, region, scopes, realms: [{ type: "stack", identifier: stackId }] },
    named,
  );
  const token = new grafana.cloud.AccessPolicyToken(`${name}-otlp-push`, { displayName, region, accessPolicyId: policy.policyId }, named);
  return pulumi.secret(token.token);
}
