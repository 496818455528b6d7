/** The workflows as data, and what the tests of their scripts share. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "../../support/temporary-folder";

export interface Step {
  id?: string;
  name?: string;
  if?: string;
  uses?: string;
  run?: string;
  shell?: string;
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

/** The environment of each step: Git without the settings of this machine, and the name of the repository. */
export const stepEnv = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GITHUB_REPOSITORY: "a/b",
};

/** A new folder with a stand-in for a program. */
export function folderWith(program: string, script: string): string {
  const place = temporaryFolder();
  writeFileSync(join(place, program), `#!/bin/bash\n${script}`, { mode: 0o755 });
  return place;
}

/** The scripts that `runStep` has run. */
export const scriptsRun = new Set<string>();

/** Runs the script of a step as GitHub does. The stand-ins of programs are in `programs`. */
export function runStep({ run = "", shell }: Step, cwd: string, env: Record<string, string>, programs = cwd) {
  scriptsRun.add(run);
  const options = shell === "bash" ? ["-eo", "pipefail"] : ["-e"];
  return spawnSync("bash", [...options, "-c", run], {
    cwd,
    encoding: "utf8",
    env: { ...stepEnv, ...env, PATH: `${programs}:${process.env.PATH}` },
  });
}

const long = "é line\n".repeat(7_000);
/** Reports that exceed GitHub's limit together. */
export const longReports = { "dev.report": `## of dev\n${long}`, "prod.report": `## of prod\n${long}` };

/** Expects the beginning of both long reports, and a link for each. */
export function expectTruncated(text: string) {
  expect(text.length).toBeLessThan(65_536);
  expect(text).toContain("\n## of prod\n");
  expect(text.split("The rest is in the summary and in the artifacts of [this run](https://run).")).toHaveLength(3);
}
