/** The resources that exist once per monitored service: dashboard, alert rules, connection, and the settings of the OTLP push. */
import * as pulumi from "@pulumi/pulumi";
import type { Alerts } from "../alerts/definitions";
import { Connection, type ConnectionArgs } from "../connection/connection";
import type { DashboardDefinition } from "../dashboards/definitions";
import { type OtlpEnvironment, otlpAuthorization, otlpEnvironment } from "../otlp";
import { createDashboard, isManaged } from "./dashboard";
import type { ObservabilityPlatform } from "./platform";
import { createAlertRules } from "./rules";

export interface MonitoredServiceArgs {
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
    /** Whether applications may record prompts and completions. Defaults to true. */
    captureContents?: boolean | undefined;
    /** The token of the push, for example of `createPushToken`. */
    token: pulumi.Input<string>;
  };
}

export class MonitoredService extends pulumi.ComponentResource {
  readonly dashboardUrl: pulumi.Output<string>;
  readonly connection: Connection;
  /** Environment variables for applications that push directly; secret. */
  readonly otlp: pulumi.Output<OtlpEnvironment>;
  /** The `Authorization` header of the push; secret. */
  readonly otlpAuthorization: pulumi.Output<string>;

  /** @param options Its resources wait for the platform, and use its provider unless another one is passed. */
  constructor(name: string, args: MonitoredServiceArgs, options: pulumi.ComponentResourceOptions = {}) {
    super("llm-observability:platform:MonitoredService", name, {}, pulumi.mergeOptions({ providers: [args.platform.provider] }, options));
    const { platform, dashboard, otlp } = args;
    const isOwn = isManaged(dashboard, platform.managedResources);
    const afterPlatform = { parent: this, dependsOn: [platform] };
    const dashboards = isOwn ? [createDashboard([`${name}-llm-monitoring`, afterPlatform], dashboard, platform)] : [];
    const afterDashboard = { parent: this, dependsOn: [platform, ...dashboards] };
    const alerts = isOwn && args.alerts ? createAlertRules((id) => [`${name}-alert-${id}`, afterDashboard], args.alerts, platform) : [];
    // Last: a stack that fails to create its dashboards, because another stack was faster, registers no connection.
    this.connection = new Connection(`${name}-connection`, args.connection, {
      parent: this,
      dependsOn: [platform, ...dashboards, ...alerts],
      // Nothing is lost if it is deleted or replaced.
      protect: false,
    });
    this.otlpAuthorization = pulumi.secret(pulumi.all([otlp.instanceId, otlp.token]).apply(([id, plain]) => otlpAuthorization(id, plain)));
    const push = pulumi.all([otlp.endpoint, this.otlpAuthorization]);
    this.otlp = push.apply(([endpoint, authorization]) => otlpEnvironment(endpoint, authorization, otlp.captureContents ?? true));

    this.dashboardUrl = dashboards[0]?.url ?? pulumi.interpolate`${platform.url}/d/${dashboard.uid}`;
    this.registerOutputs({ dashboardUrl: this.dashboardUrl });
  }
}
