/** The Grafana provider: its arguments, and how it waits for the preflight. */
import * as pulumi from "@pulumi/pulumi";
import type { ProviderArgs } from "@pulumiverse/grafana";
import type { GrafanaFacts } from "./preflight";

export interface GrafanaArgs {
  /** Address of Grafana including a path prefix, without a trailing slash. */
  url: pulumi.Input<string>;
  /** Service-account token, which determines the organization, or `user:password` for organization 1. */
  auth: pulumi.Input<string>;
  /** CA certificate of Grafana in PEM form. */
  caCert?: pulumi.Input<string> | undefined;
}

/** A credential that is known once the preflight has passed. All resources wait for their provider, so that nothing is changed before. */
export const afterPreflight = (credential: pulumi.Input<string>, facts: pulumi.Output<GrafanaFacts>): pulumi.Output<string> =>
  pulumi.all([credential, facts]).apply(([plain]) => plain);

/** The arguments of the provider. */
export const providerArgs = ({ url, auth, caCert }: GrafanaArgs, facts: pulumi.Output<GrafanaFacts>): ProviderArgs => ({
  url,
  auth: afterPreflight(auth, facts),
  // Explicit, because the plugin would read GRAFANA_INSECURE_SKIP_VERIFY from the environment.
  insecureSkipVerify: false,
  ...(caCert && { caCert }),
});

/** Says once if a preview does not check Grafana, because its address or token is the output of a resource that does not exist yet. */
export function reportSkipped(facts: pulumi.Output<GrafanaFacts>, provider: pulumi.ProviderResource): void {
  let isChecked = false;
  facts.apply(() => {
    isChecked = true;
  });
  provider.urn.apply(async () => {
    const text = "The address or the token of Grafana is not known yet: this preview does not check uids, titles and owners in Grafana.";
    if (pulumi.runtime.isDryRun() && !isChecked) await pulumi.log.info(text);
  });
}
