/** The stand-in for the Grafana plugin: the provider's settings, and the clients that they configure. */
import type { Call, Properties, Property } from "../resource";
import { isZero, type Values } from "../values";
import { Client, fileOrText, type Operation } from "./client";
import { describeCloud, describeGrafana } from "./errors";

const isUrl = (value: unknown): string | undefined =>
  /^https?:\/\//.test(String(value)) ? undefined : `expected a url with schema of: "http,https", got ${value}`;

const ofOtherParts = (property: Property, names: string[]): Properties => Object.fromEntries(names.map((name) => [name, property]));

/** All settings of the real provider, including those without an effect on the stand-in. */
export const config: Properties = {
  url: { validate: isUrl },
  auth: { secret: true },
  orgId: {},
  caCert: {},
  tlsCert: {},
  tlsKey: { secret: true },
  insecureSkipVerify: {},
  httpHeaders: { secret: true },
  retries: {},
  retryStatusCodes: {},
  retryWait: {},
  cloudApiUrl: { validate: isUrl },
  cloudAccessPolicyToken: { secret: true },
  storeDashboardSha256: { validate: (value) => (value === "true" ? "the stand-in keeps whole dashboards" : undefined) },
  ...ofOtherParts({}, [
    "stackId",
    "cloudProviderUrl",
    "connectionsApiUrl",
    "fleetManagementUrl",
    "frontendO11yApiUrl",
    "k6Url",
    "oncallUrl",
    "smUrl",
  ]),
  ...ofOtherParts({ secret: true }, [
    ...["cloudProviderAccessToken", "connectionsApiAccessToken", "fleetManagementAuth", "frontendO11yApiAccessToken", "k6AccessToken"],
    ...["oncallAccessToken", "smAccessToken"],
  ]),
};

export interface Clients {
  grafana: Grafana | undefined;
  cloud: Client | undefined;
}

export interface Grafana {
  client: Client;
  /** The organization of resources without `orgId`: 1 with basic auth, else 0. The plugin ignores `orgId` of the provider. */
  org: number;
  isToken: boolean;
  /** The URL of a page, from a path that may repeat the server's sub-path. */
  page: (path: string) => string;
}

/** Settings from the program or from environment variables. 0 retries in the program count as unset, as in the real plugin. */
export function configure(values: Values): Clients {
  const text = (name: string, variable: string): string | undefined =>
    isZero(values[name]) ? process.env[variable] || undefined : String(values[name]);
  const number = (name: string, variable: string, otherwise: number): number =>
    Number(text(values[name] === "0" ? "" : name, variable) ?? otherwise);
  const json = <T>(name: string, variable: string, otherwise: T): T => JSON.parse(text(name, variable) ?? JSON.stringify(otherwise));

  const [url, auth] = [text("url", "GRAFANA_URL"), text("auth", "GRAFANA_AUTH")];
  const token = text("cloudAccessPolicyToken", "GRAFANA_CLOUD_ACCESS_POLICY_TOKEN");
  const retries = number("retries", "GRAFANA_RETRIES", 3);
  const wait = number("retryWait", "GRAFANA_RETRY_WAIT", 0);
  const headers = json<Record<string, string>>("httpHeaders", "GRAFANA_HTTP_HEADERS", {});
  const tls = {
    ca: fileOrText(text("caCert", "GRAFANA_CA_CERT")),
    cert: fileOrText(text("tlsCert", "GRAFANA_TLS_CERT")),
    key: fileOrText(text("tlsKey", "GRAFANA_TLS_KEY")),
    rejectUnauthorized: text("insecureSkipVerify", "GRAFANA_INSECURE_SKIP_VERIFY") !== "true",
  };
  const common = { headers, tls, retries, waitBefore: (n: number) => wait || 2 ** n };

  const cloudUrl = new URL(text("cloudApiUrl", "GRAFANA_CLOUD_API_URL") ?? "https://grafana.com");
  const cloud = (bearer: string) =>
    new Client({
      ...common,
      base: new URL("/api", cloudUrl),
      headers: { Authorization: `Bearer ${bearer}`, ...headers },
      waitBefore: (n) => wait || 2 ** (n - 1),
      retryStatusCodes: ["429", "5xx"],
      describe: describeCloud,
    });
  const grafana = (root: URL, credentials: string): Grafana => {
    const basic = credentials.includes(":");
    const anonymous = credentials === "anonymous";
    const encoded = Buffer.from(credentials.trim(), "utf8").toString("base64");
    const authorization = anonymous ? {} : { Authorization: basic ? `Basic ${encoded}` : `Bearer ${credentials.trim()}` };
    const prefix = root.pathname.replace(/\/$/, "");
    return {
      client: new Client({
        ...common,
        base: new URL(`${prefix}/api`, root),
        headers: { ...authorization, ...headers },
        retryStatusCodes: json("retryStatusCodes", "", ["429", "5xx", "401", "412"]),
        describe: describeGrafana,
      }),
      org: basic ? 1 : 0,
      isToken: !basic && !anonymous,
      page: (path) => new URL(`${prefix}${path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path}`, root).href,
    };
  };
  return { grafana: url && auth ? grafana(new URL(url), auth) : undefined, cloud: token ? cloud(token) : undefined };
}

/** A client for one organization: that of the id or the resource, or that of the credentials. */
export function grafanaOf(call: Call<Clients>, wanted: unknown) {
  return ofOrganization(call, Number(wanted ?? 0) || clientOf(call).org);
}

/** @param org 0: requests have no organization header */
export function ofOrganization(call: Call<Clients>, org: number) {
  const { client, page } = clientOf(call);
  const headers: Record<string, string> = org > 0 ? { "X-Grafana-Org-Id": String(org) } : {};
  const send = <T = Values>(operation: Operation) =>
    client.send<T>({ ...operation, headers: { ...operation.headers, ...headers } }, call.signal);
  return { org, page, send };
}

export type Organization = ReturnType<typeof ofOrganization>;

function clientOf({ clients }: Call<Clients>): Grafana {
  if (clients.grafana) return clients.grafana;
  throw new Error("the Grafana client is required for this resource. Set the auth and url provider attributes");
}

/** The same for a resource that is created. Only there the plugin refuses `orgId` with a token. */
export function grafanaForNew(call: Call<Clients>, wanted: unknown) {
  if (!["", "0"].includes(String(wanted ?? "")) && clientOf(call).isToken) {
    throw new Error("org_id is only supported with basic auth. API keys are already org-scoped");
  }
  return grafanaOf(call, wanted);
}

export function cloudOf({ clients, signal }: Call<Clients>) {
  const { cloud } = clients;
  if (!cloud) {
    throw new Error("the Cloud API client is required for this resource. Set the cloud_access_policy_token provider attribute");
  }
  return { send: <T = Values>(operation: Operation) => cloud.send<T>(operation, signal) };
}

/** Ids are `<organization>:<uid>`, or a uid in an import. */
export function splitId(id: string): { org: string; uid: string } {
  const [, org = "0", uid = id] = /^(\d+):(.*)$/s.exec(id) ?? [];
  return { org, uid };
}

/** Without an organization in the program, all of them are equal. */
export const orgId = { replace: true, computed: true, same: (old: unknown, value: unknown) => isZero(value) || old === value } as const;
