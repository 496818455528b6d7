/** The token of the OTLP push on Grafana Cloud, which renews itself. */
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import { qualifiedStack } from "./ownership";

export interface PushTokenArgs {
  /** The id of the Grafana Cloud stack. */
  instanceId: pulumi.Input<string>;
  region: pulumi.Input<string>;
  scopes: string[];
  /** Whether the policy is protected, without which its tokens end. A protected token could not be replaced. */
  protect?: boolean;
}

/**
 * Creates an access policy with exactly the scopes of the push, and a token of it. A token is valid for a year. In its last three months,
 * the next `up` creates a new one. The old one stays valid until its end, so that applications can change.
 *
 * @param options with the provider of access policies
 * @returns the token; secret
 */
export function createPushToken(name: string, args: PushTokenArgs, options: pulumi.CustomResourceOptions): pulumi.Output<string> {
  const { instanceId, region, scopes, protect = false } = args;
  const displayName = `OTLP push of ${qualifiedStack()}: ${name}`;
  // Pulumi generates the name, which must be unique in the organization. A policy keeps it: a new name would replace the policy.
  // Before version 0.2, it was a child of the service.
  const former = pulumi.createUrn("service", "llm-observability:platform:MonitoredService");
  const policy = new grafana.cloud.AccessPolicy(
    `${name}-otlp-push`,
    { displayName, region, scopes, realms: [{ type: "stack", identifier: instanceId }] },
    { ...options, aliases: [{ parent: former }], ignoreChanges: ["name"], protect },
  );
  const lifetime = { expireAfter: "8760h", earlyRotationWindow: "2160h" };
  const token = new grafana.cloud.AccessPolicyRotatingToken(
    `${name}-otlp-push`,
    { namePrefix: policy.name, displayName, region, accessPolicyId: policy.policyId, ...lifetime },
    options,
  );
  return pulumi.secret(token.token);
}
