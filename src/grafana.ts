/** Questions to Grafana's HTTP API that its resources do not ask. Reads only. */
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

/** Where Grafana is and who asks. Plain values: build it inside of `apply` only. */
export interface GrafanaAccess {
  /** Without a slash at its end, a path prefix included. */
  url: string;
  /** Service-account token, or `user:password`. */
  auth: string;
  orgId?: number | undefined;
  /** The CA certificate, in PEM form, that signed Grafana's own; without it the public ones hold. */
  caCert?: string | undefined;
}

/** An answer of Grafana, whatever its status. `body` is parsed JSON, or the text where it is none. */
export interface GrafanaAnswer {
  status: number;
  body: unknown;
}

/** Grafana gave no answer. */
export class GrafanaUnreachable extends Error {}

const timeLimit = 15_000;
const sizeLimit = 20_000_000;

/**
 * Asks Grafana. `node:https` and not fetch, which cannot be given a CA.
 *
 * @param path from /api on
 * @param body sent by POST where it is given
 * @throws GrafanaUnreachable
 */
export function askGrafana(access: GrafanaAccess, path: string, body?: unknown): Promise<GrafanaAnswer> {
  const url = new URL(`${access.url}${path}`);
  const basic = access.auth.includes(":");
  const headers: Record<string, string> = {
    Accept: "application/json",
    Authorization: basic ? `Basic ${Buffer.from(access.auth, "utf8").toString("base64")}` : `Bearer ${access.auth}`,
    ...(access.orgId === undefined ? {} : { "X-Grafana-Org-Id": String(access.orgId) }),
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
  };
  const options = { method: body === undefined ? "GET" : "POST", headers, timeout: timeLimit, ca: access.caCert };
  return new Promise((resolve, reject) => {
    const fail = (error: Error & { code?: string }) =>
      reject(
        error instanceof GrafanaUnreachable
          ? error
          : new GrafanaUnreachable(`Grafana at ${access.url} cannot be reached (${error.code ?? error.message})`),
      );
    const request = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        if (text.length > sizeLimit)
          request.destroy(new GrafanaUnreachable(`Grafana at ${access.url} answered more than 20 MB to ${path}`));
      });
      response.on("error", fail);
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: parse(text) }));
    });
    request.on("timeout", () =>
      request.destroy(new GrafanaUnreachable(`Grafana at ${access.url} did not answer within ${timeLimit / 1000} s`)),
    );
    request.on("error", fail);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Whether a status says that the credentials were not accepted. */
export const isRefusal = (status: number) => status === 401 || status === 403;

/** Grafana's own words about a refusal. */
export function messageOf({ status, body }: GrafanaAnswer): string {
  const message = typeof body === "object" && body !== null && "message" in body ? String(body.message) : "";
  return message ? `${status}: ${message}` : String(status);
}
