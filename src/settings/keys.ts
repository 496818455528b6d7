/**
 * All settings of a stack, in the order in which the documents show them.
 *
 * Each key says what it means, how it is checked and, by its example, the command that sets it. The README's table of settings and the
 * questions of `pulumi new` are held against this list: a new key is added here, and what it means together with others in `rules.ts`.
 */
import { z } from "zod";
import type { OtlpData } from "../otlp";
import {
  address,
  baseAddress,
  credential,
  headerText,
  key,
  line,
  link,
  optionalSecret,
  pem,
  pemExample,
  secret,
  text,
  title,
  tokenOrLogin,
  uid,
  username,
} from "./validators";

const otlpDataChoices = {
  metrics: ["metrics"],
  traces: ["traces"],
  both: ["metrics", "traces"],
} as const satisfies Record<string, readonly OtlpData[]>;

const choice = <const T extends readonly [string, ...string[]]>(...values: T) =>
  z.enum(values, `must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}`);

/** What of Grafana may have been there before this stack: the names by which it is adopted. */
export const adoptableParts = ["folder", "prometheus", "loki", "tempo", "genai-observability", "llm-monitoring"] as const;

export type AdoptablePart = (typeof adoptableParts)[number];

/** Parts as a list with commas; none by default. */
const parts = () =>
  text()
    .optional()
    .transform((list): readonly AdoptablePart[] =>
      (list ?? "").split(",").flatMap((part) => (part.trim() ? [part.trim() as AdoptablePart] : [])),
    )
    .refine((list) => list.every((part) => adoptableParts.includes(part)), `must be a list, with commas, of ${adoptableParts.join(", ")}`)
    .meta({ parts: adoptableParts });

/** What a role may do in the folder. */
const permission = () => choice("none", "view", "edit", "admin").optional();

/** Uids that are not set. Of datasources: of those that this program creates, and of those that a Grafana Cloud stack has. */
export const defaultUids = {
  folder: "llm-observability",
  genaiDashboard: "genai-observability",
  managed: { prometheus: "llm-observability-prometheus", loki: "llm-observability-loki", tempo: "llm-observability-tempo" },
  existing: { prometheus: "grafanacloud-prom", loki: "grafanacloud-logs", tempo: "grafanacloud-traces" },
} as const;

/** The keys of one datasource of our own. */
const datasource = <K extends keyof typeof defaultUids.managed>(kind: K, what: string, url: string) =>
  ({
    [`${kind}Uid`]: key(uid().optional(), {
      description: `Uid of the ${what} datasource; by default \`${defaultUids.managed[kind]}\` where managed, \`${defaultUids.existing[kind]}\` where existing`,
      example: defaultUids.managed[kind],
    }),
    [`${kind}Url`]: key(address().optional(), {
      description: `Address at which Grafana queries ${what}; needed where managed`,
      example: url,
    }),
    [`${kind}Username`]: key(username("user name and password").optional(), {
      description: `User name for basic auth at ${what}, where managed`,
      example: "123456",
    }),
    [`${kind}Password`]: optionalSecret(credential(), `Password of \`${kind}Username\``),
    [`${kind}Token`]: optionalSecret(headerText(), `Bearer token for ${what}, instead of user name and password`),
    [`${kind}Tenant`]: key(headerText(text()).optional(), {
      description: `Tenant of ${what}, sent as \`X-Scope-OrgID\`, where managed`,
      example: "tenant-1",
    }),
  }) as DatasourceKeys<K>;

type OptionalText = ReturnType<typeof optionalText>;
const optionalText = () => text().optional();
type DatasourceKeys<K extends string> = { [P in `${K}${"Uid" | "Url" | "Username" | "Tenant"}`]: OptionalText } & {
  [P in `${K}${"Password" | "Token"}`]: ReturnType<typeof optionalSecret>;
};

