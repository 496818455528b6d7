/**
 * Runs the commands of the documents in a copy of the repository without the tests and the development packages. Only the example addresses and
 * the prompts for secrets are replaced. `drift.test.ts` and `adoption.test.ts` follow those of drift and adoption.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { dependencies } from "../../package.json";
import { selfSigned } from "../support/certificate";
import { commandsOf, readDocument } from "../support/documents";
import { run } from "../support/run";
import { sandbox, setUp, stack } from "../support/set-up";
import { canary } from "../support/stack";
import { temporaryFolder } from "../support/temporary-folder";

setUp(() => undefined, "dev");

beforeAll(async () => {
  await stack.useCopy();
  await sandbox.createHosted();
});

/** The example addresses of the README with those of the sandbox. */
const addresses = () => ({
  "https://grafana.example.com": sandbox.grafanaUrl,
  "https://llmobs.example.com": sandbox.service.url,
  "https://otlp.example.com": sandbox.backendsUrl,
});

/** Runs a marked block of a document, with values for the prompts for secrets. */
function follow(name: string, document = "README.md", typed: Record<string, string> = sandbox.secrets): Promise<string> {
  const commands = commandsOf(name, document);
  let script = commands.replace(/^(.*config set --secret (\w+))$/gm, (_line, command, key) => `echo ${typed[key]} | ${command}`);
  // Enough for deployments, by the README.
  script = script.replace(/^npm ci$/m, "npm ci --omit=dev --prefer-offline --no-audit --no-fund");
  for (const [example, address] of Object.entries(addresses())) script = script.replaceAll(example, address);
  return stack.follow(script);
}

it("the first environment: a registered connection, without development packages", async () => {
  expect(await follow("environment")).toContain("11 created");
  expect(sandbox.registrations).toBe(1);
  const installed = ["pulumi", "zod", "vitest", "fast-check", "undici"].filter((name) =>
    existsSync(join(stack.folder, "node_modules", name)),
  );
  expect(installed).toEqual(["pulumi", "zod"]);
});

it("push settings of an application", async () => {
  await follow("dotenv");
  expect(parseEnv(readFileSync(join(stack.folder, ".env"), "utf8"))).toMatchObject({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${sandbox.backendsUrl}/otlp`,
    OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Basic%20${Buffer.from(`345678:${canary.otlpToken}`).toString("base64")}`,
  });
});

it("registration on request, and after the rotation of the platform's key", async () => {
  await follow("again");
  expect(sandbox.registrations).toBe(2);
  await follow("rotate", "README.md", { platformApiKey: "another-secret" });
  expect(sandbox.registrations).toBe(3);
  expect(JSON.parse(sandbox.service.requests.at(-1)?.body ?? "")).toMatchObject({ ApiKey: "another-secret" });
});

it("checks at any time", async () => {
  expect(await follow("doctor")).toMatch(/datasource grafanacloud-prom +ok[\s\S]*0 failed/);
});

it("a limit of alerts by the own past", async () => {
  const text = await follow("backtest");
  expect(text.match(/^GenAI\w+ +[\d.]+ +no data$/gm)).toHaveLength(8);
});

it("the rules of a stack as files", async () => {
  expect(await follow("rules", "src/settings/README.md")).toContain("Written: rules.dev.yaml\nWritten: alerts.dev.yaml\n");
});

it("review of a change", async () => {
  stack.setPlain({ folderTitle: "Another title" });
  const reports = await follow("reports", "src/report/README.md");
  expect(reports.match(/^ +- title `LLM Observability` → `Another title`$|No drift in stack `dev`\./gm)).toEqual([
    "  - title `LLM Observability` → `Another title`",
    "No drift in stack `dev`.",
    "  - title `LLM Observability` → `Another title`",
  ]);
  stack.unset("folderTitle");
});

it("the CA certificate of the service", async () => {
  writeFileSync(join(stack.folder, "ca.pem"), selfSigned().cert);
  await follow("ca", "src/settings/README.md");
  expect(readFileSync(join(stack.folder, "Pulumi.dev.yaml"), "utf8")).toContain("BEGIN CERTIFICATE");
  stack.unset("serviceCaCert");
});

it("alert rules that notify a contact point, and the report of further settings", async () => {
  const point = { name: "llm-on-call", type: "webhook", settings: { url: "http://127.0.0.1:9/hook" } };
  await sandbox.do("/api/v1/provisioning/contact-points", "POST", point);
  await follow("alerts", "src/settings/README.md");
  const rules = (await sandbox.contents()).rules.filter(({ record }) => !record);
  expect(rules.filter(({ title }) => title.includes("Budget"))).toHaveLength(1);
  for (const rule of rules) expect(rule.notification_settings).toMatchObject({ receiver: "llm-on-call" });
  for (const name of ["prices", "budgets", "gateways"]) await follow(name, "src/settings/README.md");
  const report = await follow("report");
  expect(report).toContain("**`Coverage by Application`**");
  expect(report).toMatch(/\*\*`or label_replace[^`]*"priced_as", "my-model", "", ""\)`\*\*/);
  expect(report).toMatch(/alert rule GenAIBudget<.*2 changes<.*\n+- panel .*\n- query .*gen_ai_budget/);
});

it("a project of one's own, with another name and without the prompts of the template, by the version of the CLI in the README", async () => {
  const folder = temporaryFolder();
  const project = join(folder, "my-llm");
  mkdirSync(project);
  // Without the folders that a remote repository does not have.
  const local = new Set([".git", ".local", "node_modules"]);
  cpSync(resolve(__dirname, "../.."), join(folder, "template"), { recursive: true, filter: (path) => !local.has(basename(path)) });
  expect(readDocument("README.md")).toContain(`npx pulumi@${dependencies.pulumi} new `);
  // Without --generate-only, the command also installs packages and plugins.
  await run("pulumi", ["new", "../template", "--name", "my-llm", "--yes", "--generate-only"], { ...stack.place(), cwd: project });
  // The prompts would show the values of a stack's file as defaults. This one is the sandbox's.
  expect(readdirSync(project).filter((file) => file.startsWith("Pulumi."))).toEqual(["Pulumi.local.yaml", "Pulumi.yaml"]);
  expect(parse(readFileSync(join(project, "Pulumi.yaml"), "utf8"))).toMatchObject({
    name: "my-llm",
    runtime: { name: "nodejs", options: { typescript: false } },
  });
});

it("destroy names the connection that stays at the service", async () => {
  expect(await follow("destroy")).toContain("the service keeps the connection");
  expect(sandbox.registrations).toBe(3);
});
