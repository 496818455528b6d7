/** What `npm run adopt` reads of a stack: its settings, and the parts that its state has. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { formatProblems, parseSettings, type Settings } from "../../settings";
import type { AdoptablePart } from "../../settings/keys";
import { pulumi } from "../pulumi";
import type { Candidate } from "./candidates";

export interface StackSettings {
  settings: Settings;
  /** In plain: the settings hold it as a secret. */
  grafanaAuth: string;
  /** The stack as `project/stack`. */
  qualified: string;
}

/** @throws Error with every problem of the config */
export async function readStack(stack: string): Promise<StackSettings> {
  const { name: project } = parse(readFileSync(join(process.cwd(), "Pulumi.yaml"), "utf8")) as { name: string };
  const config = JSON.parse(await pulumi("config", "--json", "--show-secrets", "--stack", stack)) as Record<
    string,
    { value: string; secret: boolean }
  >;
  const own = Object.entries(config).flatMap(([key, entry]) =>
    key.startsWith(`${project}:`) ? [[key.slice(project.length + 1), entry] as const] : [],
  );
  const values = Object.fromEntries(own.map(([key, { value }]) => [key, value]));
  const secret = new Set(own.filter(([, entry]) => entry.secret).map(([key]) => key));
  const result = parseSettings({ values, isSecret: (key) => secret.has(key) }, stack);
  if ("problems" in result) throw new Error(formatProblems(result.problems, stack));
  // The stack may be named with its organization and project.
  return { settings: result.settings, grafanaAuth: values.grafanaAuth ?? "", qualified: `${project}/${stack.split("/").at(-1)}` };
}

/** The parts that the stack's state has. */
export async function partsInState(all: readonly Candidate[], stack: string): Promise<Set<AdoptablePart>> {
  const { deployment } = JSON.parse(await pulumi("stack", "export", "--stack", stack)) as {
    deployment: { resources?: { type: string; outputs?: { uid?: unknown } }[] };
  };
  const has = ({ type, uid }: Candidate) =>
    (deployment.resources ?? []).some((resource) => resource.type === type && resource.outputs?.uid === uid);
  return new Set(all.filter(has).map(({ part }) => part));
}
