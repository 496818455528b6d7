/** Providers of Grafana that read nothing from the shell. */
import type * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import { userError } from "../text/user-error";

const unverified = "GRAFANA_INSECURE_SKIP_VERIFY";

/**
 * Creates a provider with exactly these settings. The SDK would copy variables of the shell, such as `GRAFANA_SM_ACCESS_TOKEN`, to its
 * inputs, in plain text.
 *
 * @throws pulumi.RunError if the shell switches the verification of certificates off: the plugin takes `false` for a missing setting, and
 *   reads the variable
 */
export function grafanaProvider(name: string, settings: grafana.ProviderArgs, options?: pulumi.ResourceOptions): grafana.Provider {
  if (!/^(0|f|false)?$/i.test(process.env[unverified] ?? ""))
    throw userError(`The variable ${unverified} is set: Grafana's provider would verify no certificate. Run: unset ${unverified}`);
  const variables = Object.entries(process.env).filter(([variable]) => variable.startsWith("GRAFANA_"));
  for (const [variable] of variables) delete process.env[variable];
  try {
    return new grafana.Provider(name, { ...settings, insecureSkipVerify: false, storeDashboardSha256: false }, options);
  } finally {
    Object.assign(process.env, Object.fromEntries(variables));
  }
}
