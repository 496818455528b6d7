/** Questions to Grafana's HTTP API that its resources do not ask. Reads only. */
import { redactText } from "../text/redact";
import { isTimeout, openTransport, readText, reasonOf, type Transport } from "./transport";

/** Where Grafana is and who asks. Plain values: build it inside of `apply` only. */
export interface GrafanaAccess {
  /** Without a slash at its end, a path prefix included. */
  url: string;
  /** Service-account token, or `user:password`. */
  auth: string;
  /** Organization that a user works in, as for the plugin: 1 by default. A token has its own. */
  orgId?: number | undefined;
  /** The CA certificate, in PEM form, that signed Grafana's own; without it the public ones hold. */
  caCert?: string | undefined;
  /** What beside `auth` may come back in an answer and must not be shown. */
  secrets?: readonly string[];
}

/** An answer of Grafana, whatever its status. `body` is parsed JSON, or the text where it is none. */
export interface GrafanaAnswer {
  status: number;
  body: unknown;
}

/** Grafana gave no answer. */
export class GrafanaUnreachable extends Error {}

/** An answer that was not asked for, or not Grafana's. */
export class UnexpectedAnswer extends Error {}

const timeLimit = 15_000;
const sizeLimit = 20_000_000;

/** Whether the credentials are `user:password`: a token has no colon. */
export const isBasicAuth = ({ auth }: Pick<GrafanaAccess, "auth">) => auth.includes(":");

/**
 * Asks Grafana.
 *
 * @param path from /api on
 * @param body sent by POST where it is given
 * @throws GrafanaUnreachable
 */
export async function askGrafana(access: GrafanaAccess, path: string, body?: unknown): Promise<GrafanaAnswer> {
  const basic = isBasicAuth(access);
  const headers: Record<string, string> = {
    Accept: "application/json",
    Authorization: basic ? `Basic ${Buffer.from(access.auth, "utf8").toString("base64")}` : `Bearer ${access.auth}`,
    // A token with the number of another organization is refused by newer releases, and ignores it in older ones.
    ...(basic && { "X-Grafana-Org-Id": String(access.orgId ?? 1) }),
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
  };
  const method = body === undefined ? "GET" : "POST";
  try {
    const response = await transportTo(access).fetch(`${access.url}${path}`, {
      method,
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(timeLimit),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await readText(response, sizeLimit);
    if (text === undefined) throw new GrafanaUnreachable(`Grafana at ${access.url} answered more than 20 MB to ${path}`);
    return { status: response.status, body: parse(text) };
  } catch (error) {
    throw error instanceof GrafanaUnreachable ? error : new GrafanaUnreachable(`Grafana at ${access.url} ${whyNot(error)}`);
  }
}

/**
 * Asks Grafana for what is there: its own answer with status 200, or one of `others`.
 *
 * @param command to be run again, where that may help
 * @throws GrafanaUnreachable
 * @throws UnexpectedAnswer
 */
export async function readGrafana(access: GrafanaAccess, path: string, others: readonly number[] = [], command = "pulumi up") {
  const answer = await askGrafana(access, path);
  if (isGrafanas(answer) && [200, ...others].includes(answer.status)) return answer;
  const said = isGrafanas(answer) ? messageOf(answer, access) : `${answer.status} without JSON`;
  throw new UnexpectedAnswer(`Grafana at ${access.url} answered ${said} to GET ${path}. ${adviceFor(answer.status, command)}`);
}

/** What is wrong where something else answers. */
export const whichUrl = "grafanaUrl, which must be the address of Grafana, a path prefix included";

function adviceFor(status: number, command: string): string {
  if (isRefusal(status)) return "Check grafanaAuth and what its token may read.";
  if (status === 429) return `It limits requests: wait, then run \`${command}\` again.`;
  if (status >= 500) return `Look at Grafana's own log, then run \`${command}\` again.`;
  return `Check ${whichUrl}.`;
}

/** One for all questions, so that they share connections, which do not keep the process once they are idle. */
const transports = new Map<string, Transport>();

function transportTo({ caCert = "" }: GrafanaAccess): Transport {
  const transport = transports.get(caCert) ?? openTransport(caCert);
  transports.set(caCert, transport);
  return transport;
}

function whyNot(error: unknown): string {
  return isTimeout(error) ? `did not answer within ${timeLimit / 1000} s` : `cannot be reached (${reasonOf(error)})`;
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

/** Whether an answer is Grafana's own: a login page, or another server at the address, answers without JSON. */
export const isGrafanas = ({ body }: GrafanaAnswer) => typeof body === "object" && body !== null;

/** Grafana's own words about a refusal, redacted: it, or what stands before it, may hand back what it was sent. */
export function messageOf({ status, body }: GrafanaAnswer, access: Pick<GrafanaAccess, "auth" | "secrets">): string {
  const message = typeof body === "object" && body !== null && "message" in body ? String(body.message) : "";
  return message ? `${status}: ${redactText(message, secretsOf(access))}` : String(status);
}

/** The credentials, the password of a login by itself, and what else must not be shown. */
export const secretsOf = ({ auth, secrets = [] }: Pick<GrafanaAccess, "auth" | "secrets">) => [
  auth,
  auth.slice(auth.indexOf(":") + 1),
  ...secrets,
];
