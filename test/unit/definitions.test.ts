/** What settings ask for: dashboards, rules, and the objects to check. */
// Definitions require the builders of dashboards on first use.
import "tsx/cjs";
import { describe, expect, it } from "vitest";
import { defineAlerts } from "../../src/alerts/definitions";
import { checkTargets } from "../../src/checks/targets";
import { defineDashboards } from "../../src/dashboards/definitions";
import type { ManagedResources } from "../../src/platform/dashboard";
import { complete, managed, plainValue, settingsOf as read } from "./config";

const settingsOf = (values: Record<string, string>, base = managed) => read({ ...base, ...values });

const uids = { prometheus: "prometheus", loki: "loki", tempo: "tempo" };

/** The model of a dashboard as text. */
const modelText = (part: "llmMonitoring" | "genai" | "otel", values: Record<string, string>) =>
  JSON.stringify(defineDashboards(settingsOf(values))[part]?.model(uids));

function targetsOf(values: Record<string, string>, base?: typeof managed) {
  const settings = settingsOf(values, base);
  return plainValue(checkTargets({ ...settings, definitions: defineDashboards(settings).all, otlpAuthorization: "Basic x" }));
}

/** Each as a histogram with explicit buckets, and as an exponential one. */
const countersOfToday = [
  ...["operation", "inference", "embeddings"].flatMap((of) => [
    `gen_ai_client_${of}_duration_seconds_count`,
    `gen_ai_client_${of}_duration_seconds`,
  ]),
  ...["gen_ai_client_operation_milliseconds_count", "gen_ai_client_operation_seconds_count"],
  "gen_ai_client_operation_duration_milliseconds_count",
  ...["gen_ai_client_token_usage_count", "gen_ai_client_token_usage", "gen_ai_client_token_usage_tokens_count"],
];

describe("dashboards", () => {
  it.each([
    ["spec", ["genai-observability", "llm-monitoring"]],
    ["otel", ["genai-observability-otel", "llm-monitoring"]],
    ["both", ["genai-observability", "genai-observability-otel", "llm-monitoring"]],
  ])("telemetry %s decides which exist, with their rules and their checks", async (telemetry, parts) => {
    const values = { telemetry, genaiReads: "rules" };
    const definitions = defineDashboards(settingsOf(values)).all;
    expect(definitions.map(({ part }) => part)).toEqual(parts);
    const { dashboards, recording, sdk } = await targetsOf(values);
    expect(dashboards.map(({ uid }) => uid)).toEqual(definitions.map(({ uid }) => uid));
    const rules = definitions.flatMap(({ sdk }) => sdk?.rules ?? []).map(({ name }) => name);
    expect(rules).toEqual(expect.arrayContaining(recording?.rules.map(({ name }) => name) ?? []));
    expect(sdk?.counters.map(({ series }) => series)).toEqual([
      ...(telemetry === "otel" ? [] : ["gen_ai_requests_total"]),
      ...(telemetry === "spec" ? [] : countersOfToday),
    ]);
  });

  it("have the uids, names and contents of the settings", () => {
    expect(modelText("llmMonitoring", { service: "other" })).toMatch(/"title":"other - LLM Monitoring".*"uid":"other-llm-monitoring"/s);
    expect(modelText("llmMonitoring", { contents: "hide" })).not.toContain('"loki"');
    expect(modelText("genai", { sdkName: "other", genaiDashboardUid: "renamed" })).toMatch(/sdk_name=\\"other\\".*"uid":"renamed"/s);
    expect(modelText("genai", { metricNaming: "no-suffixes" })).toContain("gen_ai_total_requests");
    expect(modelText("genai", { contents: "hide" })).not.toContain("span.gen_ai.content");
    expect(modelText("otel", { otelDashboardUid: "renamed" })).toContain('"uid":"renamed"');
    const rules = defineDashboards(settingsOf({ metricNaming: "no-suffixes" })).otel?.sdk?.rules;
    expect(JSON.stringify(rules)).toMatch(/\bgen_ai_client_operation_duration_count\b/);
    expect(modelText("otel", { contents: "hide" })).not.toMatch(/,\.gen_ai\.(input|output|content)/);
  });

  it("link the others, with the time, and with the selection unless the variables there have other names", () => {
    const { links } = JSON.parse(modelText("otel", {})) as { links: { title: string; keepTime: boolean; includeVars: boolean }[] };
    expect(links.map(({ title, keepTime, includeVars = false }) => [title, keepTime, includeVars])).toEqual([
      ["llmobs - LLM Monitoring", true, false],
      ["GenAI Observability", true, true],
    ]);
  });

  it("read recorded series, that of the spec with genaiReads rules; what reads samples has no rules", async () => {
    expect(modelText("otel", {})).not.toContain("irate");
    expect(modelText("genai", {})).toContain("irate");
    expect(modelText("genai", { genaiReads: "rules" })).not.toContain("irate");
    const rulesOf = (values: Record<string, string>) =>
      defineDashboards(settingsOf(values)).all.flatMap(({ sdk }) => (sdk ? [sdk.rules.length > 0] : []));
    expect([rulesOf({}), rulesOf({ genaiReads: "rules" }), rulesOf({ telemetry: "spec" })]).toEqual([[false, true], [true, true], [false]]);
  });
});

