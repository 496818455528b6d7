/** Rules on the ruler of a real Mimir, loaded and removed as src/settings/README.md says, and what the checks say about what can be off in a Mimir. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { commandsOf } from "../../support/documents";
import { run } from "../../support/run";
import { temporaryFolder } from "../../support/temporary-folder";
import { queryInstant } from "../../view/reading/client";
import { TestGrafana } from "../grafana";
import { json, push } from "../telemetry/push";
import { metricsPath, recording, retimed } from "../telemetry/recorded";
import { remoteWrite, remoteWriteHeaders, type Series } from "../telemetry/service";
import { minute } from "../world/world";
import { commandsFor, type RunningMimir, startMimir } from "./server";

const suffixed = { otel_metric_suffixes_enabled: true };
const overrides = {
  default: {},
  suffixed,
  promoting: { ...suffixed, promote_otel_resource_attributes: "deployment.environment" },
  stopped: { ...suffixed, ruler_recording_rules_evaluation_enabled: false },
};
type Tenant = keyof typeof overrides;
const tenants = Object.keys(overrides) as Tenant[];

const now = Date.now();
const folder = temporaryFolder(afterAll);
let mimir: RunningMimir;
let grafana: TestGrafana;

beforeAll(async () => {
  mimir = await startMimir(overrides);
  const datasource = (uid: string) => ({ uid, type: "prometheus" as const, url: `${mimir.mimir}/prometheus` });
  const empty = { ...datasource("empty"), tenant: "empty" };
  grafana = await TestGrafana.start([...tenants.map((tenant) => ({ ...datasource(tenant), tenant })), empty, datasource("none")]);
  // Rules read the last full minute but one: samples of the next minutes are already there.
  const minutes = [-4, -3, -2, -1, 0, 1, 2, 3].map((number) => now + number * minute);
  const sdk = "opentelemetry-instrumentation-openai-v2-2.4b0";
  const exported = [sdk, `${sdk}-exponential`].flatMap((name) => recording(name).find(({ path }) => path.endsWith(metricsPath)) ?? []);
  for (const tenant of tenants) {
    const headers = { "X-Scope-OrgID": tenant };
    for (const at of minutes) {
      for (const metrics of exported.flatMap((each) => retimed([each], at)))
        await push(JSON.stringify(metrics.body), `${mimir.mimir}/otlp/v1/metrics`, { ...json, ...headers });
    }
    await push(remoteWrite(unpriced(minutes)), `${mimir.mimir}/api/v1/push`, { ...remoteWriteHeaders, ...headers });
  }
  for (const kind of ["rules", "alerts"]) {
    // Seconds, so that all groups are evaluated at once.
    const text = readFileSync(join(__dirname, "../../../dashboards", `${kind}.yaml`), "utf8").replace(/(interval: \d+)m$/gm, "$1s");
    writeFileSync(join(folder, `${kind}.dev.yaml`), text);
  }
}, 120_000);

afterAll(async () => {
  grafana?.stop();
  await mimir?.stop();
});

/** Many tokens of a model that has no price: an alert fires. */
const unpriced = (minutes: readonly number[]) =>
  Object.entries({ sum: 20_000, count: 10 }).map(
    ([part, each]): Series => ({
      labels: {
        ...{ __name__: `gen_ai_client_token_usage_${part}`, job: "shop", gen_ai_provider_name: "openai", gen_ai_request_model: "own" },
        ...{ gen_ai_operation_name: "chat", gen_ai_token_type: "input" },
      },
      samples: minutes.map((at, index) => [at, (index + 1) * each]),
    }),
  );

const ofOtel = 'series of "GenAI Observability (OpenTelemetry)"';
const found = async (uid: string, changed: Record<string, string> = {}) =>
  (await grafana.check({ prometheusUid: uid, ...changed }))[ofOtel];
const foundRules = async (uid: Tenant) => (await grafana.check({ prometheusUid: uid, recordingRules: "external" }))["recording rules"];

