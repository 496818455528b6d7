/**
 * The README's commands of a deployment, in a copy of the repository without the tests, in which `npm ci --omit=dev` has installed the packages:
 * nothing in them requires development packages or code of the tests.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pluginEnvironment } from "../sandbox/plugin-environment";
import { commandsOf } from "../support/documents";
import { run } from "../support/run";
import { Sandbox } from "../support/sandbox";
import { canary } from "../support/stack";

const root = resolve(__dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "llm-observability-production-"));
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  PULUMI_BACKEND_URL: `file://${folder}/backend`,
  PULUMI_CONFIG_PASSPHRASE: "test",
  PULUMI_SKIP_CONFIRMATIONS: "true",
  PULUMI_SKIP_UPDATE_CHECK: "true",
};
let sandbox: Sandbox;

beforeAll(async () => {
  mkdirSync(join(folder, "backend"));
  // The files that Git knows, as they are now.
  await run("bash", ["-euo", "pipefail", "-c", `git ls-files -z -- . ':!test' | tar -cf - --null -T - | tar -xf - -C ${folder}`], {
    cwd: root,
  });
  sandbox = await Sandbox.start();
  await sandbox.createHosted();
  // The stand-ins for plugins are not part of the deployment. Programs of the development packages are not to be found.
  Object.assign(environment, await pluginEnvironment());
  const path = environment.PATH?.split(delimiter).filter((entry) => !entry.endsWith("node_modules/.bin"));
  environment.PATH = path?.join(delimiter);
});

afterAll(async () => {
  await sandbox?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Follows a block of the README, with values for the prompts and with the sandbox's addresses. */
async function follow(name: string): Promise<string> {
  const addresses = { "https://grafana": sandbox.grafanaUrl, "https://llmobs": sandbox.service.url, "https://otlp": sandbox.backendsUrl };
  let script = commandsOf(name)
    .replace(/^npm ci$/m, "npm ci --omit=dev --prefer-offline --no-audit --no-fund")
    .replace(/^.*config set --secret (\w+)$/gm, (line, key: keyof typeof canary) => `echo ${canary[key]} | ${line}`)
    .replace(/^npm run adopt.*$/gm, "$& --yes");
  for (const [example, address] of Object.entries(addresses)) script = script.replaceAll(`${example}.example.com`, address);
  return run("bash", ["-euo", "pipefail", "-c", script], { cwd: folder, env: environment });
}

it("installs no development packages", async () => {
  expect(await follow("environment")).toContain("10 created");
  expect(["pulumi", "zod", "vitest", "fast-check", "undici"].filter((name) => existsSync(join(folder, "node_modules", name)))).toEqual([
    "pulumi",
    "zod",
  ]);
});

it("dotenv", async () => {
  await follow("dotenv");
  expect(readFileSync(join(folder, ".env"), "utf8")).toContain("OTEL_EXPORTER_OTLP_ENDPOINT=");
});

it.each([
  ["doctor", "0 failed"],
  ["report", "No changes in stack `dev`."],
  ["drift", "No drift in stack `dev`."],
  ["again", "1 updated"],
  ["rotate", "unchanged"],
  ["destroy", "the service keeps the connection"],
])("%s", async (name, expected) => expect(await follow(name)).toContain(expected));

it("adopt", async () => {
  const dashboard = { uid: "genai-observability", title: "Pasted", panels: [] };
  await sandbox.ask("/api/dashboards/db", "POST", { dashboard });
  expect(await follow("adopt")).toContain("1 imported");
});
