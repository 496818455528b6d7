/** What a user reads when the config of a stack is wrong. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Sandbox } from "./sandbox";
import { TestStack } from "./stack";

let sandbox: Sandbox;
let stack: TestStack;

beforeAll(async () => {
  sandbox = await Sandbox.start();
  stack = await TestStack.create(sandbox.config());
});

afterAll(async () => {
  await sandbox?.stop();
  stack?.remove();
});

describe("a wrong config", () => {
  it("is reported whole, each problem with the command that mends it, and without a stack trace", async () => {
    await stack.unset("metricsUrl");
    await stack.unset("otlpToken");
    await stack.set({ metricUrl: "https://metrics.example.net", logsUrl: "logs.example.net" });
    await stack.setPlain("platformApiKey", "canary-in-plain");
    const text = await stack.failing("preview");
    expect(text).toContain("The config of stack test has 5 problems:");
    expect(text).toContain("metricsUrl is not set");
    expect(text).toMatch(/npx pulumi config set metricsUrl https:\S+ --stack test/);
    expect(text).toContain("otlpToken is not set");
    expect(text).toContain("npx pulumi config set --secret otlpToken --stack test");
    expect(text).toContain("metricUrl is not a setting. Did you mean metricsUrl?");
    expect(text).toContain("npx pulumi config rm metricUrl --stack test");
    expect(text).toContain("logsUrl must be an address");
    expect(text).toContain("platformApiKey is a secret, but stands in plain");
    expect(text).toContain("npx pulumi config set --secret platformApiKey --stack test");
    expect(text).not.toContain("canary");
    expect(text).not.toMatch(/^\s+at /m);
  });
});