/** All keys, in the order in which the documents show them. */
export const settingsKeys = {
  service: key(
    text()
      .regex(
        /^[a-zA-Z_][a-zA-Z0-9_]*$/,
        "must be letters, digits and underscores, not starting with a digit: it begins the names of metrics",
      )
      .max(25, "must be at most 25 characters: a dashboard's uid, <service>-llm-monitoring, has room for 40"),
    {
      description: "Name of the LLM observability service, `<svc>` in the spec: prefix of its metrics and value of their `job` label",
      example: "llmobs",
    },
  ),
  grafanaUrl: key(baseAddress(/\/api$/, "must be the address of Grafana itself, without /api"), {
    description: "Address of Grafana, a path prefix included",
    example: "https://grafana.example.com",
  }),
  grafanaAuth: secret(tokenOrLogin(), "Service-account token of Grafana, or `user:password`"),
  grafanaOrgId: key(
    text()
      .regex(/^[1-9]\d{0,14}$/, "must be a whole number from 1, of at most 15 digits")
      .transform(Number)
      .optional(),
    {
      description: "Organization of Grafana. A user, `user:password`, works in organization 1 by default; a token only in its own",
      example: "2",
    },
  ),
  grafanaCaCert: key(pem(), {
    description: "CA certificate of Grafana in PEM form, where a public CA did not sign its own",
    example: pemExample,
  }),
  managedResources: key(choice("all", "service-dashboard", "none").default("all"), {
    description:
      "Grafana resources that this stack manages. `all`: datasources, folder and both dashboards. `service-dashboard`: only the dashboard of its " +
      "service; another stack manages the rest. `none`: no Grafana resources; the stack registers the connection and refers to the dashboards",
    example: "service-dashboard",
  }),
  imports: key(parts(), {
    description: `Existing Grafana resources that the next \`up\` imports without changes, separated by commas: ${adoptableParts.map((part) => `\`${part}\``).join(", ")}. Set by \`npm run adopt\``,
    example: "folder,genai-observability",
  }),
  retainOnDelete: key(parts(), {
    description: "Imported resources, which `destroy` keeps in Grafana together with their folder. Set by `npm run adopt`",
    example: "folder,genai-observability",
  }),
  datasources: key(choice("managed", "existing").default("managed"), {
    description: "`managed`: the datasources are created here. `existing`: they are there already, as on Grafana Cloud, and are looked up",
    example: "existing",
  }),
  ...datasource("prometheus", "Prometheus", "https://prometheus.example.com"),
  ...datasource("loki", "Loki", "https://loki.example.com"),
  ...datasource("tempo", "Tempo", "https://tempo.example.com"),
  datasourceCaCert: key(pem(), {
    description: "CA certificate of managed datasources in PEM form, where a public CA did not sign theirs",
    example: pemExample,
  }),
  folderTitle: key(title().default("LLM Observability"), { description: "Title of the dashboards' folder", example: "LLM Observability" }),
  folderUid: key(uid().default(defaultUids.folder), { description: "Uid of the folder", example: defaultUids.folder }),
  folderParentUid: key(uid().optional(), {
    description: "Uid of the parent folder; without it, the folder is at the top. Requires nested folders in Grafana",
    example: "platform",
  }),
  folderViewers: key(permission(), {
    description:
      "What viewers may do in the folder: `none`, `view`, `edit` or `admin`; without it `view` where `folderEditors` is set, and without both the " +
      "folder's permissions are not touched",
    example: "view",
  }),
  folderEditors: key(permission(), {
    description: "What editors may do in the folder; without it `edit` where `folderViewers` is set",
    example: "edit",
  }),
  genaiDashboardUid: key(uid().default(defaultUids.genaiDashboard), {
    description: 'Uid of the dashboard "GenAI Observability" (spec 2.3)',
    example: defaultUids.genaiDashboard,
  }),
  sdkName: key(title().default("openlit"), {
    description: "`<sdk_name>` in the spec: the `telemetry_sdk_name` of the instrumentation SDK",
    example: "openlit",
  }),
  documentationUrl: key(link().default("https://docs.openlit.io/"), {
    description: 'Link "Documentation" of the dashboard "LLM Monitoring" (spec 2.2)',
    example: "https://docs.example.com",
  }),
  communityUrl: key(link().default("https://github.com/openlit/openlit/discussions"), {
    description: 'Link "Community" of that dashboard',
    example: "https://chat.example.com",
  }),
  repositoryUrl: key(link().default("https://github.com/openlit/openlit"), {
    description: 'Link "Source repository" of that dashboard',
    example: "https://git.example.com/llmobs",
  }),
  checks: key(choice("fail", "warn").default("fail"), {
    description: "What a failed check after a deployment does: fail it, or only warn",
    example: "warn",
  }),
  serviceUrl: key(baseAddress(/\/api\/connections$/, "must be the base address alone: /api/connections is appended to it"), {
    description: "Base address of the service; the connection is registered at `{serviceUrl}/api/connections` (spec 4.1)",
    example: "https://llmobs.example.com",
  }),
  serviceApiKey: secret(headerText(), "The service's own API key, sent as the raw `Authorization` header (spec 5.1)"),
  serviceCaCert: key(pem(), {
    description: "CA certificate of the service in PEM form, where a public CA did not sign its own",
    example: pemExample,
  }),
  verifyConnection: key(choice("on", "off").default("off"), {
    description:
      "`on`: `refresh` and the checks ask the service by `GET {serviceUrl}/api/connections`, which the spec does not have, whether the connection " +
      "in place is this one; if not, `up --refresh` registers again",
    example: "on",
  }),
  registrationTrigger: key(line().optional(), {
    description: "Any text; a new value registers the connection again, for example after the service lost it or another stack replaced it",
    example: "2",
  }),
  platform: key(
    text()
      .regex(/^[a-z][a-z0-9_-]*$/, "must be one lowercase word")
      .default("grafana"),
    {
      description: "The connection's `Platform`: the platform's word at the service (spec 2.1)",
      example: "grafana",
    },
  ),
  metricsUrl: key(address(), {
    description: "The connection's `MetricsUrl`: the platform's metrics write endpoint, Influx style (spec 2.1)",
    example: "https://influx.example.com/api/v1/push/influx/write",
  }),
  metricsUsername: key(text(), {
    description: "The connection's `MetricsUsername`: the platform's Prometheus user name (spec 2.1)",
    example: "123456",
  }),
  logsUrl: key(address(), {
    description: "The connection's `LogsUrl`: the platform's logs endpoint (spec 2.1)",
    example: "https://logs.example.com/loki/api/v1/push",
  }),
  logsUsername: key(text(), { description: "The connection's `LogsUsername` (spec 2.1)", example: "234567" }),
  platformApiKey: secret(credential(), "The connection's `ApiKey`: the platform's key with which the service writes (spec 2.1)"),
  otlpEndpoint: key(
    baseAddress(/\/v1\/(metrics|traces|logs)$/, "must be the base address alone: exporters append /v1/metrics and /v1/traces to it"),
    { description: "The platform's OTLP endpoint for direct push (spec 5.4)", example: "https://otlp.example.com/otlp" },
  ),
  otlpInstanceId: key(username("the instance id from the token"), {
    description: "Instance id of the OTLP endpoint: the user name of the push (spec 5.4)",
    example: "345678",
  }),
  otlpToken: optionalSecret(
    credential(),
    "Access-policy token of the push; the output `otlpTokenScopes` says which scopes it needs (spec 5.3)",
  ),
  cloudAccessPolicyToken: optionalSecret(
    headerText(),
    "Instead of `otlpToken`: a Grafana Cloud token that may write access policies, with which the push's token is made",
  ),
  cloudRegion: key(text().optional(), { description: "Region of the Grafana Cloud stack, for `cloudAccessPolicyToken`", example: "eu" }),
  cloudStackId: key(text().regex(/^\d+$/, "must be the number of the stack").optional(), {
    description: "Number of the Grafana Cloud stack, for `cloudAccessPolicyToken`",
    example: "123456",
  }),
  otlpData: key(
    choice("metrics", "traces", "both")
      .default("both")
      .transform((choice): readonly OtlpData[] => otlpDataChoices[choice]),
    { description: "What applications push: `metrics`, `traces` or `both`", example: "both" },
  ),
} as const;

export type KeyName = keyof typeof settingsKeys;

/** Checked settings. Secrets are Outputs marked secret, everything else is a plain value. */
export type Settings = { readonly [K in KeyName]: z.output<(typeof settingsKeys)[K]> };
