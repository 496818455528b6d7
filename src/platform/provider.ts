/** The arguments of the Grafana provider. */
import type * as pulumi from "@pulumi/pulumi";
import type { ProviderArgs } from "@pulumiverse/grafana";

export interface GrafanaArgs {
  /** Address of Grafana including a path prefix, without a trailing slash. */
  url: pulumi.Input<string>;
  /** Service-account token, which determines the organization, or `user:password` for organization 1. */
  auth: pulumi.Input<string>;
  /** CA certificate of Grafana in PEM form. */
  caCert?: pulumi.Input<string> | undefined;
}

export const providerArgs = ({ url, auth, caCert }: GrafanaArgs): ProviderArgs => ({
  url,
  auth,
  // Explicit, because the plugin would read GRAFANA_INSECURE_SKIP_VERIFY from the environment.
  insecureSkipVerify: false,
  ...(caCert && { caCert }),
});
