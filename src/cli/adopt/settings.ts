/** Reads the settings of a stack. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { formatProblems, parseSettings, type Settings } from "../../settings";
import { pulumi } from "../pulumi";

export interface StackSettings {
  settings: Settings;
  /** In plain text: in the settings it is a secret. */
  grafanaAuth: string;
  /** The stack as `project/stack`. */
  qualified: string;
}

type Config = Record<string, { value: string; secret: boolean }>;

/** @throws Error with all problems of the config */
export async function readStack(stack: string): Promise<StackSettings> {
  const { name: project } = parse(readFileSync(join(process.cwd(), "Pulumi.yaml"), "utf8")) as { name: string };
  const config = JSON.parse(await pulumi("config", "--json", "--show-secrets", "--stack", stack)) as Config;
  const prefix = `${project}:`;
  const keys = Object.keys(config).filter((key) => key.startsWith(prefix));
  const values = Object.fromEntries(keys.map((key) => [key.slice(prefix.length), config[key]?.value ?? ""]));
  const result = parseSettings({ values, isSecret: (key) => config[prefix + key]?.secret === true }, stack);
  if ("problems" in result) throw new Error(formatProblems(result.problems, stack));
  // The name of the stack may include its organization and project.
  return { settings: result.settings, grafanaAuth: values.grafanaAuth ?? "", qualified: `${project}/${stack.split("/").at(-1)}` };
}
