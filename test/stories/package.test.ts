/** The package in another project: the program in the README of the components, with Pulumi's own TypeScript. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { programOf } from "../support/documents";
import { sandbox, setUp, stack } from "../support/set-up";
import { canary, project } from "../support/stack";

const folder = mkdtempSync(join(tmpdir(), "llm-observability-package-"));
const program = programOf("services", "src/platform/README.md");

setUp();

/** As `pulumi new typescript` writes it. */
const tsconfig = { compilerOptions: { strict: true, target: "es2020", module: "commonjs", moduleResolution: "node" }, files: ["index.ts"] };

beforeAll(async () => {
  const pack = ["pack", "--pack-destination", folder, "--json"];
  const printed = execFileSync("npm", pack, { cwd: resolve(__dirname, "../.."), encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const [{ filename }] = JSON.parse(printed.slice(printed.indexOf("[")));
  execFileSync("tar", ["-xzf", join(folder, filename), "-C", folder]);
  const files = {
    "Pulumi.yaml": `name: ${project}\nruntime: nodejs\n`,
    "package.json": '{ "name": "a-program" }',
    "tsconfig.json": JSON.stringify(tsconfig),
    "index.ts": program,
  };
  stack.useProject(files, join(folder, "package"));
  const { serviceUrl } = sandbox.config();
  for (const name of ["chat", "search"]) {
    stack.setPlain({ [`${name}Url`]: `${serviceUrl}/${name}` });
    await stack.pulumi("config", "set", "--secret", `${name}ApiKey`, canary.serviceApiKey);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

it("contains the components only, and the program is short", () => {
  // npm packs each README, and the file that `main` names: Pulumi's entry point.
  const packed = readdirSync(join(folder, "package"), { recursive: true, encoding: "utf8" });
  const others = packed.filter((file) => !/^dist\b|README\.md$/.test(file)).sort();
  expect(others).toEqual(["package.json", "src", "src/main.cjs"]);
  expect(program.trimEnd().split("\n").length).toBeLessThanOrEqual(30);
});

it("deploys two services with their own keys and checks; a second deployment changes nothing", async () => {
  const operations = await stack.up();
  const each = (name: string) => [`create ${name}`, `create ${name}-checks`, `create ${name}-connection`, `create ${name}-llm-monitoring`];
  const platform = ["llm", "llm-folder", "llm-grafana", "llm-loki", "llm-prometheus", "llm-tempo"].map((name) => `create ${name}`);
  expect(operations).toEqual([...each("chat"), ...platform, ...each("search")].sort());
  for (const name of ["chat", "search"]) expect((await sandbox.ask(`/api/dashboards/uid/${name}-llm-monitoring`)).status).toBe(200);
  expect(stack.stored()).not.toContain("canary");
  expect(await stack.up()).toEqual([]);
  const checks = (await stack.resources()).filter(({ type }) => type === "command:local:Command");
  expect(checks.map(({ outputs }) => String(outputs.stdout))).toEqual(Array(2).fill(expect.stringContaining('dashboard "')));
});
