/** What the checks say about the series of a dashboard: the convention, the applications, why the dashboard is empty, and the cure. */
import { expect, it } from "vitest";
import { type Telemetry as Arrived, relatedNames } from "../../../src/checks/senders";
import { judgeSeries } from "../../../src/checks/series";
import type { CheckedDashboard, CheckTargets } from "../../../src/checks/targets";
import type { Naming } from "../../../src/signals/names/translate";
import { answer } from "../../support/raw-server";
import { check, json } from "./run";

const words = (prefix: string, names: string) => names.split(" ").map((name) => `${prefix}${name}`);
/** What later releases of OpenLIT still send by the names of 2024, with other labels. */
const kept = ["gen_ai_usage_cost_USD_sum", "gen_ai_usage_cost_USD_bucket", "db_requests_total"];
/** The series that the dashboards read, as Prometheus stores what SDKs send. */
const seriesRead = {
  spec: {
    prometheus: [...words("gen_ai_", "requests_total usage_tokens_total usage_prompt_tokens_total usage_completion_tokens_total"), ...kept],
    "no-suffixes": [
      ...words("gen_ai_usage_", "total_tokens prompt_tokens completion_tokens cost_sum cost_bucket"),
      ...["gen_ai_total_requests", "db_total_requests"],
    ],
  },
  otel: {
    prometheus: words("gen_ai_client_", "operation_duration_seconds_count operation_duration_seconds_bucket token_usage_sum"),
    "no-suffixes": words("gen_ai_client_", "operation_duration_count operation_duration_bucket token_usage_sum"),
  },
};
const inference = words(
  "gen_ai_client_inference_",
  "duration_seconds_count duration_seconds_bucket usage_input_tokens_total time_to_first_chunk_seconds_count",
);
/** What the conventions do not have, but some SDKs. */
const more = ["gen_ai_client_operation_time_to_first_chunk_seconds_count", "gen_ai_usage_cost_USD_sum"];

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

const [ofSpec, ofOtel] = [seriesRead.spec.prometheus, [...seriesRead.otel.prometheus, ...more]];
const [shop, docs] = [from(ofSpec, specLabels("shop")), from(ofSpec, specLabels("docs"))];
const web = from(ofOtel, otelLabels("web"));
const bare = from(ofOtel, { job: "bare" });

type Telemetry = "spec" | "otel";

interface Situation {
  /** The series that arrive, apart from `target_info`. */
  series?: Labels[];
  /** The series `target_info`. */
  infos?: Labels[];
  /** Applications whose spans arrive, each with what only the search that finds it contains. */
  spans?: Record<string, "{ spec }" | "{ otel }" | "openinference.span.kind">;
  /** The telemetry whose dashboards are deployed. */
  deployed?: Telemetry[];
  settings?: Partial<NonNullable<CheckTargets["sdk"]>>;
  data?: ("metrics" | "traces")[];
}

/** What Tempo finds. */
function tracesOf(spans: Situation["spans"] = {}, query: string) {
  const found = Object.entries(spans).filter(([, part]) => query.includes(part));
  const attributesOf = (stringValue: string) => [{ key: "service.name", value: { stringValue } }];
  return found.map(([application]) => ({ spanSets: [{ spans: [{ attributes: attributesOf(application) }] }] }));
}

