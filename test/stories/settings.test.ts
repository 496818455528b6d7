/** The messages about a wrong or insecure config of a stack. */
import { expect, it } from "vitest";
import { setUp, stack } from "../support/set-up";

setUp();

it("keys that cross the network in plain text, and alert rules that are left out, cause warnings", async () => {
  stack.setPlain({ logsUrl: "http://logs.example.com/push", alerts: "on" });
  const text = await stack.pulumi("preview");
  expect(text).toMatch(
    /warning: These addresses start with http:\/\/, so the listed keys are sent unencrypted\. .*\n +logsUrl +platformApiKey\n/,
  );
  expect(text).toMatch(/warning: alerts is on, but recordingRules is off: .*npx pulumi config set recordingRules grafana/);
  expect(text).toContain(" service-alert-latency create");
  expect(text).not.toContain(" alert-otel");
});

it("a wrong config is reported completely, each problem with its fix and without a stack trace", async () => {
  stack.unset("metricsUrl", "otlpToken");
  stack.setPlain({ metricUrl: "https://metrics.example.com", logsUrl: "logs.example.com", platformApiKey: "canary-in-plain" });
  const text = await stack.failing("preview");
  expect(text).toContain("The config of stack test has 5 problems:");
  expect(text).toMatch(/metricsUrl is not set\..*\n.*npx pulumi config set metricsUrl https:\S+ --stack test/);
  expect(text).toMatch(/otlpToken is not set\..*\n.*npx pulumi config set --secret otlpToken --stack test/);
  expect(text).toMatch(/metricUrl is not a setting\. Did you mean metricsUrl\?\n.*npx pulumi config rm metricUrl --stack test/);
  expect(text).toContain("platformApiKey is a secret, but is stored in plain text");
  expect(text).not.toContain("canary");
  expect(text).not.toMatch(/^\s+at /m);
});
