/**
 * All settings of a stack, in the order of the documents: for each key its check, its description and an example.
 * Rules between keys stand in `rules.ts`. `npm run docs` writes the table of settings from this file.
 */
import type { z } from "zod";
import type { OtlpData } from "../otlp";
import { namings } from "../signals/names/translate";
import * as v from "./validators";

/** The types of datasources that the dashboards read. */
export const datasourceTypes = ["prometheus", "loki", "tempo"] as const;
export type DatasourceType = (typeof datasourceTypes)[number];

/** The dashboards of a stack, as their resources are named. */
export type DashboardPart = "genai-observability" | "genai-observability-otel" | "llm-monitoring";

const managedUids = { prometheus: "llm-observability-prometheus", loki: "llm-observability-loki", tempo: "llm-observability-tempo" };

/** Default uids of datasources. The stack creates those that are `managed` or `kept`; `existing` ones have the uids of Grafana Cloud. */
export const defaultUids = {
  managed: managedUids,
  kept: managedUids,
  existing: { prometheus: "grafanacloud-prom", loki: "grafanacloud-logs", tempo: "grafanacloud-traces" },
} as const;

/** The uid of a service's "LLM Monitoring". */
export const llmMonitoringUid = (service: string) => `${service}-llm-monitoring`;

const datasource = <T extends DatasourceType>(type: T, name: string) => {
  const [managed, existing] = [defaultUids.managed[type], defaultUids.existing[type]];
  const uid = `The uid of the ${name} datasource. Defaults to \`${managed}\` if managed, to \`${existing}\` if existing.`;
  const auth = `The bearer token for ${name}, or \`user:password\` for basic auth, if managed. Previews show the user name.`;
  return {
    [`${type}Uid`]: v.key(v.uid().optional(), uid, managed),
    [`${type}Url`]: v.key(v.address().optional(), `Where Grafana reaches ${name}. Required if managed.`, `https://${type}.example.com`),
    [`${type}Auth`]: v.login(v.tokenOrLogin(), auth).optional(),
  } as { [P in `${T}${"Uid" | "Url"}`]: z.ZodOptional<z.ZodString> } & { [P in `${T}Auth`]: z.ZodOptional<ReturnType<typeof v.login>> };
};

