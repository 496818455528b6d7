/** Requests to Grafana's HTTP API, besides the requests of the Grafana provider. */
import { parseJson } from "../text/json";
import { redactText } from "../text/redact";
import { exchange, isTimeout, readText, reasonOf, timeLimit } from "./transport";

/** Grafana's address and credentials, as plain values: create it only inside of `apply`. */
export interface GrafanaAccess {
  /** The address, including a path prefix, without a slash at its end. */
  url: string;
  /** A service account token, which determines the organization, or `user:password` for organization 1. */
  auth: string;
  /** The CA certificate of Grafana, in PEM format. Defaults to the public CAs. */
  caCert?: string | undefined;
  /** Secrets in addition to `auth` that messages must not show. */
  secrets?: readonly string[];
}

/** A response with any status. `body` is parsed JSON, or text if it is no JSON. */
export type GrafanaResponse = { status: number; body: unknown };

/** Grafana, or a proxy in front of it, cannot respond now. */
export class GrafanaUnreachable extends Error {}
/** A response that is not from Grafana, or has an unexpected status. */
export class UnexpectedResponse extends Error {}

const sizeLimit = 20_000_000;

/**
 * Sends a request and returns the response, whatever its status.
 *
 * @param path starts with /api
 * @throws GrafanaUnreachable; UnexpectedResponse if another server, or a login page, responds with 200 in Grafana's place
 */
export async function requestGrafana(access: GrafanaAccess, path: string, body?: unknown): Promise<GrafanaResponse> {
  const { url, auth, caCert } = access;
  // A token has no colon. The organization is the one of the Grafana provider.
  const credentials: Record<string, string> = auth.includes(":")
    ? { Authorization: `Basic ${Buffer.from(auth, "utf8").toString("base64")}`, "X-Grafana-Org-Id": "1" }
    : { Authorization: `Bearer ${auth}` };
  // Grafana caches datasources for 5 s: without this header, a check after an update would ask the server of before.
  const common = { Accept: "application/json", "X-Grafana-NoCache": "true" };
  const headers = { ...common, ...credentials, ...(body !== undefined && { "Content-Type": "application/json" }) };
  const request = { headers, caCert, reuse: true, ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }) };
  const read = exchange(`${url}${path}`, request, async (response) => {
    return { status: response.statusCode, ...(await readText(response, sizeLimit)) };
  });
  const { status = 0, text, error } = await read.catch((error: unknown) => ({ status: 0, text: "", error }));
  if (error) {
    const reason = isTimeout(error) ? `did not respond within ${timeLimit / 1000} s` : `cannot be reached (${reasonOf(error)})`;
    throw new GrafanaUnreachable(`Grafana at ${url} ${reason}`);
  }
  if (text.length > sizeLimit) throw new GrafanaUnreachable(`Grafana at ${url} returned more than 20 MB for ${path}`);
  const response = { status, body: parseJson(text) ?? text };
  if (status !== 200 || isGrafanaResponse(response)) return response;
  throw new UnexpectedResponse(`Grafana at ${url} returned 200 without JSON. Check ${urlHint}.`);
}

/**
 * Sends a GET request. Messages propose to repeat `command`.
 *
 * @returns the body; undefined if the status is one of `absent`
 * @throws GrafanaUnreachable, UnexpectedResponse
 */
export async function readGrafana<T>(access: GrafanaAccess, path: string, absent: readonly number[] = [], command = "pulumi up") {
  const response = await requestGrafana(access, path);
  const isJson = isGrafanaResponse(response);
  if (isJson && response.status === 200) return response.body as T;
  if (isJson && absent.includes(response.status)) return undefined;
  const result = isJson ? messageOf(response, access) : `${response.status} without JSON`;
  const said = `Grafana at ${access.url} returned ${result} for GET ${path}`;
  if (response.status >= 500) throw new GrafanaUnreachable(said);
  if (response.status === 429) throw new UnexpectedResponse(`${said}. Grafana limits requests. Wait, then run \`${command}\` again.`);
  const suspect = isRefusal(response.status) ? "grafanaAuth and the permissions of its token" : urlHint;
  throw new UnexpectedResponse(`${said}. Check ${suspect}.`);
}

const urlHint = "grafanaUrl, which must be the address of Grafana, including a path prefix";

/** Whether the server rejected the credentials. */
export const isRefusal = (status: number) => status === 401 || status === 403;

/** Whether a response is from Grafana: a login page, or another server at the address, returns no JSON. */
export const isGrafanaResponse = ({ body }: GrafanaResponse) => typeof body === "object" && body !== null;

/** The status and Grafana's message, redacted: the response may repeat parts of the request. */
export function messageOf({ status, body }: GrafanaResponse, access: Pick<GrafanaAccess, "auth" | "secrets">): string {
  const message = typeof body === "object" && body !== null && "message" in body ? String(body.message) : "";
  return message ? `${status}: ${redactText(message, secretsOf(access))}` : String(status);
}

/** All secrets that messages must not show: the credentials, the password in them, and `secrets`. */
export const secretsOf = ({ auth, secrets = [] }: Pick<GrafanaAccess, "auth" | "secrets">) =>
  [auth, auth.slice(auth.indexOf(":") + 1)].concat(secrets);
