/** A project that `pulumi new` creates from this repository, with another name and without the prompts of the template. */
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { dependencies } from "../../package.json";
import { run } from "../support/run";
import { setUp, stack } from "../support/set-up";
import { temporaryFolder } from "../support/temporary-folder";

const root = resolve(__dirname, "../..");
const folder = temporaryFolder(afterAll);
const project = join(folder, "my-llm");

/** Folders that a remote repository does not have. */
const local = new Set([".git", ".local", "node_modules"]);

// Only the stack's backend and environment are used: the project has a separate folder.
setUp(() => undefined);

beforeAll(() => {
  mkdirSync(project);
  cpSync(root, join(folder, "template"), { recursive: true, filter: (path) => !local.has(basename(path)) });
});

it("is created by the version of the CLI in the README", async () => {
  expect(readFileSync(join(root, "README.md"), "utf8")).toContain(`npx pulumi@${dependencies.pulumi} new `);
  // Without --generate-only, the command also installs packages and plugins.
  await run("pulumi", ["new", "../template", "--name", "my-llm", "--yes", "--generate-only"], { ...stack.place(), cwd: project });
  // The prompts would show the values of a stack's file as defaults. This one is the sandbox's.
  expect(readdirSync(project).filter((file) => file.startsWith("Pulumi."))).toEqual(["Pulumi.local.yaml", "Pulumi.yaml"]);
  expect(parse(readFileSync(join(project, "Pulumi.yaml"), "utf8"))).toMatchObject({
    name: "my-llm",
    runtime: { name: "nodejs", options: { typescript: false } },
  });
});