export const settingsKeys = {
  service: v.key(
    v
      .format(/^[a-zA-Z_][a-zA-Z0-9_]*$/, "must contain only letters, digits and underscores, and not start with a digit")
      .max(25, "must be at most 25 characters: the uid of its dashboard, <service>-llm-monitoring, is limited to 40"),
    "The name of the LLM observability service: the prefix of its metrics and the value of their label `job`.",
    "llmobs",
  ),
  grafanaUrl: v.key(
    v.baseAddress("/api", "must be the address of Grafana itself, without /api"),
    "The address of Grafana, including a path prefix, without the path of a page.",
    "https://grafana.example.com",
  ),
  grafanaAuth: v.secret(
    v.tokenOrLogin(),
    "The service account token of Grafana, which determines the organization, or `user:password` for organization 1.",
  ),
  grafanaCaCert: v.caCertificate("The CA certificate of Grafana, in PEM format. Defaults to the public CAs."),
  managedResources: v.key(
    v.choice("all", "service-dashboard", "none").default("all"),
    "The Grafana resources that the stack manages. `all`: datasources, folder and all dashboards. `service-dashboard`: only the " +
      "dashboard of its service. `none`: no Grafana resources. Another stack manages the others.",
  ),
  protect: v.key(
    v.choice("off", "on").default("off"),
    "`on`: Pulumi protects the resources in Grafana. `destroy`, and a change that would delete or replace one of them, stop before they " +
      "change anything: deploy `off` first.",
  ),
  datasources: v.key(
    v.choice("managed", "kept", "existing").default("managed"),
    "`managed`: the stack creates the datasources. `kept`: the same, but they stay in Grafana when the stack no longer manages them, for " +
      "example before a change to `existing`. `existing`: the stack refers to existing datasources, such as the ones of Grafana Cloud.",
  ),
  ...datasource("prometheus", "Prometheus"),
  prometheusType: v.key(
    v.choice("prometheus", "mimir").default("prometheus"),
    "The server behind the managed Prometheus datasource. Grafana writes recorded series to different paths of a Prometheus and a Mimir.",
  ),
  ...datasource("loki", "Loki"),
  ...datasource("tempo", "Tempo"),
  datasourceTenant: v.key(v.headerText(v.text()).optional(), "The tenant of the managed datasources (`X-Scope-OrgID`).", "tenant-1"),
  datasourceCaCert: v.caCertificate("The CA certificate of the managed datasources, in PEM format. Defaults to the public CAs."),
  folderTitle: v.key(v.title(189).default("LLM Observability"), "The title of the dashboards' folder."), // Grafana's limit.
  folderUid: v.key(v.uid().default("llm-observability"), "The uid of the folder. A Grafana on MySQL ignores the case of all uids."),
  folderParentUid: v.key(v.uid().optional(), "The uid of the parent folder. Requires nested folders in Grafana.", "platform"),
  folderAccess: v.key(
    v.choice("view", "editors", "editors-view", "admins").optional(),
    "Who may open the folder besides administrators. `view`: the roles Viewer and Editor, which may only view. `editors`: the role " +
      "Editor, which may edit. `editors-view`: the role Editor, which may only view. `admins`: nobody else. Who has access to " +
      "`folderParentUid` keeps it. Without it, the stack does not manage the folder's permissions.",
    "editors",
  ),
  genaiDashboardUid: v.key(v.uid().default("genai-observability"), 'The uid of the dashboard "GenAI Observability".'),
  otelDashboardUid: v.key(v.uid().default("genai-observability-otel"), 'The uid of the dashboard "GenAI Observability (OpenTelemetry)".'),
  telemetry: v.key(
    v.choice("spec", "otel", "both").default("both"),
    'The dashboards for the telemetry of SDKs. `spec`: "GenAI Observability", which reads the names that OpenLIT exported in 2024. ' +
      '`otel`: "GenAI Observability (OpenTelemetry)", which reads the names of today. `both`: both.',
  ),
  sdkName: v.key(
    v.format(/^(?!www\.)[a-z0-9]+([._-][a-z0-9]+)*$/i, "must be letters and digits, with single . - or _ between them").default("openlit"),
    'The value of the label `telemetry_sdk_name`, by which "GenAI Observability" selects the series of its SDK.',
  ),
  metricNaming: v.key(v.choice(...namings).default("prometheus"), "How names are stored: see [names of metrics](#names-of-metrics)."),
  contents: v.key(
    v.choice("show", "hide").default("show"),
    'Whether the dashboards show prompts and completions. `hide`: the panels "Prompts" and "Responses" are left out, and no other panel ' +
      "selects a text.",
  ),
  recordingRules: v.key(
    v.choice("grafana", "external").default("grafana"),
    "Who evaluates the [recording rules](#recording-rules), whose series the dashboards of SDKs read. `grafana`: the stack creates them " +
      "there. `external`: a Prometheus or a Mimir that loads the files of `npm run rules`.",
  ),
  genaiReads: v.key(
    v.choice("samples", "rules").default("samples"),
    'What "GenAI Observability" reads: the `samples` of all processes, or the series of recording `rules`, for ' +
      "[many processes](#when-to-record).",
  ),
  prices: v.key(
    v.prices().optional(),
    "Prices of models in USD per million tokens, as JSON or as an object: `input`, `output`, and input that is `cached` or `written` to " +
      "a cache. For own models, negotiated prices, and local models at 0, where no SDK or gateway measures the cost. They replace prices " +
      "of [the list](#costs). Text is the name of a model with the same price, for a gateway's own names.",
    '{"my-model":{"input":0.5,"output":1.5},"fast-model":"gpt-4o-mini"}',
  ),
  gateways: v.key(
    v.names().optional(),
    "Applications that are gateways, with commas, as the dashboard names them. SDKs report the same calls, which [count once](#gateways).",
    "litellm,aigw",
  ),
  countedBy: v.key(
    v.choice("sdks", "gateways").default("sdks"),
    "Whose calls count, if there are `gateways`. `sdks`: the calls of all other applications. `gateways`: only what gateways report, by " +
      'the application that called. The panel "Coverage" shows the other side.',
  ),
  alerts: v.key(v.choice("off", "on").default("off"), "`on`: the stack creates alert rules for its dashboards: see [alerts](#alerts)."),
  alertContactPoint: v.key(
    v.title().optional(),
    "The name of an existing contact point that the alert rules notify. Without it, Grafana's notification policies select one.",
    "llm-on-call",
  ),
  alertRunbooks: v.key(
    v.address().optional(),
    "The address at which your team reads `src/alerts/README.md`. Each rule has the address of its section as annotation `runbook_url`.",
    "https://github.com/your-organization/llm-observability/blob/main/src/alerts/README.md",
  ),
  alertErrorRate: v.key(
    v.positive(6).prefault("1"), // At 7 %, 15 times the share would be all requests.
    "The share of requests that may fail in a month, in percent. An application's requests to a model alert at 15 times this share, or " +
      "at twice the share in most hours of a day.",
  ),
  alertLatency: v.key(
    v.positive(80).prefault("30"), // The last bound of the SDKs' histograms is 81.92.
    "The duration of requests for a warning, in seconds: of SDKs, if 15 % are slower and three times as slow as usual; of the service, " +
      "the mean. For the first token, a third of it, at most 9.9.",
  ),
  alertBudget: v.key(v.positive().optional(), "The budget of a day (UTC) in USD: a warning at 80 %, critical at 100 %.", "500"),
  alertBudgets: v.key(
    v.budgets().optional(),
    "Budgets of a day (UTC) in USD by application, as JSON or as an object, with the same alerts.",
    '{"checkout":50}',
  ),
  checks: v.key(v.choice("fail", "warn").default("fail"), "The effect of a failed check: `fail` the deployment, or only `warn`."),
  serviceUrl: v.key(
    v.baseAddress("/api/connections", "must be the base address: /api/connections is appended to it"),
    "The base address of the service. The connection is registered at `{serviceUrl}/api/connections`.",
    "https://llmobs.example.com",
  ),
  serviceApiKey: v.secret(v.headerText(), "The API key of the service, sent as the raw `Authorization` header."),
  serviceCaCert: v.caCertificate("The CA certificate of the service, in PEM format. Defaults to the public CAs."),
  registrationTrigger: v.key(
    v.line().optional(),
    "Any text. A new value registers the connection again, for example after the service lost it or another stack replaced it.",
    "2026-11-28",
  ),
  platformName: v.key(
    v.format(/^[a-z][a-z0-9_-]*$/, "must be one lowercase word").default("grafana"),
    "The connection's `Platform`: the name of the platform at the service.",
  ),
  metricsUrl: v.key(
    v.address(),
    "The connection's `MetricsUrl`: the platform's metrics write endpoint, Influx style. Stored in plain text: no secret in its query. " +
      "On Grafana Cloud, the host of Prometheus with `influx` for `prometheus`, and the path of the example.",
    "https://influx.example.com/api/v1/push/influx/write",
  ),
  metricsUsername: v.key(
    v.text(),
    "The connection's `MetricsUsername`: the user name at that endpoint. On Grafana Cloud, that of Prometheus.",
    "123456",
  ),
  logsUrl: v.key(
    v.address(),
    "The connection's `LogsUrl`: the platform's logs endpoint. Stored in plain text: no secret in its query.",
    "https://logs.example.com/loki/api/v1/push",
  ),
  logsUsername: v.key(
    v.text(),
    "The connection's `LogsUsername`: the user name at that endpoint. On Grafana Cloud, that of Loki.",
    "234567",
  ),
  platformApiKey: v.secret(v.credential(), "The connection's `ApiKey`: the platform's API key with which the service writes."),
  otlpEndpoint: v.key(
    v.baseAddress("/v1/(metrics|traces|logs)", "must be the base address: exporters append /v1/metrics and /v1/traces to it"),
    "The platform's OTLP endpoint, to which applications push directly.",
    "https://otlp.example.com/otlp",
  ),
  otlpInstanceId: v.key(v.username(), "The user name of the push. On Grafana Cloud, the id of the stack.", "345678"),
  otlpToken: v.secret(v.credential(), "The token of the push. Its scopes: the output `otlpTokenScopes`.").optional(),
  cloudAccessPolicyToken: v
    .secret(
      v.headerText(),
      "Instead of `otlpToken`: a Grafana Cloud token for access policies. The stack creates the token of the push with it, which is " +
        "valid for a year. In its last three months, the next `up` creates another one, so that applications can change before the end.",
    )
    .optional(),
  cloudRegion: v.key(v.text().optional(), "The region of the Grafana Cloud stack. Required with `cloudAccessPolicyToken`.", "eu"),
  otlpData: v.key(
    v
      .choice("metrics", "traces", "both")
      .default("both")
      .transform((choice): readonly OtlpData[] => (choice === "both" ? ["metrics", "traces"] : [choice])),
    "The telemetry that applications push: `metrics`, `traces` or `both`.",
  ),
} as const;

export type KeyName = keyof typeof settingsKeys;
export const keyNames = Object.keys(settingsKeys) as KeyName[];

/** Checked settings by key. Secrets are Outputs marked secret; all other values are plain. The program reads them in groups. */
export type FlatSettings = { readonly [K in KeyName]: z.output<(typeof settingsKeys)[K]> };
