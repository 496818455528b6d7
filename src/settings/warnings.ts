/** Warnings about valid settings. */
import { datasourceTypes } from "./datasource-types";
import type { KeyName, Settings } from "./keys";

/** Addresses, with the secrets that the program, Grafana, the service or applications send there. */
function secretsByAddress(settings: Settings): [address: KeyName, secrets: string[]][] {
  return [
    ["grafanaUrl", ["grafanaAuth"]],
    ...datasourceTypes.map((type): [KeyName, KeyName[]] => {
      const keys = [`${type}Password`, `${type}Token`] as const;
      return [`${type}Url`, keys.filter((key) => settings[key] !== undefined)];
    }),
    ["serviceUrl", ["serviceApiKey", "platformApiKey"]],
    ["metricsUrl", ["platformApiKey"]],
    ["logsUrl", ["platformApiKey"]],
    ["otlpEndpoint", [settings.otlpToken ? "otlpToken" : "the token created with cloudAccessPolicyToken"]],
  ];
}

/** The warnings, each a text for the user. */
export function warnings(settings: Settings): string[] {
  const exposed = secretsByAddress(settings)
    .filter(([address, secrets]) => secrets.length > 0 && isUnencrypted(String(settings[address])))
    .map(([address, secrets]) => `  ${address.padEnd(14)} ${secrets.join(", ")}`);
  const text = "These addresses start with http://, so the listed keys are sent unencrypted. Use https:// except on trusted networks.";
  return exposed.length > 0 ? [[text, ...exposed].join("\n")] : [];
}

/** Whether requests leave this machine without TLS. */
function isUnencrypted(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
