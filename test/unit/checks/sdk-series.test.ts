/** What the checks say about the telemetry of SDKs: its generation, the applications, why a dashboard is empty, and the cure. */
import { describe, expect, it } from "vitest";
import { readSenders, type Sender } from "../../../src/checks/queries";
import { type Arrivals, classifyTelemetry, type SdkSettings } from "../../../src/checks/sdk-series";
import { genaiSignals } from "../../../src/signals/genai";
import { type Naming, namings } from "../../../src/signals/names/translate";
import { openTelemetryArrivals } from "../../../src/signals/opentelemetry-rules";
import { defaultReading, seriesReadBy } from "../../../src/signals/signal";

const seriesRead = {
  spec: (naming: Naming = "prometheus") => seriesReadBy(genaiSignals("openlit", { ...defaultReading, naming })),
  otel: (naming: Naming = "prometheus") => openTelemetryArrivals(naming),
};
const inference = ["gen_ai_client_inference_duration_seconds_count", "gen_ai_client_inference_duration_seconds_bucket"];
/** What later releases of OpenLIT still send by the names of 2024, with other labels. */
const kept = ["gen_ai_usage_cost_USD_sum", "gen_ai_usage_cost_USD_bucket", "db_requests_total"];

const specLabels = (application: string, more = {}) => ({
  // Not the application: the resource can have another name.
  job: "platform",
  telemetry_sdk_name: "openlit",
  gen_ai_application_name: application,
  gen_ai_environment: "prod",
  ...more,
});
const otelLabels = (application: string, more = {}) => ({ job: application, deployment_environment: "prod", ...more });

const from = (names: readonly string[], labels: Record<string, string>, environmentAttribute?: string): Sender[] =>
  readSenders(
    names.map((name) => ({ labels: { __name__: name, ...labels }, value: 1 })),
    { environmentAttribute },
  );

const [ofSpec, ofOtel] = [seriesRead.spec(), seriesRead.otel()];
const [shop, docs] = [from(ofSpec, specLabels("shop")), from(ofSpec, specLabels("docs"))];
const web = from(ofOtel, otelLabels("web"));
const bare = from(ofOtel, { job: "bare" });

interface Situation extends Partial<Omit<Arrivals, "senders">> {
  senders?: readonly Sender[];
  settings?: Partial<SdkSettings>;
}

function classify(telemetry: "spec" | "otel", { senders = [], settings, ...arrivals }: Situation, series = seriesRead[telemetry]()) {
  const names = [...new Set(senders.map(({ name }) => name))];
  return classifyTelemetry(
    telemetry,
    series,
    { names, senders, environment: "label", spans: {}, ...arrivals },
    { deployed: ["spec", "otel"], name: "openlit", naming: "prometheus", pushesMetrics: true, ...settings },
  );
}

const upTo141 = "OpenTelemetry's conventions up to 1.41";
const set = "npx pulumi config set telemetry";
const unnamed = 'No environment: panels show "(none)"';

