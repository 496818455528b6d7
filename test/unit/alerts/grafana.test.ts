/** Alert rules as resources under the SDK's mocks, and their changes in the report. */
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, it } from "vitest";
import type { Alerts } from "../../../src/alerts/definitions";
import type { AlertRule } from "../../../src/alerts/rule";
import { createAlertRules } from "../../../src/platform/rules";
import type { Json } from "../../../src/report/json";
import { linesOf, ruleGroupType, step } from "../report/steps";

const declared = new Map<string, Record<string, Json>>();

const newResource = ({ name, inputs }: pulumi.runtime.MockResourceArgs) => {
  declared.set(name, inputs);
  return { id: name, state: inputs };
};
beforeAll(() => pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "project", "dev"));

const rule: AlertRule = {
  id: "errors",
  title: "GenAIErrors",
  severity: "warning",
  criticalFrom: 0.5,
  query: "sum by (provider) (failed) / sum by (provider) (all)",
  above: 0.05,
  unit: "share",
  forMinutes: 5,
  keepMinutes: 10,
  everyMinutes: 10,
  summary: "Requests fail.",
  what: "{value} of the requests of {application|all applications} to {provider} failed.",
  steps: ["See the status page.", "Wait.", "Switch."],
  runbook: "GenAIErrors",
  from: "now-24h",
  panelId: 9,
  variables: { provider: "provider" },
};

const alerts: Alerts = { rules: [rule], service: "llmobs", dashboardUid: "otel", dashboard: "https://g.example.com/d/otel" };
const datasources = pulumi.output({ prometheus: "prometheus", loki: "loki", tempo: "tempo" });
const surroundings = { folderUid: pulumi.output("folder"), datasources };

/** The inputs of the first rule's group, as the engine receives them. */
async function inputsOf(changed: Partial<Alerts> = {}): Promise<Record<string, Json>> {
  const [group] = createAlertRules((id) => [`service-${id}`, {}], { ...alerts, ...changed }, surroundings);
  const urn = await new Promise<string>((resolve) => group?.urn.apply(resolve));
  return declared.get(urn.split("::").at(-1) ?? "") ?? {};
}

describe("a rule in Grafana", () => {
  const severity = "{{ if and (and $values.A (lt $values.A.Value 1e300)) (ge $values.A.Value 0.5) }}critical{{ else }}warning{{ end }}";
  const labels = { severity, service: "llmobs", stack: "project/dev" };
  const ends = { intervalMs: 1000, maxDataPoints: 43200 };

  it("is alone in its group, and linked to its panel", async () => {
    const inputs = await inputsOf();
    const models = (inputs.rules as { datas: { model: string }[] }[])[0]?.datas.map(({ model }) => JSON.parse(model));
    expect(models).toEqual([
      { refId: "A", expr: rule.query, instant: true, range: false, ...ends },
      {
        refId: "C",
        datasource: { type: "__expr__", uid: "__expr__" },
        type: "threshold",
        expression: "A",
        conditions: [
          {
            type: "query",
            evaluator: { type: "gt", params: [0.05] },
            operator: { type: "and" },
            query: { params: ["C"] },
            reducer: { type: "last", params: [] },
          },
        ],
        ...ends,
      },
    ]);
    const model = expect.any(String);
    expect(inputs).toEqual({
      name: "GenAIErrors",
      folderUid: "folder",
      intervalSeconds: 600,
      rules: [
        {
          name: "GenAIErrors",
          condition: "C",
          for: "5m0s",
          keepFiringFor: "10m0s",
          noDataState: "OK",
          execErrState: "Error",
          labels,
          annotations: {
            summary: "Requests fail.",
            description:
              "{{ if and $values.A (lt $values.A.Value 1e300) }}{{ $values.A.Value | humanizePercentage }}{{ else }}an unknown share{{ end }} of the " +
              'requests of {{ or $labels.application "all applications" }} to {{ or $labels.provider "(none)" }} failed. ' +
              "1. See the status page. 2. Wait. 3. Switch.",
            dashboard_url:
              'https://g.example.com/d/otel?from=now-24h&to=now{{ with $labels.provider }}{{ if ne . "(none)" }}&var-provider={{ urlquery . }}{{ end }}{{ end }}',
            __dashboardUid__: "otel",
            __panelId__: "9",
          },
          datas: [
            { refId: "A", datasourceUid: "prometheus", relativeTimeRange: { from: 600, to: 0 }, model },
            { refId: "C", datasourceUid: "__expr__", relativeTimeRange: { from: 0, to: 0 }, model },
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
          annotations: { runbook_url: "https://git.example.com/README.md#genaierrors" },
        },
      ],
    });
  });
});

describe("the report", () => {
  const report = (options: Parameters<typeof step>[0]) => linesOf([step({ type: ruleGroupType, ...options })]);
  const update = async (changed: { [K in keyof AlertRule]?: unknown }, others: Partial<Alerts> = {}) => {
    const before = await inputsOf();
    return report({ before, after: await inputsOf({ rules: [{ ...rule, ...changed } as AlertRule], ...others }) });
  };

  it("says changes of a rule in words", async () => {
    const lines = await update(
      { above: 0.02, forMinutes: 30, everyMinutes: 5, severity: "critical", criticalFrom: undefined, panelId: 10, what: "New." },
      { contactPoint: "on-call", service: "other", dashboardUid: "other" },
    );
    expect(lines.slice(1).sort()).toEqual([
      "  - dashboard `otel` → `other`",
      expect.stringMatching(/^ {2}- description .*New\./),
      "  - intervalSeconds 600 → 300",
      "  - label service `llmobs` → `other`",
      expect.stringMatching(/^ {2}- label severity .*critical/),
      '  - notificationSettings set to `{"contactPoint":"on-call"}`',
      "  - panel `9` → `10`",
      "  - pending period `5m0s` → `30m0s`",
      "  - threshold 0.05 → 0.02",
    ]);
    expect(await update({ query: rule.query.replace("(all)", "(total)") })).toEqual([
      "- **update** alert rule `GenAIErrors`",
      "  - query `sum by (provider) (failed) / sum by (provider) (` ~~`all`~~ **`total`** `)`",
    ]);
  });

  it("names new rules by their titles, and shows what no word describes by its path", async () => {
    const before = await inputsOf();
    expect(report({ op: "create", after: before })).toEqual(["- **create** alert rule `GenAIErrors`"]);
    const [only] = before.rules as Record<string, Json>[];
    const after = { ...before, rules: [{ ...only, missingSeriesEvalsToResolve: 3 }] };
    expect(report({ before, after })[1]).toContain("missingSeriesEvalsToResolve");
  });
});
