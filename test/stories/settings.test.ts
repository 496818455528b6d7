/** The messages about a wrong config of a stack, and the rule files of a stack's settings. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { sandbox, setUp, stack } from "../support/set-up";

setUp();

it("npm run rules writes the rules of a stack, with its names, prices and budgets, and only what it has", async () => {
  stack.setPlain({ sdkName: "doku", genaiReads: "rules", prices: { "my-model": { input: 0.5 } }, alertBudget: "123" });
  const run = () => stack.npm("rules", "--stack", "test");
  const file = (kind: string) => join(stack.folder, `${kind}.test.yaml`);
  const text = (kind: string) => readFileSync(file(kind), "utf8");
  const output = await run();
  expect(output).toContain("Written: rules.test.yaml\nWritten: alerts.test.yaml\n");
  expect(output).toContain("npx pulumi config set recordingRules external --stack test");
  expect(text("rules")).toContain('telemetry_sdk_name="doku"');
  expect(text("rules")).toMatch(/my-model/);
  const [group] = parse(text("rules")).groups;
  expect(group).toMatchObject({ interval: "1m", query_offset: "1m", rules: expect.any(Array) });
  expect(text("alerts")).toMatch(/alert: GenAIBudget[\s\S]*?vector\(123\)/);
  // The addresses of the stack, which a person opens from the alert.
  expect(text("alerts")).toContain(`dashboard_url: ${sandbox.grafanaUrl}/d/genai-observability-otel?from=now-24h&to=now`);

  stack.unset("alertBudget", "prices", "sdkName", "genaiReads");
  stack.setPlain({ telemetry: "spec", recordingRules: "external", alerts: "on" });
  const external = await run();
  expect(external).not.toContain("recordingRules external");
  expect([output, external].map((text) => text.includes("Load no file of alerts"))).toEqual([false, true]);
  expect(existsSync(file("rules"))).toBe(false);
  expect(text("alerts")).not.toMatch(/GenAI/);
  expect(text("alerts")).toMatch(/alert: LlmobsUnusualCost/);
  stack.unset("telemetry", "recordingRules", "alerts");
});

it("a wrong config is reported completely, without a stack trace", async () => {
  stack.unset("metricsUrl", "otlpToken");
  stack.setPlain({ metricUrl: "https://metrics.example.com", logsUrl: "logs.example.com", platformApiKey: "canary-in-plain" });
  const text = await stack.failing("preview");
  expect(text).toContain("The config of stack test has 5 problems:");
  expect(text).toMatch(/otlpToken is not set\..*\n.*npx pulumi config set --secret otlpToken --stack test/);
  expect(text).not.toContain("canary");
  expect(text).not.toMatch(/^\s+at /m);
});