it("names without suffixes", async () => {
  expect(await found("default")).toMatch(/without suffixes\. Read these: npx pulumi config set --stack STACK metricNaming no-suffixes/);
  expect(await found("default", { metricNaming: "no-suffixes" })).toMatch(/^ok: arrive \(/);
  expect(await found("suffixed", { metricNaming: "no-suffixes" })).toMatch(/with suffixes\. Read these: .* metricNaming prometheus/);
});

it("the environment, promoted or in the resource only", async () => {
  for (const uid of ["suffixed", "promoting"]) expect(await found(uid)).toMatch(/^ok: arrive \(/);
});

it("another tenant, and none", async () => {
  const urls = { prometheusUrl: "http://p.example.com", lokiUrl: "http://l.example.com", tempoUrl: "http://t.example.com" };
  const managed = { datasources: "managed", ...urls, datasourceTenant: "empty" };
  expect(await found("empty", managed)).toMatch(/^note: no data yet: .* in the last 24 hours, in the tenant empty \(datasourceTenant\)$/);
  expect(await found("none")).toBe("note: unknown: unexpected response with status code 401: no org id");
  const health = await fetch(`${grafana.url}/api/datasources/uid/none/health`);
  expect([health.status, await health.text()]).toEqual([400, expect.stringContaining("401 Unauthorized")]);
});

it("Influx-style writes of the service", async () => {
  const line =
    "llmobs_llm,job=llmobs,applicationName=shop,environment=prod requestDuration=1,totalTokens=3,promptTokens=2,completionTokens=1,usageCost=0.5";
  await push(line, `${mimir.mimir}/api/v1/push/influx/write`, { "X-Scope-OrgID": "default" });
  expect(await grafana.check({ prometheusUid: "default" })).toMatchObject({ 'series of "llmobs - LLM Monitoring"': "ok: arrive" });
});

/** Follows a block of the document, in a folder with the rendered rules. */
const follow = async (commands: string, tenant: Tenant) =>
  run("sh", ["-ec", commands], { cwd: folder, env: await commandsFor(mimir.mimir, tenant) });

type Rule = { name: string; health: string; state?: string };

/** Waits until all rules of a tenant are evaluated and one of the alerts fires. */
function untilFiring(tenant: Tenant, alert: string): Promise<Rule[]> {
  const evaluated = async () => {
    const answer = await fetch(`${grafana.proxy(tenant)}/api/v1/rules`);
    const { data } = (await answer.json()) as { data: { groups: { rules: Rule[] }[] } };
    const rules = data.groups.flatMap((group) => group.rules);
    expect(rules).toContainEqual(expect.objectContaining({ name: alert, state: "firing" }));
    expect(rules.filter(({ health }) => health === "unknown")).toEqual([]);
    return rules;
  };
  return vi.waitFor(evaluated, { timeout: 60_000, interval: 500 });
}

it("rules are loaded and evaluated; an alert fires", async () => {
  expect(await foundRules("suffixed")).toMatch(
    /^note: rules are not evaluated: .* check whether the server has loaded the files of npm run rules/,
  );
  expect(await follow(commandsOf("mimir_rules", "src/settings/README.md"), "suffixed")).toContain("6 Groups Created");

  const rules = await untilFiring("suffixed", "GenAIModelWithoutPrice");
  expect(rules.filter(({ health }) => health !== "ok")).toEqual([]);
  expect(await foundRules("suffixed")).toMatch(/^note: \d samples of \S+ in 10 minutes: either the rules are new/);

  // The environment is in the resource only.
  const exponential = 'application:gen_ai_requests_bucket:increase1m{source="exponential",environment="prod"}';
  const { result } = await queryInstant(grafana.proxy("suffixed"), `count(histogram_count(${exponential})) > bool 0`, Date.now());
  expect(result).toMatchObject([{ value: [expect.anything(), "1"] }]);

  const again = await follow(commandsOf("mimir_rules", "src/settings/README.md"), "suffixed");
  expect(again).toContain("0 Groups Created, 0 Groups Updated, 0 Groups Deleted");
});

it("rules are loaded and not evaluated", async () => {
  await follow(commandsOf("mimir_rules", "src/settings/README.md"), "stopped");
  expect(await foundRules("stopped")).toMatch(/^note: rules are not evaluated: /);
});
