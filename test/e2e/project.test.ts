/** A project of one's own, made by `pulumi new` with this repository as the template: under another name, and without the template's questions. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { dependencies } from "../../package.json";
import { run } from "../../src/cli/run";
import { describeKeys } from "../../src/settings";
import { pluginEnvironment } from "../sandbox/plugin-environment";
import { Sandbox } from "../support/sandbox";
import { TestStack } from "../support/stack";

const root = resolve(__dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "llm-observability-project-"));
const project = join(folder, "my-llm");

/** What a repository on a server does not have. */
const local = new Set([".git", ".local", "node_modules"]);

let sandbox: Sandbox;
/** For its backend and its environment: the project has a folder of its own. */
let stack: TestStack;

const execute = (script: string) => run("bash", ["-euo", "pipefail", "-c", script], { ...stack.place(), cwd: project });

beforeAll(async () => {
  sandbox = await Sandbox.start();
  stack = new TestStack();
  Object.assign(stack.environment, await pluginEnvironment());
  mkdirSync(project);
  cpSync(root, join(folder, "template"), { recursive: true, filter: (path) => !local.has(basename(path)) });
});

afterAll(async () => {
  await sandbox?.stop();
  stack?.remove();
  rmSync(folder, { recursive: true, force: true });
});

it("is made by the CLI that the README names", async () => {
  expect(readFileSync(join(root, "README.md"), "utf8")).toContain(`npx pulumi@${dependencies.pulumi} new `);
  // The rest of it installs packages, as CI does before all tests, and plugins.
  await execute(`pulumi new ../template --name my-llm --yes --generate-only`);
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  expect(parse(readFileSync(join(project, "Pulumi.yaml"), "utf8"))).toMatchObject({
    name: "my-llm",
    runtime: { name: "nodejs", options: { typescript: false } },
  });
});

it("takes its settings under its own name, and would create everything", async () => {
  const secret = new Set(describeKeys().flatMap(({ name, secret }) => (secret ? [name] : [])));
  const config = Object.entries(sandbox.config()).map(
    ([key, value]) => `${secret.has(key) ? "--secret" : "--plaintext"} '${key}=${value}'`,
  );
  await execute(`pulumi stack init test && pulumi config set-all --stack test ${config.join(" ")}`);
  expect(readFileSync(join(project, "Pulumi.test.yaml"), "utf8")).toContain("my-llm:grafanaUrl: ");
  expect(await execute("pulumi preview --stack test --non-interactive")).toContain("12 to create");
});

it("passes the checks and tests that know of settings and documents", async () => {
  expect(await execute("npm run docs -- --check && npm run dashboards -- --check")).toBeDefined();
  const said = await execute(
    "npx vitest run --config .config/vitest.config.mts --project unit test/unit/settings.test.ts test/unit/environments.test.ts",
  );
  expect(said).toMatch(/Tests .*\d+ passed/);
});
