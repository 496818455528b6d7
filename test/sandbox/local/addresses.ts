/** The addresses of the sandbox, from the settings of its stack. */
import type { SandboxAddresses } from "../main";

/**
 * The addresses and credentials of the stack's config, which the sandbox uses.
 *
 * @throws Error if an address is not one of this machine
 */
export function sandboxAddresses(settings: Record<string, string>): SandboxAddresses {
  const { serviceUrl = "", grafanaUrl = "", prometheusUrl = "", ...others } = settings;
  for (const [key, address] of Object.entries({ serviceUrl, grafanaUrl, prometheusUrl })) {
    if (!/^http:\/\/(127\.0\.0\.1|localhost):\d+(\/|$)/.test(address)) {
      throw new Error(`The setting ${key} must be http://127.0.0.1 with a port, where the sandbox listens. Fix it in Pulumi.local.yaml.`);
    }
  }
  const { serviceApiKey = "", grafanaAuth = "", otlpInstanceId = "", otlpToken = "" } = others;
  const backendsUrl = new URL(prometheusUrl).origin;
  return { serviceUrl, serviceApiKey, grafanaUrl, grafanaAuth, backendsUrl, otlpInstanceId, otlpToken };
}
