/** Warnings about valid settings. */
import { datasourceTypes, type FlatSettings, type KeyName } from "./keys";
import { type IsSet, ineffective } from "./rules";

/** Addresses, with the secrets that the program, Grafana, the service or applications send there. */
const secretsByAddress: [address: KeyName, secrets: KeyName[]][] = [
  ["grafanaUrl", ["grafanaAuth"]],
  ...datasourceTypes.map((type): [KeyName, KeyName[]] => [`${type}Url`, [`${type}Password`]]),
  ["serviceUrl", ["serviceApiKey", "platformApiKey"]],
  ["metricsUrl", ["platformApiKey"]],
  ["logsUrl", ["platformApiKey"]],
  ["otlpEndpoint", ["otlpToken", "cloudAccessPolicyToken"]],
];

/** The warnings, each a text for the user. */
export function warnings(settings: FlatSettings, isSet: IsSet): string[] {
  const withoutEffect = ineffective(settings, isSet, "warning").map(({ key, requires }) => `  ${key.padEnd(22)} ${requires}`);
  const { alerts, recordingRules, telemetry, managedResources } = settings;
  const lacksRules = alerts === "on" && recordingRules === "off" && telemetry !== "spec" && managedResources === "all";
  return [
    ...listed(
      "These addresses start with http://, so the listed keys are sent unencrypted. Use https:// except on trusted networks.",
      unencrypted(settings),
    ),
    ...(lacksRules
      ? [
          "alerts is on, but recordingRules is off: the alert rules on the telemetry of SDKs, and the service's rule Connection, read recorded series and are not " +
            "created. To create them: npx pulumi config set recordingRules grafana, or external if Prometheus or Mimir loads dashboards/rules.yaml.",
        ]
      : []),
    ...listed("These settings have no effect. Remove them with `npx pulumi config rm`:", withoutEffect),
  ];
}

const listed = (text: string, lines: readonly string[]) => (lines.length > 0 ? [[text, ...lines].join("\n")] : []);

/** The addresses to which secrets are sent without TLS, with the secrets. */
const unencrypted = (settings: FlatSettings) =>
  secretsByAddress
    .map(([address, secrets]) => ({ address, secrets: secrets.filter((key) => settings[key] !== undefined) }))
    .filter(({ address, secrets }) => secrets.length > 0 && isUnencrypted(String(settings[address])))
    .map(({ address, secrets }) => `  ${address.padEnd(14)} ${secrets.join(", ").replace(/^cloud/, "the token created with cloud")}`);

/** Whether requests leave this machine without TLS. */
function isUnencrypted(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
