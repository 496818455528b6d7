/**
 * Runs the commands of the documents in a copy of the repository without the tests and the development packages. Only the example addresses and
 * the prompts for secrets are replaced.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { selfSigned } from "../support/certificate";
import { commandsOf } from "../support/documents";
import { run } from "../support/run";
import { sandbox, setUp, stack } from "../support/set-up";
import { canary } from "../support/stack";

// The commands create another stack in the folder of this one.
setUp(() => ({}));

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
function follow(name: string, typed: Record<string, string> = sandbox.secrets, document?: string): Promise<string> {
  const commands = commandsOf(name, document);
  let script = commands.replace(/^(.*config set --secret (\w+))$/gm, (_line, command, key) => `echo ${typed[key]} | ${command}`);
  // Enough for deployments, by the README.
  script = script.replace(/^npm ci$/m, "npm ci --omit=dev --prefer-offline --no-audit --no-fund");
  for (const [example, address] of Object.entries(addresses())) script = script.replaceAll(example, address);
  return execute(script);
}

function execute(script: string): Promise<string> {
  return run("bash", ["-euo", "pipefail", "-c", script], {
    cwd: stack.folder,
    env: { ...stack.environment, PULUMI_SKIP_CONFIRMATIONS: "true" },
  });
}

it("the first environment: a registered connection, without development packages", async () => {
  expect(await follow("environment")).toContain("11 created");
  expect(sandbox.registrations).toBe(1);
  const installed = ["pulumi", "zod", "vitest", "fast-check", "undici"].filter((name) =>
    existsSync(join(stack.folder, "node_modules", name)),
  );
  expect(installed).toEqual(["pulumi", "zod"]);
  // From here on, the reports show what changes.
  stack.environment.PULUMI_OPTION_SKIP_PREVIEW = "true";
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
  await follow("rotate", { platformApiKey: "another-secret" });
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
  expect(await follow("rules", sandbox.secrets, "src/settings/README.md")).toContain("Written: rules.dev.yaml\nWritten: alerts.dev.yaml\n");
});

it("review of a change", async () => {
  await execute("npx pulumi config set folderTitle 'Another title' --stack dev");
  const reports = await follow("reports", sandbox.secrets, "src/report/README.md");
  expect(reports.match(/^ +- title `LLM Observability` → `Another title`$|No drift in stack `dev`\./gm)).toEqual([
    "  - title `LLM Observability` → `Another title`",
    "No drift in stack `dev`.",
    "  - title `LLM Observability` → `Another title`",
  ]);
  await execute("npx pulumi config rm folderTitle --stack dev");
});

it("the CA certificate of the service", async () => {
  writeFileSync(join(stack.folder, "ca.pem"), selfSigned().cert);
  await follow("ca", sandbox.secrets, "src/settings/README.md");
  expect(await execute("npx pulumi config get serviceCaCert")).toContain("BEGIN CERTIFICATE");
  await execute("npx pulumi config rm serviceCaCert");
});

it("alert rules that notify a contact point", async () => {
  const point = { name: "llm-on-call", type: "webhook", settings: { url: "http://127.0.0.1:9/hook" } };
  await sandbox.do("/api/v1/provisioning/contact-points", "POST", point);
  await follow("alerts", sandbox.secrets, "src/settings/README.md");
  const rules = (await sandbox.contents()).rules.filter(({ record }) => !record);
  expect(rules.filter(({ title }) => title.includes("Budget"))).toHaveLength(1);
  for (const rule of rules) expect(rule.notification_settings).toMatchObject({ receiver: "llm-on-call" });
  await follow("prices", sandbox.secrets, "src/settings/README.md");
  await follow("budgets", sandbox.secrets, "src/settings/README.md");
  await follow("gateways", sandbox.secrets, "src/settings/README.md");
  const report = await follow("report");
  expect(report).toContain("**`Coverage by Application`**");
  expect(report).toMatch(/\*\*`or label_replace[^`]*"priced_as", "my-model", "", ""\)`\*\*/);
  expect(report).toMatch(/alert rule GenAIBudget<.*1 change<.*\n+- query .*gen_ai_budget/);
  await execute("npx pulumi config rm prices && npx pulumi config rm alertBudgets && npx pulumi config rm gateways");
});

// What else is drift, by panel, and a token that was revoked: see drift.test.ts.
it("drift: a change by hand is reported and reverted", async () => {
  const path = "/api/dashboards/uid/genai-observability";
  const { dashboard, meta } = await sandbox.do(path);
  await sandbox.do("/api/dashboards/db", "POST", {
    dashboard: { ...dashboard, title: "By hand" },
    folderUid: meta.folderUid,
    overwrite: true,
  });
  expect(await follow("drift")).toContain("## Drift in stack `dev`: 1 resource;");
  expect((await sandbox.do(path)).dashboard.title).toBe(dashboard.title);
});

it("destroy names the connection that stays at the service", async () => {
  expect(await follow("destroy")).toContain("the service keeps the connection");
  expect(sandbox.registrations).toBe(3);
});

it("adoption of a dashboard", async () => {
  const dashboard = { uid: "genai-observability", title: "Pasted", panels: [] };
  await sandbox.do("/api/dashboards/db", "POST", { dashboard });
  expect(await follow("adopt")).toContain("2 imported");
});
