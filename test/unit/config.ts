/** Valid configs of a stack, and what the program reads from a config. */
import type { Output } from "@pulumi/pulumi";
import { formatProblems, keyDocs, type Problem, parseSettings, type Settings } from "../../src/settings";
import { selfSigned } from "../support/certificate";

const docs = keyDocs();

/** The names of the secret settings. */
export const secretKeys = [
  ...["grafanaAuth", "serviceApiKey", "platformApiKey", "otlpToken", "cloudAccessPolicyToken"],
  ...["prometheusAuth", "lokiAuth", "tempoAuth"],
];

/** Part of every secret and of many other values, but of no key: no message may contain it. */
export const mark = "Zq9canary7";

type Values = Readonly<Record<string, string>>;

/** A valid config, including its secrets. */
export const complete: Values = {
  ...{ grafanaUrl: "https://grafana.example.com", grafanaAuth: `${mark}-grafanaAuth`, datasources: "existing" },
  ...{ service: "llmobs", serviceUrl: "https://llmobs.example.com", serviceApiKey: `${mark}-serviceApiKey` },
  ...{ metricsUrl: "https://influx.example.com/api/v1/push/influx/write", metricsUsername: "123456" },
  ...{ logsUrl: "https://logs.example.com/loki/api/v1/push", logsUsername: "234567", platformApiKey: `${mark}-platformApiKey` },
  ...{ otlpEndpoint: "https://otlp.example.com/otlp", otlpInstanceId: "345678", otlpToken: `${mark}-otlpToken` },
};

/** A valid config with managed datasources and all their settings. */
export const managed: Values = {
  ...complete,
  datasources: "managed",
  ...Object.fromEntries(["prometheus", "loki", "tempo"].map((kind) => [`${kind}Url`, `https://${kind}.example.com`])),
  datasourceTenant: "tenant-1",
  prometheusAuth: `123456:${mark}-prometheusAuth`,
  tempoAuth: `${mark}-tempoAuth`,
  datasourceCaCert: selfSigned().cert,
};

/** A valid value of a setting. */
export const usual = (name: string) => managed[name] ?? docs.find((doc) => doc.name === name)?.example ?? `${mark}-${name}`;

/** @param misplaced settings that are stored wrongly: secrets in plain text, others as secrets */
export const read = (values: Values, misplaced: readonly string[] = []) =>
  parseSettings({ values, isSecret: (key) => secretKeys.includes(key) !== misplaced.includes(key) }, "dev");

export function problemsOf(...config: Parameters<typeof read>): Problem[] {
  const result = read(...config);
  return "problems" in result ? result.problems : [];
}

export function settingsOf(values: Values): Settings {
  const result = read(values);
  if ("problems" in result) throw new Error(formatProblems(result.problems, "dev"));
  return result.settings;
}

/** The value of an output that is known. */
export const plainValue = <T>(output: Output<T>) => new Promise<T>((resolve) => output.apply((value) => resolve(value as T)));