describe("the dashboard of the spec", () => {
  it.each<[string, Situation, "ok" | "note", string]>([
    ["all names", { senders: [...shop, ...docs] }, "ok", "all 7 series arrive (OpenLIT's names of 2024, from 2 applications)"],
    [
      "a part of the names",
      { senders: shop.filter(({ name }) => name !== "db_requests_total") },
      "note",
      "not all data yet (OpenLIT's names of 2024, from 1 application): no db_requests_total in the last 24 hours",
    ],
    [
      "other names, for a dashboard that exists",
      { senders: [...web, ...from(ofOtel, otelLabels("shop", { service_name: "shop" })), ...from(kept, otelLabels("shop"))] },
      "note",
      `no data: other names arrive: ${upTo141}, from 2 applications. "GenAI Observability (OpenTelemetry)" reads them. To remove this dashboard: ${set} otel`,
    ],
    [
      "other names, for a dashboard that does not exist",
      { senders: web, settings: { deployed: ["spec"] } },
      "note",
      `no data: other names arrive: ${upTo141}, from 1 application. "GenAI Observability (OpenTelemetry)" reads them: ${set} both, or otel instead of this ` +
        "dashboard",
    ],
    [
      "other names, too, of another application",
      { senders: [...shop, ...web], settings: { deployed: ["spec"] } },
      "note",
      `all 7 series arrive (OpenLIT's names of 2024, from 1 application). Other names arrive, too: ${upTo141}, from 1 application. ` +
        `"GenAI Observability (OpenTelemetry)" reads them: ${set} both, or otel instead of this dashboard`,
    ],
    [
      "other names, too, of the same application",
      { senders: [...shop, ...from(ofOtel, otelLabels("shop"))], settings: { deployed: ["spec"] } },
      "ok",
      "all 7 series arrive (OpenLIT's names of 2024, from 1 application)",
    ],
    [
      "the names without a label",
      { senders: from(ofSpec, specLabels("shop", { gen_ai_environment: "" })) },
      "note",
      "no data: the series arrive without gen_ai_environment, by which every panel filters. Check whether a collector removes it. OpenLIT sends it up to " +
        "1.33; later releases belong on the dashboard of the setting telemetry otel",
    ],
    [
      "the names with the labels of a later release",
      { senders: [...from(ofSpec, { job: "shop", telemetry_sdk_name: "openlit" }), ...web] },
      "note",
      "no data: the series arrive without gen_ai_application_name and gen_ai_environment, by which every panel filters. Other names arrive, too: " +
        `${upTo141}, from 1 application. "GenAI Observability (OpenTelemetry)" reads them. To remove this dashboard: ${set} otel`,
    ],
    [
      "the names of another SDK",
      { senders: from(ofSpec, specLabels("shop", { telemetry_sdk_name: "doku" })) },
      "note",
      'no data: the series arrive, but none has telemetry_sdk_name "openlit", by which every panel filters. Set sdkName to the name that the SDK sends',
    ],
    ["nothing", {}, "note", "no data yet: no gen_ai_requests_total and 6 more in the last 24 hours"],
    [
      "nothing but spans",
      { spans: { spec: true } },
      "note",
      "no data yet: no gen_ai_requests_total and 6 more in the last 24 hours, although spans arrive. The application exports traces only, or its metrics are " +
        "refused: Prometheus refuses delta temporality. Set OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=cumulative, as the output otlp does",
    ],
    [
      "nothing but spans of others",
      { spans: { otel: true } },
      "note",
      "no data yet: no gen_ai_requests_total and 6 more in the last 24 hours",
    ],
    [
      "nothing, as the settings say",
      { spans: { spec: true }, settings: { pushesMetrics: false } },
      "ok",
      "no metrics are pushed: otlpData is traces",
    ],
    [
      "a misspelled name",
      { names: ["gen_ai_request_total"] },
      "note",
      "no gen_ai_requests_total; found gen_ai_request_total. Panels that read the missing names stay empty.",
    ],
  ])("with %s", (_what, situation, status, detail) => {
    expect(classify("spec", situation)).toEqual({ status, detail });
  });
});

describe("the dashboard of OpenTelemetry", () => {
  it.each<[string, Situation, "ok" | "note", string]>([
    ["the conventions", { senders: web }, "ok", `all 3 series arrive (${upTo141}, from 1 application)`],
    [
      "the latest names alone",
      { senders: from(inference, otelLabels("chat")) },
      "ok",
      "arrive (OpenTelemetry's conventions after 1.41, from 1 application)",
    ],
    [
      "both",
      { senders: [...web, ...from(inference, otelLabels("chat")), ...from(ofOtel, otelLabels("job", { service_name: "api" }))] },
      "ok",
      `arrive (${upTo141}, from 2 applications, and OpenTelemetry's conventions after 1.41, from 1 application)`,
    ],
    [
      "a part of the names",
      { senders: web.filter(({ name }) => name !== "gen_ai_client_token_usage_sum") },
      "note",
      `not all data yet (${upTo141}, from 1 application): no gen_ai_client_token_usage_sum in the last 24 hours`,
    ],
    [
      "other names",
      { senders: shop },
      "note",
      `no data: other names arrive: OpenLIT's names of 2024, from 1 application. "GenAI Observability" reads them. To remove this dashboard: ${set} spec`,
    ],
    [
      "other names, for a dashboard that does not exist",
      { senders: shop, settings: { deployed: ["otel"] } },
      "note",
      'no data: other names arrive: OpenLIT\'s names of 2024, from 1 application. "GenAI Observability" reads them: ' +
        `${set} both, or spec instead of this dashboard`,
    ],
    [
      "the environment in the resource",
      { senders: bare, environment: { resource: "deployment.environment" } },
      "ok",
      `all 3 series arrive (${upTo141}, from 1 application)`,
    ],
    [
      "no environment",
      { senders: bare, environment: "not sent" },
      "note",
      `all 3 series arrive (${upTo141}, from 1 application). ${unnamed}. Set it in each application: ` +
        "OTEL_RESOURCE_ATTRIBUTES=deployment.environment.name=production",
    ],
    [
      "resources that are not stored",
      { senders: bare, environment: "nowhere" },
      "note",
      `all 3 series arrive (${upTo141}, from 1 application). ${unnamed}, since neither the label deployment_environment_name nor target_info is stored. ` +
        "Promote deployment.environment.name: otlp.promote_resource_attributes in Prometheus, promote_otel_resource_attributes in Mimir, " +
        "resource_to_telemetry_conversion in a collector",
    ],
    [
      "no application",
      { senders: from(ofOtel, { deployment_environment: "prod" }) },
      "note",
      `all 3 series arrive (${upTo141}, from 1 application). No application: panels show "(none)". Set OTEL_SERVICE_NAME in each application`,
    ],
    ["nothing", {}, "note", "no data yet: no gen_ai_client_operation_duration_seconds_count and 2 more in the last 24 hours"],
  ])("with %s", (_what, situation, status, detail) => {
    expect(classify("otel", situation)).toEqual({ status, detail });
  });
});

