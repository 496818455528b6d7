/** What works, but should be known to whoever sets it. */
import type { KeyName, Settings } from "./keys";
import { datasourceKinds } from "./rules";

/** Addresses, each with the secrets that are sent there: by this program, by Grafana, by the service or by applications. */
function routes(settings: Settings): [address: KeyName, secrets: string[]][] {
  return [
    ["grafanaUrl", ["grafanaAuth"]],
    ...datasourceKinds.map((kind): [KeyName, KeyName[]] => {
      const keys = [`${kind}Password`, `${kind}Token`] as const;
      return [`${kind}Url`, keys.filter((key) => settings[key] !== undefined)];
    }),
    ["serviceUrl", ["serviceApiKey", "platformApiKey"]],
    ["metricsUrl", ["platformApiKey"]],
    ["logsUrl", ["platformApiKey"]],
    ["otlpEndpoint", [settings.otlpToken ? "otlpToken" : "the token that is made with cloudAccessPolicyToken"]],
  ];
}

/** Warnings about settings that passed all checks, each a text for a person. */
export function warnings(settings: Settings): string[] {
  const exposed = routes(settings)
    .filter(([address, secrets]) => secrets.length > 0 && isOverheard(String(settings[address])))
    .map(([address, secrets]) => `  ${address.padEnd(14)} ${secrets.join(", ")}`);
  if (exposed.length === 0) return [];
  return [
    `These addresses begin with http://, so keys cross the network in plain. Use https:// where others could listen.\n${exposed.join("\n")}`,
  ];
}

/** Whether requests leave this machine without TLS. */
function isOverheard(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
