/** What the checks say about the series of a dashboard: the convention, the applications, why the dashboard is empty, and the cure. */
import { describe, expect, it } from "vitest";
import { type Facts, relatedNames } from "../../../src/checks/facts";
import type { CheckedDashboard, CheckTargets } from "../../../src/checks/input";
import { judgeSeries } from "../../../src/checks/series";
import { genaiSignals } from "../../../src/signals/genai";
import { type Naming, namings } from "../../../src/signals/names/translate";
import { openTelemetryArrivals } from "../../../src/signals/opentelemetry-rules";
import { defaultReading, seriesReadBy } from "../../../src/signals/signal";
import { answer } from "../../support/raw-server";
import { check } from "./run";

const seriesRead = {
  spec: (naming: Naming = "prometheus") => seriesReadBy(genaiSignals("openlit", { ...defaultReading, naming })),
  otel: (naming: Naming = "prometheus") => openTelemetryArrivals(naming),
};
const inference = ["gen_ai_client_inference_duration_seconds_count", "gen_ai_client_inference_duration_seconds_bucket"];
/** What later releases of OpenLIT still send by the names of 2024, with other labels. */
const kept = ["gen_ai_usage_cost_USD_sum", "gen_ai_usage_cost_USD_bucket", "db_requests_total"];

type Labels = Record<string, string>;
const specLabels = (application: string, more = {}) => ({
  // Not the application: the resource can have another name.
  job: "platform",
  telemetry_sdk_name: "openlit",
  gen_ai_application_name: application,
  gen_ai_environment: "prod",
  ...more,
});
const otelLabels = (application: string, more = {}) => ({ job: application, deployment_environment: "prod", ...more });

const from = (names: readonly string[], labels: Labels) => names.map((name): Labels => ({ __name__: name, ...labels }));

const [ofSpec, ofOtel] = [seriesRead.spec(), seriesRead.otel()];
const [shop, docs] = [from(ofSpec, specLabels("shop")), from(ofSpec, specLabels("docs"))];
const web = from(ofOtel, otelLabels("web"));
const bare = from(ofOtel, { job: "bare" });

type Telemetry = "spec" | "otel";

interface Situation {
  /** The series that arrive, apart from `target_info`. */
  series?: Labels[];
  /** The series `target_info`. */
  infos?: Labels[];
  /** The telemetry whose spans arrive, and whose dashboards are deployed. */
  spans?: Telemetry;
  deployed?: Telemetry[];
  settings?: Partial<NonNullable<CheckTargets["sdk"]>>;
  data?: ("metrics" | "traces")[];
}

const json = (body: unknown) => answer(200, JSON.stringify(body), { "Content-Type": "application/json" });

/** The finding about the series of a dashboard, at a Grafana where these series and spans arrive. */
async function judge(telemetry: Telemetry, { series = [], infos = [], spans, deployed, settings, data }: Situation) {
  const sdk = { name: "openlit", naming: "prometheus" as Naming, counters: [], ...settings };
  const dashboards = (deployed ?? ["spec", "otel"]).map(
    (each): CheckedDashboard => ({
      ...{ title: each, uid: each, folderUid: "f", series: seriesRead[each](sdk.naming) },
      sdk: { telemetry: each, spans: `{ ${each} }` },
    }),
  );
  const { results } = await check(
    ({ path, body }) => {
      if (path.includes("/api/search")) return json({ traces: spans && decodeURIComponent(path).includes(spans) ? [{}] : [] });
      if (path !== "/api/ds/query") return answer(404, "{}");
      const { expr } = JSON.parse(body).queries[0];
      const [, name, label = "", quoted = '""'] = /(target_info)?\{(\w+)=~("(?:[^"\\]|\\.)*")\}/.exec(expr) ?? [];
      const found = (name ? infos : series).filter((labels) => new RegExp(`^(?:${JSON.parse(quoted)})$`).test(labels[label] ?? ""));
      return json({ results: { A: { frames: [{ schema: { fields: found.map((labels) => ({ labels })) } }] } } });
    },
    {
      targets: { dashboards, sdk, otlp: { endpoint: "/otlp", data: data ?? ["metrics", "traces"] } },
      secrets: { datasourceSecrets: ["canary-7f3a"] },
    },
  );
  const { status, detail } = results[`series of "${telemetry}"`] ?? {};
  return { status, detail };
}

const [year2024, upTo141, after141] = [
  "OpenLIT's names of 2024",
  "OpenTelemetry's conventions up to 1.41",
  "OpenTelemetry's conventions after 1.41",
];
const set = "npx pulumi config set";
const record = `${set} recordingRules grafana`;
const [specTitle, otelTitle] = ['"GenAI Observability"', '"GenAI Observability (OpenTelemetry)"'];
const promoting =
  "otlp.promote_resource_attributes in Prometheus, promote_otel_resource_attributes in Mimir, resource_to_telemetry_conversion in a collector";