describe("the dashboard of OpenTelemetry, read directly", () => {
  const arriving = (applications: number) =>
    `all 3 series arrive (${upTo141}, from ${applications} ${applications === 1 ? "application" : "applications"})`;
  const chat = from(inference, otelLabels("chat"));
  const api = from(ofOtel, { job: "api", deployment_environment_name: "prod" });
  const team = { job: "shop", team: "search", deployment_environment: "prod" };
  const record = "npx pulumi config set recordingRules grafana";
  const left = `Panels leave out 1 application, since only recording rules read ${inference[0]}: ${record}`;
  const readOther = "npx pulumi config set environmentAttribute";
  const promoted =
    "otlp.promote_resource_attributes in Prometheus, promote_otel_resource_attributes in Mimir, resource_to_telemetry_conversion in a collector";
  const inResource = (attribute: string) =>
    `${unnamed}, since ${attribute} is in target_info only. Recording rules read it there: ${record}. Or promote it: ${promoted}`;

  it.each<[string, Situation, string | undefined, attribute?: string]>([
    ["what panels read", { senders: [...web, ...from(inference, otelLabels("web"))] }, undefined],
    ["the latest names alone", { senders: chat }, `no data. ${left}`],
    ["the latest names, too", { senders: [...web, ...chat] }, `${arriving(1)}. ${left}`],
    [
      "environments in another label",
      { senders: api },
      `${arriving(1)}. Environment "(none)" for 1 application: panels read deployment.environment, not deployment.environment.name. Read this one: ` +
        `${readOther} deployment.environment.name`,
    ],
    [
      "environments in two labels",
      { senders: [...web, ...api] },
      `${arriving(2)}. Environment "(none)" for 1 application: panels read deployment.environment, not deployment.environment.name. Recording rules read ` +
        `both: ${record}`,
    ],
    ["a label of one's own", { senders: from(ofOtel, team, "team") }, undefined, "team"],
    [
      "the environment in the resource",
      { senders: bare, environment: { resource: "deployment.environment" } },
      `${arriving(1)}. ${inResource("deployment.environment")}`,
    ],
    [
      "the environment in another attribute of the resource",
      { senders: bare, environment: { resource: "deployment.environment.name" } },
      `${arriving(1)}. ${inResource("deployment.environment.name")}, and ${readOther} deployment.environment.name`,
    ],
    [
      "the environment of one application in the resource",
      { senders: [...web, ...bare], environment: { resource: "deployment.environment" } },
      `${arriving(2)}. Environment "(none)" for 1 application, since deployment.environment is in target_info only. Recording rules read it there: ${record}`,
    ],
    [
      "resources that are not stored",
      { senders: bare, environment: "nowhere" },
      `${arriving(1)}. ${unnamed}, since neither the label deployment_environment_name nor target_info is stored. Promote deployment.environment.name: ` +
        `${promoted}, and ${readOther} deployment.environment.name`,
    ],
  ])("with %s", (_what, situation, detail, environmentAttribute = "deployment.environment") => {
    const found = classify("otel", { ...situation, settings: { environmentAttribute } });
    expect(found).toEqual(detail === undefined ? { status: "ok", detail: arriving(1) } : { status: "note", detail });
  });
});

describe.each(namings)("names that arrive in the naming %s", (arriving) => {
  it.each([
    ["spec", seriesRead.spec(arriving)],
    ["otel", seriesRead.otel(arriving)],
    [
      "otel",
      [
        {
          prometheus: inference[0],
          "no-suffixes": "gen_ai_client_inference_duration_count",
        }[arriving] ?? "",
      ],
    ],
  ] as const)("have the cure metricNaming if another one is set (%s)", (telemetry, names) => {
    const senders = from(names, { job: "shop" });
    const others = namings.filter((naming) => naming !== arriving).map((naming) => ({ naming }));
    for (const settings of others.flatMap((each) => [each, { ...each, environmentAttribute: "deployment.environment" }])) {
      const { status, detail } = classify(telemetry, { senders, settings }, seriesRead[telemetry](settings.naming));
      expect([status, detail]).toEqual(["note", expect.stringMatching(new RegExp(`npx pulumi config set metricNaming ${arriving}$`))]);
      expect(detail.length).toBeLessThan(360);
    }
  });
});
