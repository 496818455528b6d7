/** Warnings about valid settings. */
import { datasourceTypes, type FlatSettings, type KeyName, settingsKeys } from "./keys";

/** Addresses, with the secrets that the program, Grafana, the service or applications send there. */
const secretsByAddress: [address: KeyName, secrets: KeyName[]][] = [
  ["grafanaUrl", ["grafanaAuth"]],
  ...datasourceTypes.map((type): [KeyName, KeyName[]] => [`${type}Url`, [`${type}Password`]]),
  ["serviceUrl", ["serviceApiKey", "platformApiKey"]],
  ["metricsUrl", ["platformApiKey"]],
  ["logsUrl", ["platformApiKey"]],
  ["otlpEndpoint", ["otlpToken", "cloudAccessPolicyToken"]],
];

/** Settings that have an effect only with these values of another one. Warnings, so that `alerts` can be off for a while. */
const needs: [keys: RegExp, other: KeyName, values: string[]][] = [
  [/^alert[A-Z]/, "alerts", ["on"]],
  [/^alertErrorRate|^(otelDashboardUid|environmentAttribute)$/, "telemetry", ["otel", "both"]],
  [/^alertErrorRate/, "managedResources", ["all"]],
  [/^alertErrorRate/, "recordingRules", ["grafana", "external"]],
  [/^environmentAttribute$/, "recordingRules", ["off"]],
  [/^(sdkName|genaiDashboardUid)$/, "telemetry", ["spec", "both"]],
];

/** The warnings, each a text for the user. */
export const warnings = (settings: FlatSettings): string[] => [
  ...unencrypted(settings),
  ...withoutRules(settings),
  ...withoutEffect(settings),
];

function unencrypted(settings: FlatSettings): string[] {
  const exposed = secretsByAddress
    .map(([address, secrets]) => ({ address, secrets: secrets.filter((key) => settings[key] !== undefined) }))
    .filter(({ address, secrets }) => secrets.length > 0 && isUnencrypted(String(settings[address])))
    .map(({ address, secrets }) => `  ${address.padEnd(14)} ${secrets.join(", ").replace(/^cloud/, "the token created with cloud")}`);
  const text = "These addresses start with http://, so the listed keys are sent unencrypted. Use https:// except on trusted networks.";
  return exposed.length > 0 ? [[text, ...exposed].join("\n")] : [];
}

/** Alert rules on the telemetry of SDKs read recorded series: without these, a part of the rules is missing. */
function withoutRules({ alerts, recordingRules, telemetry, managedResources }: FlatSettings): string[] {
  if (alerts === "off" || recordingRules !== "off" || telemetry === "spec" || managedResources !== "all") return [];
  return [
    "alerts is on, but recordingRules is off: the alert rules on the telemetry of SDKs, and the service's rule Connection, read recorded series and are not " +
      "created. To create them: npx pulumi config set recordingRules grafana, or external if Prometheus or Mimir loads dashboards/rules.yaml.",
  ];
}

/** A default value has no effect to miss. */
function withoutEffect(settings: FlatSettings): string[] {
  const changed = (Object.keys(settingsKeys) as KeyName[]).filter((key) => settings[key] !== settingsKeys[key].safeParse(undefined).data);
  const ineffective = needs.flatMap(([keys, other, values]) => {
    const affected = values.includes(String(settings[other])) ? [] : changed.filter((key) => keys.test(key));
    return affected.map((key) => `  ${key.padEnd(22)} requires ${other} ${values.join(" or ")}`);
  });
  const text = "These settings have no effect. Remove them with `npx pulumi config rm`:";
  return ineffective.length > 0 ? [[text, ...ineffective].join("\n")] : [];
}

/** Whether requests leave this machine without TLS. */
function isUnencrypted(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