const noSpecData = "no data yet: no gen_ai_requests_total and 6 more in the last 24 hours";
const name = "deployment.environment.name";

type Row = [what: string, situation: Situation, status: "ok" | "note", detail: string];

describe("the dashboard of the spec", () => {
  it.each<Row>([
    ["all names", { series: [...shop, ...docs] }, "ok", `arrive (${year2024})`],
    [
      "a part of the names",
      { series: shop.filter((labels) => labels.__name__ !== "db_requests_total") },
      "note",
      `not all data yet (${year2024}): no db_requests_total in the last 24 hours`,
    ],
    [
      "other names, for a dashboard that exists",
      { series: [...web, ...from(ofOtel, otelLabels("shop", { service_name: "shop" })), ...from(kept, otelLabels("shop"))] },
      "note",
      `no data. Other names arrive: ${upTo141}. ${otelTitle} reads them. To remove this dashboard: ${set} telemetry otel`,
    ],
    [
      "other names, for a dashboard that does not exist",
      { series: web, deployed: ["spec"] },
      "note",
      `no data. Other names arrive: ${upTo141}. ${otelTitle} reads them. To add it: ${set} telemetry both`,
    ],
    [
      "other names, too, of another application",
      { series: [...shop, ...web], deployed: ["spec"] },
      "note",
      `arrive (${year2024}). Other names arrive: ${upTo141}. ${otelTitle} reads them. To add it: ${set} telemetry both`,
    ],
    ["other names, too, for a dashboard that exists", { series: [...shop, ...web] }, "ok", `arrive (${year2024})`],
    [
      "other names, too, of the same application",
      { series: [...shop, ...from(ofOtel, otelLabels("shop"))], deployed: ["spec"] },
      "ok",
      `arrive (${year2024})`,
    ],
    [
      "the names without a label",
      { series: from(ofSpec, specLabels("shop", { gen_ai_environment: "" })) },
      "note",
      "no data. The series of shop lack gen_ai_environment, by which every panel filters: either a collector removes what OpenLIT sends up to 1.33, or the " +
        `SDK is a later one, for ${otelTitle}`,
    ],
    [
      "the names of another SDK, and other names",
      { series: [...from(ofSpec, specLabels("shop", { telemetry_sdk_name: "doku" })), ...web] },
      "note",
      'no data. No series has telemetry_sdk_name "openlit", by which every panel filters. Set sdkName to the name that the SDK sends',
    ],
    ["nothing", {}, "note", noSpecData],
    [
      "nothing but spans",
      { spans: "spec" },
      "note",
      `${noSpecData}. Spans arrive: either the application exports traces only, or its metrics are refused, as Prometheus refuses delta temporality. Set ` +
        "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=cumulative, as the output otlp does",
    ],
    ["nothing but spans of others", { spans: "otel" }, "note", noSpecData],
    ["nothing, as the settings say", { spans: "spec", data: ["traces"] }, "ok", "no metrics are pushed: otlpData is traces"],
    [
      "names that are not translated",
      { series: from(["gen_ai.total.requests"], { job: "shop" }) },
      "note",
      "no data. A component does not translate OTLP's names, such as gen_ai.total.requests: check otlp.translation_strategy in Prometheus, or in a collector",
    ],
  ])("with %s", async (_what, situation, status, detail) => {
    expect(await judge("spec", situation)).toEqual({ status, detail });
  });
});

describe("the dashboard of OpenTelemetry", () => {
  it.each<Row>([
    ["the conventions", { series: web }, "ok", `arrive (${upTo141})`],
    ["the latest names alone", { series: from(inference, otelLabels("chat")) }, "ok", `arrive (${after141})`],
    ["both", { series: [...web, ...from(inference, otelLabels("chat"))] }, "ok", `arrive (${after141} and ${upTo141})`],
    [
      "a part of the names",
      { series: web.filter((labels) => labels.__name__ !== "gen_ai_client_token_usage_sum") },
      "note",
      `not all data yet (${upTo141}): no gen_ai_client_token_usage_sum in the last 24 hours`,
    ],
    [
      "other names",
      { series: shop },
      "note",
      `no data. Other names arrive: ${year2024}. ${specTitle} reads them. To remove this dashboard: ${set} telemetry spec`,
    ],
    [
      "the environment in the resource",
      { series: bare, infos: [{ job: "bare", deployment_environment: "prod" }] },
      "ok",
      `arrive (${upTo141})`,
    ],
    [
      "no environment",
      { series: [...bare, ...web], infos: [{ job: "bare" }] },
      "note",
      `arrive (${upTo141}). No environment for bare: set it in the application: OTEL_RESOURCE_ATTRIBUTES=${name}=production`,
    ],
    [
      "an application whose name contains a secret",
      { series: from(ofOtel, { job: "team-canary-7f3a" }), infos: [{ job: "team-canary-7f3a" }] },
      "note",
      `arrive (${upTo141}). No environment for an application: set it in the application: OTEL_RESOURCE_ATTRIBUTES=${name}=production`,
    ],
    [
      "resources that are not stored",
      { series: bare, infos: [{ job: "web" }] },
      "note",
      `arrive (${upTo141}). No environment for bare: either the application sends none: OTEL_RESOURCE_ATTRIBUTES=${name}=production, or nothing stores the ` +
        `attribute, neither as a label nor in target_info. To promote it: ${promoting}`,
    ],
  ])("with %s", async (_what, situation, status, detail) => {
    expect(await judge("otel", situation)).toEqual({ status, detail });
  });
});

