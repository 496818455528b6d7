/** What alert rules would have done: of a pull request that changes settings and rules, and with other limits. */
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isGenuine } from "../support/genuine";
import { startPast } from "../support/past";
import { sandbox, setUp, stack } from "../support/set-up";

setUp(() => ({ ...sandbox.existingConfig(), alerts: "on", alertBudget: "0.15", alertBudgets: '{"shop":5}' }));

let past: Awaited<ReturnType<typeof startPast>>;

beforeAll(async () => {
  await sandbox.createHosted();
  await stack.useCopy();
  symlinkSync(resolve(__dirname, "../../node_modules"), join(stack.folder, "node_modules"));
  await stack.up();
  past = await startPast(Math.floor(Date.now() / 3_600_000) * 3600);
  const name = "grafanacloud-prom";
  const datasource = { uid: name, name, type: "prometheus", access: "proxy", url: past.url, jsonData: { prometheusType: "Prometheus" } };
  await sandbox.do(`/api/datasources/uid/${name}`, "PUT", datasource);
});

afterAll(() => past?.close());

// A genuine Grafana may not reach the server.
it.skipIf(isGenuine)("a pull request: a lowered and a raised limit, a new and a deleted rule", async () => {
  stack.setPlain({ alertErrorRate: "0.5", alertLatency: "60", alertBudgets: '{"shop":6}' });
  const file = join(stack.folder, "src/alerts/opentelemetry.ts");
  const former = readFileSync(file, "utf8");
  rmSync(file);
  writeFileSync(file, former.replace('title: "ModelWithoutPrice"', 'title: "ModelWithoutCost"').replace("above: 10_000", "above: 0.15"));
  const report = await stack.npm("preview-report", "--stack", "test", "--backtest", "7d");
  const [, part = ""] = /\n### (.*?)\n\n(?:Warning|<details>)/s.exec(report) ?? [];
  const [title, how, ...lines] = part.split("\n").filter(Boolean);
  expect(title).toBe("Alerts of the last 7 days, before and after");
  expect(how).toMatch(/^As Grafana .* \d+ requests in \d+ s, of at most 400 requests in 120 s\.$/);
  expect(lines.sort().map((line) => line.replace(/\d\d-\d\d \d\d:\d\d UTC/, "WHEN"))).toEqual([
    "  - new: `check|out / openai` (15 min; WHEN)",
    "  - new: `check|out / openai` (20 min; WHEN)",
    "- **`GenAIBudget`**, **`GenAIErrorsLasting`**, **`GenAISlow`**, **`LlmobsSlow`**: no alert",
    "- **`GenAIErrors`**: threshold 0.15 → 0.075, query changed, 1 → 2 alerts, 22 min → 37 min firing",
    "- **`GenAIModelWithoutCost`**: new, 1 alert, 20 min firing",
    "- **`GenAIModelWithoutPrice`**: deleted, no alert",
  ]);
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
