/** What alert rules would have done, with other limits and in a report. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { isGenuine } from "../support/genuine";
import { startPast } from "../support/past";
import { sandbox, setUp, stack } from "../support/set-up";

setUp(() => ({ ...sandbox.existingConfig(), alerts: "on" }));

let past: Awaited<ReturnType<typeof startPast>>;

beforeAll(async () => {
  await sandbox.createHosted();
  await stack.up();
  past = await startPast(Math.floor(Date.now() / 3_600_000) * 3600);
  await sandbox.setPrometheus({ prometheusType: "Prometheus" }, past.url);
});

afterAll(() => past?.close());

// A genuine Grafana may not reach the server.
// The lines of other changes: see test/unit/backtest.test.ts.
it.skipIf(isGenuine)("the part of the report about a pull request", async () => {
  stack.setPlain({ alertErrorRate: "0.5" });
  const report = await stack.npm("preview-report", "--stack", "test", "--backtest", "7d");
  expect(report).toMatch(
    /\n### Alerts of the last 7 days, before and after\n\nAs Grafana .* \d+ requests in \d+ s, of at most 400 requests in 120 s\.\n/,
  );
  expect(report).toMatch(/- \*\*`GenAIErrors`\*\*: threshold 0\.15 → 0\.075, query changed, 1 → 2 alerts, 22 min → 37 min firing\n/);
});

it.skipIf(isGenuine)("the limits of a setting, with that of the stack", async () => {
  const text = await stack.npm("backtest", "--stack", "test", "--days", "14", "alertErrorRate", "1", "2");
  const [header, ...rows] = text.split("\n").map((line) => line.replace(/ {2,}/g, " | "));
  expect(header).toBe("alert | alertErrorRate | incidents | alerts | firing | longest | by application, notes");
  expect(rows.slice(0, 3)).toEqual([
    "GenAIErrors | now | 2 | 2 | 40 min | 25 min | check|out 2 (evaluated each 5 min instead of 1)",
    "GenAIErrors | 1 | 1 | 1 | 25 min | 25 min | check|out 1 (evaluated each 5 min instead of 1)",
    "GenAIErrors | 2 | 0 | (evaluated each 5 min instead of 1)",
  ]);
  expect(text).toMatch(/As Grafana would have evaluated the rules in the last 14 days\..*at most 400 requests in 120 s\.\n$/s);
  expect(await stack.npm("backtest", "--stack", "test", "alertContactPoint", "x").catch(String)).toContain(
    "No alert rule changes with alertContactPoint.",
  );
});
