/** Alert rules as resources under the SDK's mocks, and their changes in the report. */
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, it } from "vitest";
import type { Alerts } from "../../../src/alerts/definitions";
import type { AlertRule } from "../../../src/alerts/rule";
import { createAlertRules } from "../../../src/platform/alerts";
import type { Json } from "../../../src/report/json";
import { linesOf, step } from "../report/steps";

const declared = new Map<string, Record<string, Json>>();

beforeAll(() =>
  pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs }) => {
        declared.set(name, inputs);
        return { id: name, state: inputs };
      },
      call: () => ({}),
    },
    "project",
    "dev",
  ),
);

const rule: AlertRule = {
  id: "otel-error-rate-warning",
  title: "GenAI: Error rate, warning",
  severity: "warning",
  query: "sum by (provider) (failed) / sum by (provider) (all)",
  above: 0.05,
  unit: "share",
  forMinutes: 5,
  everyMinutes: 10,
  summary: "{value} of the requests to {{ $labels.provider }} failed.",
  description: "See the status page.",
  panelId: 9,
  runbook: "error-rate",
};

const alerts: Alerts = { rules: [rule], service: "llmobs" };
const surroundings = { folder: pulumi.output("folder"), prometheus: "prometheus" };

/** The inputs of the first rule's group, as the engine receives them. */
async function inputsOf(changed: Partial<Alerts> = {}, dashboard = "otel"): Promise<Record<string, Json>> {
  const [group] = createAlertRules((id) => [`service-${id}`, {}], { ...alerts, ...changed }, { ...surroundings, dashboard });
  const urn = await new Promise<string>((resolve) => group?.urn.apply(resolve));
  return declared.get(urn.split("::").at(-1) ?? "") ?? {};
}

describe("a rule in Grafana", () => {
  const labels = { severity: "warning", service: "llmobs", stack: "project/dev" };
  const ends = { intervalMs: 1000, maxDataPoints: 43200 };

  it("is alone in its group, and linked to its panel", async () => {
    const inputs = await inputsOf();
    const models = (inputs.rules as { datas: { model: string }[] }[])[0]?.datas.map(({ model }) => JSON.parse(model));
    expect(models).toEqual([
      { refId: "A", expr: rule.query, instant: true, range: false, ...ends },
      { refId: "B", datasource: { type: "__expr__", uid: "__expr__" }, type: "math", expression: "$A > 0.05", ...ends },
    ]);
    const model = expect.any(String);
    expect(inputs).toEqual({
      name: "GenAI: Error rate, warning",
      folderUid: "folder",
      intervalSeconds: 600,
      rules: [
        {
          name: "GenAI: Error rate, warning",
          condition: "B",
          for: "5m0s",
          noDataState: "OK",
          execErrState: "Error",
          labels,
          annotations: {
            summary: expect.stringMatching(
              /^\{\{ if and \$values.A .* of the requests to \{\{ or \$labels.provider "\(none\)" \}\} failed\.$/,
            ),
            description: "See the status page.",
            __dashboardUid__: "otel",
            __panelId__: "9",
          },
          datas: [
            { refId: "A", datasourceUid: "prometheus", relativeTimeRange: { from: 600, to: 0 }, model },
            { refId: "B", datasourceUid: "__expr__", relativeTimeRange: { from: 0, to: 0 }, model },
          ],
        },
      ],
    });
  });

  it.each([
    [0, "0s"],
    [10, "10m0s"],
    [90, "1h30m0s"],
    [120, "2h0m0s"],
  ])("has a pending period of %d minutes as the provider stores it", async (forMinutes, expected) => {
    expect(await inputsOf({ rules: [{ ...rule, forMinutes }] })).toMatchObject({ rules: [{ for: expected }] });
  });

  it("names a contact point and links its runbook only if the settings have them", async () => {
    const changed = { contactPoint: "on-call", runbooks: "https://git.example.com/README.md" };
    expect(await inputsOf(changed)).toMatchObject({
      rules: [
        {
          notificationSettings: { contactPoint: "on-call" },
          annotations: { runbook_url: "https://git.example.com/README.md#error-rate" },
        },
      ],
    });
  });
});

describe("the report", () => {
  const report = (...steps: unknown[]) => linesOf(steps);
  const type = "grafana:alerting/ruleGroup:RuleGroup";
  const update = async (changed: { [K in keyof AlertRule]?: unknown }, others: Partial<Alerts> = {}, dashboard?: string) => {
    const before = await inputsOf();
    return report(step({ type, before, after: await inputsOf({ rules: [{ ...rule, ...changed } as AlertRule], ...others }, dashboard) }));
  };

  it("says changes of a rule in words", async () => {
    const lines = await update(
      { above: 0.02, forMinutes: 30, everyMinutes: 5, severity: "critical", panelId: 10, description: "New." },
      { contactPoint: "on-call", service: "other" },
      "other",
    );
    expect(lines.slice(1).sort()).toEqual([
      "  - condition `$A > 0.05` → `$A > 0.02`",
      "  - dashboard `otel` → `other`",
      "  - description `See the status page.` → `New.`",
      "  - intervalSeconds 600 → 300",
      '  - notificationSettings set to `{"contactPoint":"on-call"}`',
      "  - panel `9` → `10`",
      "  - pending period `5m0s` → `30m0s`",
      "  - service `llmobs` → `other`",
      "  - severity `warning` → `critical`",
    ]);
    expect(await update({ query: rule.query.replace("(all)", "(total)") })).toEqual([
      "- **update** alert rule `GenAI: Error rate, warning`",
      "  - query `… sum by (provider) (` ~~`all`~~ **`total`** `)`",
    ]);
  });

  it("names new rules by their titles, and shows what no word describes by its path", async () => {
    const before = await inputsOf();
    expect(report(step({ op: "create", type, after: before }))).toEqual(["- **create** alert rule `GenAI: Error rate, warning`"]);
    const [only] = before.rules as Record<string, Json>[];
    expect(report(step({ type, before, after: { ...before, rules: [{ ...only, keepFiringFor: "10m" }] } }))[1]).toContain("keepFiringFor");
  });
});