describe("the dashboard of OpenTelemetry, read directly", () => {
  const chat = from(inference, otelLabels("chat"));
  const api = from(ofOtel, { job: "api", deployment_environment_name: "prod" });
  const left = `Panels leave out chat, since only recording rules read ${after141}: ${record}`;

  it.each<[...Row, attribute?: string]>([
    ["what panels read", { series: [...web, ...from(inference, otelLabels("web"))] }, "ok", `arrive (${upTo141})`],
    ["the latest names alone", { series: chat }, "note", `no data. ${left}`],
    ["the latest names, too", { series: [...web, ...chat] }, "note", `arrive (${upTo141}). ${left}`],
    [
      "environments in two labels",
      { series: [...web, ...api] },
      "note",
      `arrive (${upTo141}). No environment for api: panels read deployment.environment, not ${name}. Recording rules read both: ${record}. Or read this ` +
        `one: ${set} environmentAttribute ${name}`,
    ],
    [
      "a label of one's own",
      { series: from(ofOtel, { job: "shop", team: "search", deployment_environment: "prod" }) },
      "ok",
      `arrive (${upTo141})`,
      "team",
    ],
    [
      "the environment of two applications in the resource",
      {
        series: [...web, ...bare, ...from(ofOtel, { job: "cron" })],
        infos: ["bare", "cron"].map((job) => ({ job, deployment_environment_name: "x" })),
      },
      "note",
      `arrive (${upTo141}). No environment for bare and 1 more: ${name} is in target_info only. Recording rules read it there: ${record}. Or promote it: ` +
        `${promoting}, and ${set} environmentAttribute ${name}`,
    ],
  ])("with %s", async (_what, situation, status, detail, environmentAttribute = "deployment.environment") => {
    expect(await judge("otel", { ...situation, settings: { environmentAttribute } })).toEqual({ status, detail });
  });
});

describe.each(namings)("names that arrive in the naming %s", (arriving) => {
  const latest = { prometheus: inference[0] ?? "", "no-suffixes": "gen_ai_client_inference_duration_count" }[arriving];
  it.each([
    ["spec", seriesRead.spec(arriving)],
    ["otel", seriesRead.otel(arriving)],
    ["otel", [latest]],
  ] as const)("have the cure metricNaming if another one is set (%s)", async (telemetry, names) => {
    const series = from(names, otelLabels("shop"));
    for (const naming of namings.filter((each) => each !== arriving)) {
      for (const settings of [{ naming }, { naming, environmentAttribute: "deployment.environment" }]) {
        const { status, detail } = await judge(telemetry, { series, settings });
        expect([status, detail]).toEqual(["note", expect.stringMatching(new RegExp(`${set} metricNaming ${arriving}$`))]);
      }
    }
  });
});

describe("the dashboard of a service", () => {
  const series = ["llmobs_llm_requestDuration", "llmobs_llm_usageCost"];
  it.each([
    [[...series, "other_llm_x"], "ok", "arrive"],
    [[], "note", "no data yet: no llmobs_llm_requestDuration and 1 more in the last 24 hours"],
    [series.slice(1), "note", "not all data yet: no llmobs_llm_requestDuration in the last 24 hours"],
    [
      [...series.slice(1), "doku_llm_requestDuration", "doku_llm_other"],
      "note",
      "not all data yet: no llmobs_llm_requestDuration in the last 24 hours; found doku_llm_requestDuration: check the setting service",
    ],
  ])("with %j", (names, status, detail) => {
    const facts: Facts = { names, senders: [], spans: {} };
    const dashboard = { title: "D", uid: "d", folderUid: "f", series };
    expect(judgeSeries(dashboard, facts, { dashboards: [dashboard], otlp: { endpoint: "", data: [] } })).toEqual({ status, detail });
  });
});

it("names with dots are related", () => {
  const related = new RegExp(`^(?:${relatedNames})$`);
  for (const each of ["gen_ai_requests", "gen_ai.requests", "db.requests_total", "llmobs_llm_usageCost"]) expect(each).toMatch(related);
  for (const each of ["up", "dbus_calls", "generation_ai"]) expect(each).not.toMatch(related);
});
