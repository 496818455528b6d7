/** The workflows as data, and what the tests of their scripts share. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";

export interface Step {
  id?: string;
  name?: string;
  if?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string>;
  with?: Record<string, unknown>;
}

export interface Job {
  if?: string;
  permissions?: Record<string, string>;
  strategy?: { matrix: { stack: string[] } };
  env?: Record<string, string>;
  steps: Step[];
}

export interface Workflow {
  on: Record<string, unknown>;
  permissions: unknown;
  jobs: Record<string, Job>;
}

export const root = resolve(__dirname, "../../..");
const folder = join(root, ".github/workflows");
export const files = readdirSync(folder).filter((file) => file.endsWith(".yml"));
export const textOf = (file: string) => readFileSync(join(folder, file), "utf8");
export const workflow = (file: string): Workflow => parse(textOf(file));

/** Git without the settings of this machine. */
export const gitEnv = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@localhost",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@localhost",
};
