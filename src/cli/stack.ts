/** The Pulumi CLI of this project, with the user's backend; the settings and the state of the npm scripts that work on one stack. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { GrafanaAccess } from "../network/grafana";
import { configOf, parseSettings, settingsOf } from "../settings";
import { runPulumi } from "./pulumi";

/** Runs a command of the Pulumi CLI. @returns its standard output @throws Error with the output, but never with a shown secret */
export function pulumi(...args: string[]): string {
  const { status, stdout, stderr } = runPulumi(...args);
  if (status === 0) return stdout;
  const output = args.includes("--show-secrets") ? stderr : stdout + stderr;
  throw new Error(`pulumi ${args.join(" ")} failed:\n${output.trim()}`);
}

/**
 * The settings, or with other values the settings or their problems; the access to Grafana in plain text; the stack as `project/stack`.
 * @throws Error with all problems
 */
export function readStack(stack: string) {
  const { name: project } = parse(readFileSync("Pulumi.yaml", "utf8")) as { name: string };
  const text = pulumi("config", "--json", "--show-secrets", "--stack", stack);
  const config = JSON.parse(text) as Record<string, { value: string; secret: boolean }>;
  const own = configOf(config, project, stack);
  const values = Object.fromEntries(Object.entries(own).map(([key, { value }]) => [key, value]));
  const configWith = (changed: Record<string, string>) => ({
    values: { ...values, ...changed },
    isSecret: (key: string) => own[key]?.secret === true,
  });
  const { settings } = settingsOf(configWith({}), stack);
  const change = (changed: Record<string, string>) => parseSettings(configWith(changed), stack);
  const { url, caCert } = settings.grafana;
  // Grafana passes on messages of its stores, which may contain their credentials: a token, or a password after the user name.
  const secrets = Object.values(own).flatMap(({ value, secret }) => (secret ? [value, value.slice(value.indexOf(":") + 1)] : []));
  const access: GrafanaAccess = { url, caCert, auth: values.grafanaAuth ?? "", secrets };
  // The name of the stack may include its organization and project.
  return { settings, change, access, qualified: `${project}/${stack.split("/").at(-1)}` };
}