describe("alert rules", () => {
  const on = { alerts: "on", recordingRules: "external" };
  const idsWith = (values: Record<string, string>) => {
    const { ofSdks, ofService } = defineAlerts(settingsOf({ ...on, ...values }, complete));
    return [ofSdks, ofService].map((alerts) => alerts?.rules.map(({ id }) => id));
  };

  it("exist for the dashboards that the stack manages, those of SDKs if counters are recorded", () => {
    const [sdks, service] = idsWith({});
    const alone = service?.filter((id) => id !== "connection-lost");
    expect(alone).not.toEqual(service);
    expect(sdks?.length).toBeGreaterThan(5);
    // Those of costs are of the service only if SDKs send none.
    expect(idsWith({ telemetry: "spec" })[1]?.filter((id) => id !== "unusual-cost")).toEqual(alone);
    expect(idsWith({ alerts: "off" })).toEqual([undefined, undefined]);
    const all = settingsOf(on, complete);
    const referring = (managedResources: ManagedResources) => {
      const { ofSdks, ofService } = defineAlerts({ ...all, grafana: { ...all.grafana, managedResources } });
      return [ofSdks, ofService?.rules.map(({ id }) => id)];
    };
    // Then it has no recording rules: the costs are those of the service.
    expect(referring("service-dashboard")).toEqual([undefined, idsWith({ telemetry: "spec" })[1]]);
    expect(referring("none")).toEqual([undefined, undefined]);
  });

  it("have the contact point and the runbooks of the settings, and link the dashboard", () => {
    const named = { alertContactPoint: "on-call", alertRunbooks: "https://runbooks.example.com" };
    const { all } = defineAlerts(settingsOf({ ...on, ...named, grafanaUrl: "https://g.example.com" }, complete));
    for (const { contactPoint, runbooks } of all) expect([contactPoint, runbooks]).toEqual(Object.values(named));
    expect(all.map(({ dashboard }) => dashboard)).toEqual([
      "https://g.example.com/d/genai-observability-otel",
      "https://g.example.com/d/llmobs-llm-monitoring",
    ]);
  });
});

describe("the objects to check", () => {
  it("are those that the settings name", async () => {
    const named = { grafanaUrl: "https://g.example.com", serviceUrl: "https://s.example.com", otlpEndpoint: "https://o.example.com" };
    const values = { ...named, prometheusUid: "p", tempoUrl: "https://t.example.com", folderUid: "f" };
    expect(await targetsOf({ ...values, otlpData: "traces", otlpInstanceId: "7", checks: "warn" })).toMatchObject({
      grafana: { url: "https://g.example.com" },
      datasources: [{ uid: "p" }, { uid: "llm-observability-loki" }, { url: "https://t.example.com" }],
      dashboards: [{ sdk: { telemetry: "spec" } }, { sdk: { telemetry: "otel" } }, { folderUid: "f" }],
      streams: '{job="llmobs"}',
      sdk: { name: "openlit", naming: "prometheus", readsSamples: true },
      recording: { by: "grafana", folderUid: "f", steady: expect.stringMatching(/^model:gen_ai_.*price/) },
      otlp: { endpoint: "https://o.example.com", data: ["traces"] },
      applications: { instanceId: "7", contents: "show" },
      serviceUrl: "https://s.example.com",
      onFailure: "warn",
    });
  });

  it("have a version of the rules that another server loads, so that a preview shows a change", async () => {
    const rulesOf = async (values: Record<string, string>) => (await targetsOf(values)).externalRules;
    const external = { recordingRules: "external" };
    const others = [{}, { gateways: "litellm" }, { alertBudgets: '{"shop":1}' }, { alertErrorRate: "2" }, { alertLatency: "9" }];
    const versions = others.map((other) => rulesOf({ ...external, ...other }));
    expect(new Set(await Promise.all(versions)).size).toBe(others.length);
    // Then, Grafana evaluates the alert rules.
    expect(await rulesOf({ ...external, alerts: "on", alertErrorRate: "2" })).toBe(await rulesOf({ ...external, alerts: "on" }));
    expect(await rulesOf({ alertBudgets: '{"shop":1}' })).toBeUndefined();
  });

  it("leave out what another stack manages, what is hidden, and what is not recorded", async () => {
    expect((await targetsOf({ contents: "hide" })).streams).toBeUndefined();
    const set = { alertBudgets: '{"shop":1}', gateways: "litellm" };
    expect((await targetsOf(set)).sdk).toMatchObject({ budgets: ["shop"], gateways: { names: ["litellm"] } });
    const { recording, sdk } = await targetsOf({ ...set, telemetry: "spec" });
    expect([recording, sdk?.budgets, sdk?.gateways]).toEqual([undefined, undefined, undefined]);
    expect((await targetsOf({ datasourceTenant: "t", datasources: "existing" })).tenant).toBeUndefined();
    expect((await targetsOf({ genaiReads: "rules" })).sdk?.readsSamples).toBeUndefined();
    // If only a gateway sends, the rules of SDKs record nothing.
    const filters = ['job!~"(.+/)?(litellm)"', 'exported_job!~"(.+/)?(litellm)"'];
    expect((await targetsOf({ gateways: "litellm" })).recording?.filters).toEqual(filters);
    // The dashboard of another stack can read recorded series, and its rules are those of that stack.
    const shared = await targetsOf({ managedResources: "service-dashboard" }, complete);
    expect([shared.sdk?.readsSamples, shared.recording]).toEqual([undefined, undefined]);
  });
});
