/** What works, but should be known to whoever sets it. */
import type { KeyName, Settings } from "./keys";
import { datasourceKinds } from "./rules";

/** Addresses, each with the keys that are sent there: by this program, by Grafana, by the service or by applications. */
function routes(settings: Settings): [address: KeyName, keys: KeyName[]][] {
  const push = settings.otlpToken ? ("otlpToken" as const) : ("cloudAccessPolicyToken" as const);
  return [
    ["grafanaUrl", ["grafanaAuth"]],
    ...datasourceKinds.map((kind): [KeyName, KeyName[]] => [`${kind}Url`, [`${kind}Password`, `${kind}Token`]]),
    ["serviceUrl", ["serviceApiKey", "platformApiKey"]],
    ["metricsUrl", ["platformApiKey"]],
    ["logsUrl", ["platformApiKey"]],
    ["otlpEndpoint", [push]],
  ];
}

/** Warnings about settings that passed all checks, each a text for a person. */
export function warnings(settings: Settings): string[] {
  const exposed = routes(settings).flatMap(([address, keys]) => {
    const used = keys.filter((key) => settings[key] !== undefined);
    return used.length > 0 && isOverheard(String(settings[address])) ? [`  ${address.padEnd(14)} ${used.join(", ")}`] : [];
  });
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