/** The finding about the series of a dashboard, at a Grafana where these series and spans arrive. */
async function judge(telemetry: Telemetry, { series = [], infos = [], spans, deployed, settings, data }: Situation) {
  const sdk = { name: "openlit", naming: "prometheus" as Naming, counters: [], ...settings };
  const dashboards = (deployed ?? ["spec", "otel"]).map(
    (each): CheckedDashboard => ({
      ...{ title: each, uid: each, folderUid: "f", series: seriesRead[each][sdk.naming] },
      sdk: { telemetry: each, spans: `{ ${each} }` },
    }),
  );
  const { results } = await check(
    ({ path, body }) => {
      if (path.includes("/api/search")) return json({ traces: tracesOf(spans, new URL(path, "http://x").searchParams.get("q") ?? "") });
      if (path !== "/api/ds/query") return answer(404, "{}");
      const { expr } = JSON.parse(body).queries[0];
      const [, name, label = "", quoted = '""'] = /(target_info)?\{(\w+)=~("(?:[^"\\]|\\.)*")(?:,le=~"[^"]*")?\}/.exec(expr) ?? [];
      const all = name ? infos : series;
      const found = all.filter((labels) => new RegExp(`^(?:${JSON.parse(quoted)})$`).test(labels[label] ?? ""));
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
const set = "npx pulumi config set --stack STACK";
const [specTitle, otelTitle] = ['"GenAI Observability"', '"GenAI Observability (OpenTelemetry)"'];
const promoting =
  "otlp.promote_resource_attributes in Prometheus, promote_otel_resource_attributes in Mimir, resource_to_telemetry_conversion in a collector";
const noSpecData = "no data yet: no gen_ai_requests_total and 6 more in the last 24 hours";
const noOtelData = "no data yet: no gen_ai_client_operation_duration_seconds_count and 2 more in the last 24 hours";
const name = "deployment.environment.name";

const alsoShop = from(ofOtel, otelLabels("shop"));
const api = from(ofOtel, otelLabels("team/api"));
const namespaced: Situation = { series: [...web, ...api], spans: { web: "{ otel }", api: "{ otel }" } };
const spring = words(
  "gen_ai_client_",
  "operation_milliseconds_count token_usage_total operation_seconds_count operation_duration_milliseconds_count",
);
/** Servers of models have metrics of their own, which are none of a call. */
const servers = from(["gen_ai_server_request_duration_seconds_count"], { job: "vllm" });
const besides = from(["gen_ai_cache_hits_total"], { job: "platform" });
const withoutUnit = [...seriesRead.otel["no-suffixes"], ...more];
const chat = from([...inference, ...more], otelLabels("chat"));

it("no advice loses what the other dashboard shows: the naming is that of both", async () => {
  const { detail } = await judge("spec", { series: [...web, ...from(seriesRead.spec["no-suffixes"], specLabels("shop"))] });
  expect(detail).toMatch(/The names of shop are stored without suffixes, those of web with suffixes/);
  expect(detail).not.toContain("metricNaming");
});

it.each<[Telemetry, what: string, Situation, words: string]>([
  ["spec", "all names", { series: [...shop, ...docs] }, year2024],
  ["otel", "metrics besides, of a resource whose calls have another label", { series: [...web, ...shop, ...besides] }, upTo141],
  ["spec", "other names, too, for a dashboard that exists", { series: [...shop, ...web] }, year2024],
  ["spec", "other names, too, of the same application", { series: [...shop, ...alsoShop], deployed: ["spec"] }, year2024],
  ["otel", "both", { series: [...web, ...chat] }, `${after141} and ${upTo141}`],
  ["otel", "the environment in the resource", { series: bare, infos: [{ job: "bare", deployment_environment: "prod" }] }, upTo141],
  [
    "otel",
    "Spring AI and LangChain4j, by OTLP or scraped",
    { series: from([...spring, ...more], otelLabels("java")) },
    "Micrometer's names",
  ],
  [
    "otel",
    "an application whose names are stored in both forms, since it was changed",
    { series: [...web, ...from(withoutUnit, otelLabels("web"))] },
    upTo141,
  ],
  [
    ...(["otel", "a gateway that the setting names"] as const),
    { series: from(ofOtel, otelLabels("team/litellm")), settings: { gateways: { names: ["litellm"], countedBy: "gateways" } } },
    upTo141,
  ],
  [
    ...(["otel", "a gateway of the setting that is scraped, and pushes spans"] as const),
    {
      series: [...web, ...from(["litellm_proxy_total_requests_metric_total"], otelLabels("litellm"))],
      ...{ spans: { litellm: "{ otel }", web: "{ otel }" }, settings: { gateways: { names: ["litellm"], countedBy: "sdks" } } },
    },
    upTo141,
  ],
  ["otel", "spans of applications with metrics, also by a name without its namespace", namespaced, upTo141],
  [
    "otel",
    "the time to first token alone of another process",
    { series: [...web, ...from(more.slice(0, 1), otelLabels("proxy"))] },
    upTo141,
  ],
])("the dashboard of %s is all right with %s", async (telemetry, _what, situation, words) => {
  expect(await judge(telemetry, situation)).toEqual({ status: "ok", detail: `arrive (${words})` });
});

it("an application with spans and other metrics is told, also where only the dashboard of 2024 exists", async () => {
  const unread = from(["gen_ai_tokens_total"], { job: "shop" });
  const { detail } = await judge("spec", { series: unread, spans: { shop: "{ spec }" }, deployed: ["spec"] });
  expect(detail).toContain(
    "Spans of shop arrive, but no metrics: either the application exports traces only, or other metrics than panels read",
  );
});

it("no metrics is all right if the settings say so", async () => {
  const found = await judge("spec", { spans: { shop: "{ spec }" }, data: ["traces"] });
  expect(found).toEqual({ status: "ok", detail: "no metrics are pushed: otlpData is traces" });
});

const noMetrics = (application: string) =>
  `Spans of ${application} arrive, but no metrics: either the application exports traces only, or other metrics than panels read: see ` +
  "dashboards/README.md#set-this; or its metrics are refused, as Prometheus refuses delta temporality: set " +
  "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=cumulative, as the output otlp does";
const otherNames = (words: string, title: string) => `Other names arrive: ${words}. ${title} reads them`;
const noEnvironment = (applications: string) => `arrive (${upTo141}). No environment for ${applications}`;
const sending = `OTEL_RESOURCE_ATTRIBUTES=${name}=production`;

it.each<[what: string, Situation, detail: string]>([
  [
    "a part of the names",
    { series: shop.filter((labels) => labels.__name__ !== "db_requests_total") },
    `not all data yet (${year2024}): no db_requests_total in the last 24 hours`,
  ],
  [
    "other names, for a dashboard that exists",
    { series: [...web, ...from(ofOtel, otelLabels("shop", { service_name: "shop" })), ...from(kept, otelLabels("shop"))] },
    `no data. ${otherNames(upTo141, otelTitle)}. To remove this dashboard: ${set} telemetry otel`,
  ],
  [
    "other names, for a dashboard that does not exist",
    { series: web, deployed: ["spec"] },
    `no data. ${otherNames(upTo141, otelTitle)}. To add it: ${set} telemetry both`,
  ],
  [
    "other names, too, of another application",
    { series: [...shop, ...web], deployed: ["spec"] },
    `arrive (${year2024}). ${otherNames(upTo141, otelTitle)}. To add it: ${set} telemetry both`,
  ],
  [
    "the names without a label",
    { series: from(ofSpec, specLabels("shop", { gen_ai_environment: "" })) },
    "no data. The series of shop lack gen_ai_environment, by which every panel filters: either a collector removes what OpenLIT sends up to 1.33, or the " +
      `SDK is a later one, for ${otelTitle}`,
  ],
  [
    "the names of another SDK, and other names",
    { series: [...from(ofSpec, specLabels("shop", { telemetry_sdk_name: "doku" })), ...web] },
    'no data. No series has telemetry_sdk_name "openlit", by which every panel filters. Set sdkName to the name that the SDK sends',
  ],
  [
    "the names of another SDK beside those that are read",
    { series: [...shop, ...from(ofSpec, specLabels("docs", { telemetry_sdk_name: "doku" }))] },
    `arrive (${year2024}). The series of docs have another telemetry_sdk_name than "openlit", by which every panel filters: show them in another stack`,
  ],
  ["nothing", {}, noSpecData],
  ["nothing but spans", { spans: { shop: "{ spec }" } }, `${noSpecData}. ${noMetrics("shop")}`],
  ["nothing but spans of others", { spans: { web: "{ otel }", phoenix: "openinference.span.kind" } }, noSpecData],
  [
    "names that are not translated",
    { series: from(["gen_ai.total.requests"], { job: "shop" }) },
    "no data. A component does not translate OTLP's names, such as gen_ai.total.requests: check otlp.translation_strategy in Prometheus, or in a collector",
  ],
])("the dashboard of the spec has a note with %s", async (_what, situation, detail) => {
  expect(await judge("spec", situation)).toEqual({ status: "note", detail });
});

it.each<[what: string, Situation, detail: string]>([
  [
    "a part of the names",
    { series: web.filter((labels) => labels.__name__ !== "gen_ai_client_token_usage_sum") },
    `arrive (${upTo141}). No tokens from web: nothing in the panels of tokens`,
  ],
  [
    "spans, and metrics under names of its own",
    { series: [...web, ...from(["agent_cycles_total"], { job: "bot" })], spans: { web: "{ otel }", bot: "{ otel }" } },
    `arrive (${upTo141}). ${noMetrics("bot")}`,
  ],
  [
    "metrics under other names beside an application that is fine",
    { series: [...web, ...from(["gen_ai_java_calls_total", "gen_ai_java_call_sum"], { job: "team/java" }), ...servers] },
    `arrive (${upTo141}). team/java sends metrics under other names, which no panel reads: gen_ai_java_calls. Use an instrumentation that follows ` +
      "OpenTelemetry's conventions for generative AI",
  ],
  [
    "one application with the names of another form",
    { series: [...web, ...chat, ...from(withoutUnit, otelLabels("gateway"))] },
    `arrive (${after141} and ${upTo141}). The names of gateway are stored without suffixes, those of chat and 1 more with suffixes, and panels read one ` +
      "form: either its metrics have no unit, which the conventions require (s for durations), or what it is scraped from appends none: let it push by OTLP",
  ],
  [
    "applications with the names of another form than the only one that is read",
    { series: [...web, ...chat, ...from(withoutUnit, otelLabels("gateway"))], settings: { naming: "no-suffixes" } },
    `arrive (${upTo141}). The names of gateway are stored without suffixes, those of chat and 1 more with suffixes, and panels read one form: either its ` +
      "metrics have no unit, which the conventions require (s for durations), or what it is scraped from appends none: let it push by OTLP. Then read the " +
      `others: ${set} metricNaming prometheus`,
  ],
  [
    "metrics under other names, with or without spans",
    {
      series: from(["gen_ai_java_call_milliseconds_count", "gen_ai_java_call_milliseconds_sum", "gen_ai_tokens_total"], { job: "java" }),
      spans: { java: "{ otel }" },
    },
    `${noOtelData}. java sends metrics under other names, which no panel reads: gen_ai_java_call_milliseconds, gen_ai_tokens. Use an ` +
      "instrumentation that follows OpenTelemetry's conventions for generative AI",
  ],
  ["spans of another convention", { spans: { phoenix: "openinference.span.kind" } }, `${noOtelData}. ${noMetrics("phoenix")}`],
  ["other names", { series: shop }, `no data. ${otherNames(year2024, specTitle)}. To remove this dashboard: ${set} telemetry spec`],
  [
    "no environment",
    { series: [...bare, ...web], infos: [{ job: "bare" }] },
    `${noEnvironment("bare")}: set it in the application: ${sending}`,
  ],
  [
    "an application whose name contains a secret",
    { series: from(ofOtel, { job: "team-canary-7f3a" }), infos: [{ job: "team-canary-7f3a" }] },
    `${noEnvironment("an application")}: set it in the application: ${sending}`,
  ],
  [
    "resources that are not stored",
    { series: bare, infos: [{ job: "web" }] },
    `${noEnvironment("bare")}: either the application sends none: ${sending}, or nothing stores the attribute, neither as a label nor in target_info. ` +
      `To promote it: ${promoting}`,
  ],
  [
    "a gateway that no setting names",
    { series: [...web, ...from(ofOtel, otelLabels("prod/litellm"))] },
    `arrive (${upTo141}). prod/litellm: of a gateway, by the name. If applications behind it send metrics, too, their calls count twice: ${set} gateways ` +
      "prod/litellm, and npx pulumi up --stack STACK. If it is an application: set its OTEL_SERVICE_NAME",
  ],
])("the dashboard of OpenTelemetry has a note with %s", async (_what, situation, detail) => {
  expect(await judge("otel", situation)).toEqual({ status: "note", detail });
});

it.each([
  ["spec", "prometheus", seriesRead.spec.prometheus],
  ["otel", "prometheus", seriesRead.otel.prometheus],
  ["otel", "prometheus", inference.slice(0, 1)],
  ["spec", "no-suffixes", seriesRead.spec["no-suffixes"]],
  ["otel", "no-suffixes", seriesRead.otel["no-suffixes"]],
  ["otel", "no-suffixes", ["gen_ai_client_inference_duration_count"]],
] as const)(
  "the dashboard of %s has the cure metricNaming for names in the naming %s if another one is set: %j",
  async (telemetry, arriving, names) => {
    const naming = arriving === "prometheus" ? "no-suffixes" : "prometheus";
    const { status, detail } = await judge(telemetry, { series: from(names, otelLabels("shop")), settings: { naming } });
    expect([status, detail]).toEqual(["note", expect.stringMatching(new RegExp(`${set} metricNaming ${arriving}$`))]);
  },
);

const ofService = ["llmobs_llm_requestDuration", "llmobs_llm_usageCost"];

it.each([
  [[...ofService, "other_llm_x"], "ok", "arrive"],
  [[], "note", "no data yet: no llmobs_llm_requestDuration and 1 more in the last 24 hours"],
  [ofService.slice(1), "note", "not all data yet: no llmobs_llm_requestDuration in the last 24 hours"],
  [
    [...ofService.slice(1), "doku_llm_requestDuration", "doku_llm_other"],
    "note",
    "not all data yet: no llmobs_llm_requestDuration in the last 24 hours; found doku_llm_requestDuration: check the setting service",
  ],
])("the dashboard of a service with %j", (names, status, detail) => {
  const arrived: Arrived = { names, hidden: [], senders: [], silent: [], unread: [] };
  const dashboard: CheckedDashboard = { title: "D", uid: "d", folderUid: "f", series: ofService, sdk: undefined };
  const targets = { dashboards: [dashboard], sdk: undefined, tenant: undefined, otlp: { endpoint: "", data: [] } };
  expect(judgeSeries(dashboard, arrived, targets)).toEqual({ status, detail });
  // Telemetry can be in another tenant only if there is none in this one.
  const place = names.length === 0 ? ", in the tenant t (datasourceTenant)" : "";
  expect(judgeSeries(dashboard, arrived, { ...targets, tenant: "t" })).toEqual({ status, detail: `${detail}${place}` });
  const filters = "panels select the job llmobs, and labels applicationName and environment";
  expect(judgeSeries(dashboard, { ...arrived, hidden: ofService.slice(1) }, targets)).toEqual({
    status: "note",
    detail: expect.stringMatching(new RegExp(`^[^;]*\\. Panels do not show llmobs_llm_usageCost: ${filters}$`)),
  });
});

it("names with dots are related", () => {
  const related = new RegExp(`^(?:${relatedNames})$`);
  for (const each of ["gen_ai_requests", "gen_ai.requests", "db.requests_total", "llmobs_llm_usageCost"]) expect(each).toMatch(related);
  for (const each of ["up", "dbus_calls", "generation_ai"]) expect(each).not.toMatch(related);
});
