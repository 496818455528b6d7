/** Providers of Grafana that read nothing from the shell. */
import type * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";

/**
 * Creates a provider with exactly these settings. The SDK would copy variables such as `GRAFANA_SM_ACCESS_TOKEN` to its inputs, in plain
 * text, and the plugin would follow switches such as `GRAFANA_INSECURE_SKIP_VERIFY`.
 */
export function grafanaProvider(name: string, settings: grafana.ProviderArgs, options?: pulumi.ResourceOptions): grafana.Provider {
  for (const variable of Object.keys(process.env)) if (variable.startsWith("GRAFANA_")) delete process.env[variable];
  return new grafana.Provider(name, { ...settings, insecureSkipVerify: false, storeDashboardSha256: false }, options);
}
