/** The stand-in for the Grafana plugin: the provider's settings, and the clients that they configure. */
import type { Call, Properties } from "../resource";
import { isZero, type Values } from "../values";
import { Client, type Operation } from "./client";
import { describeCloud, describeGrafana } from "./errors";

const isUrl = (value: unknown): string | undefined =>
  /^https?:\/\//.test(String(value)) ? undefined : `expected a url with schema of: "http,https", got ${value}`;

/** The settings of the program. The genuine provider has more. */
export const config: Properties = {
  url: { validate: isUrl },
  auth: { secret: true },
  caCert: {},
  storeDashboardSha256: { validate: (value) => (value === "true" ? "the stand-in stores models" : undefined) },
  insecureSkipVerify: { validate: (value) => (value === "true" ? "the stand-in verifies certificates" : undefined) },
  cloudAccessPolicyToken: { secret: true },
  // Tests set these two in the environment, from which the SDK adds them.
  retries: {},
  cloudApiUrl: { validate: isUrl },
};

export type Clients = { grafana: Grafana | undefined; cloud: Client | undefined };

export interface Grafana {
  client: Client;
  /** The organization of all resources: 1 with basic auth, else 0, which is the one of the token. */
  org: number;
  /** The URL of a page, from a path that may repeat the server's sub-path. */
  page: (path: string) => string;
}

/** Like the genuine plugin, counts 0 retries as unset, and reads them from the environment. */
export function configure(values: Values): Clients {
  const text = (name: string): string | undefined => (isZero(values[name]) ? undefined : String(values[name]));
  const common = { retries: Number(process.env.GRAFANA_RETRIES ?? "3"), ca: text("caCert") };
  const [url, auth, token] = [text("url"), text("auth"), text("cloudAccessPolicyToken")];
  const cloud = (bearer: string) =>
    new Client({
      ...common,
      base: new URL("/api", text("cloudApiUrl") ?? "https://grafana.com"),
      headers: { Authorization: `Bearer ${bearer}` },
      waitBefore: (n) => 2 ** (n - 1),
      isPassing: (status) => status === 429 || status >= 500,
      describe: describeCloud,
    });
  const grafana = (root: URL, credentials: string): Grafana => {
    const basic = credentials.includes(":");
    const prefix = root.pathname.replace(/\/$/, "");
    return {
      client: new Client({
        ...common,
        base: new URL(`${prefix}/api`, root),
        headers: { Authorization: basic ? `Basic ${Buffer.from(credentials, "utf8").toString("base64")}` : `Bearer ${credentials}` },
        waitBefore: (n) => 2 ** n,
        isPassing: (status) => [401, 412, 429].includes(status) || status >= 500,
        describe: describeGrafana,
      }),
      org: basic ? 1 : 0,
      page: (path) => new URL(`${prefix}${path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path}`, root).href,
    };
  };
  return { grafana: url && auth ? grafana(new URL(url), auth) : undefined, cloud: token ? cloud(token) : undefined };
}

/** A client for one organization: that of the id, or that of the credentials. */
export function grafanaOf({ clients, signal }: Call<Clients>, wanted: unknown = 0) {
  const { grafana } = clients;
  if (!grafana) throw new Error("the Grafana client is required for this resource. Set the auth and url provider attributes");
  const org = Number(wanted) || grafana.org;
  const headers: Record<string, string> = org > 0 ? { "X-Grafana-Org-Id": String(org) } : {};
  const send = <T = Values>(operation: Operation) => grafana.client.send<T>({ ...operation, headers }, signal);
  return { org, page: grafana.page, send };
}

export type Organization = ReturnType<typeof grafanaOf>;

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
