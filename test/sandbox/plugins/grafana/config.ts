/** The stand-in for the Grafana plugin: the provider's settings, and the clients that they configure. */
import type { Call, Properties } from "../resource";
import { isZero, type Values } from "../values";
import { Client, type Operation } from "./client";

const isUrl = (value: unknown): string | undefined =>
  /^https?:\/\//.test(String(value)) ? undefined : `expected a url with schema of: "http,https", got ${value}`;

/** The settings of the program for a Grafana. The genuine provider has more. */
export const config: Properties = {
  url: { required: true, validate: isUrl },
  auth: { required: true, secret: true },
  caCert: {},
  storeDashboardSha256: { validate: (value) => (value === "true" ? "the stand-in stores models" : undefined) },
  insecureSkipVerify: { validate: (value) => (value === "true" ? "the stand-in verifies certificates" : undefined) },
};

export type Clients = ReturnType<typeof configure>;

/** Like the genuine plugin, counts 0 retries as unset, and reads them from the environment. */
export function configure(values: Values) {
  const [root, auth] = [new URL(String(values.url)), String(values.auth)];
  const basic = auth.includes(":");
  const prefix = root.pathname.replace(/\/$/, "");
  return {
    client: new Client({
      base: new URL(`${prefix}/api`, root),
      headers: { Authorization: basic ? `Basic ${Buffer.from(auth, "utf8").toString("base64")}` : `Bearer ${auth}` },
      ca: isZero(values.caCert) ? undefined : String(values.caCert),
      retries: Number(process.env.GRAFANA_RETRIES ?? "3"),
    }),
    /** The organization of all resources: 1 with basic auth, else 0, which is the one of the token. */
    org: basic ? 1 : 0,
    /** The URL of a page, from a path that may repeat the server's sub-path. */
    page: (path: string) => new URL(`${prefix}${path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path}`, root).href,
  };
}

/** A client for one organization: that of the id, or that of the credentials. */
export function grafanaOf({ clients: { client, org: own, page }, signal }: Call<Clients>, wanted: unknown = 0) {
  const org = Number(wanted) || own;
  const headers: Record<string, string> = org > 0 ? { "X-Grafana-Org-Id": String(org) } : {};
  const send = <T = Values>(operation: Operation) => client.send<T>({ ...operation, headers }, signal);
  return { org, page, send };
}

export type Organization = ReturnType<typeof grafanaOf>;

/** Ids are `<organization>:<uid>`, or a uid in an import. */
export function splitId(id: string): { org: string; uid: string } {
  const [, org = "0", uid = id] = /^(\d+):(.*)$/s.exec(id) ?? [];
  return { org, uid };
}
