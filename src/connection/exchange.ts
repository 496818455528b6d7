/**
 * The requests that register a connection and read it. A registration is sent once: a repeated one could register twice, and the next `up`
 * sends it anyway.
 */
import { exchange, readText, timeLimit } from "../network/transport";
import { parseJson } from "../text/json";
import { redactText } from "../text/redact";
import { classifyError, classifyRedirect, classifyStatus, describeFailure, type Failure } from "./outcome";
import { keysOf, type Registration } from "./registration";

/**
 * Registers a connection. Any 2xx is success, whatever the body. A redirect is not followed.
 *
 * @param time the limit in milliseconds
 * @throws Error with the request, the cause, whether the connection may be registered, and a fix. It contains neither of the two keys.
 */
export async function registerConnection(registration: Registration, time = timeLimit): Promise<void> {
  const { endpoint, serviceApiKey, body, caCert } = registration;
  const headers = { Authorization: serviceApiKey, "Content-Type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify(body), caCert, signal: AbortSignal.timeout(time) };
  const failure = await exchange(endpoint, request, async (response): Promise<Failure | undefined> => {
    const { statusCode: status = 0, headers } = response;
    if (status >= 200 && status < 300) return undefined;
    if ([301, 302, 303, 307, 308].includes(status)) return classifyRedirect(status, headers.location, registration);
    return classifyStatus(status, await readReason(response, keysOf(registration)), registration);
  }).catch((error: unknown) => classifyError(error, time, registration));
  if (failure) throw new Error(describeFailure(registration, failure));
}

/** The service's reason: the message of a JSON body, otherwise the first line of the text, redacted. May be empty. */
export async function readReason(body: AsyncIterable<Uint8Array>, secrets: readonly string[]): Promise<string> {
  // The status decides; a body that breaks off only shortens the reason.
  const { text } = await readText(body, 4096);
  const { message, error, detail } = (parseJson(text) ?? {}) as Record<string, unknown>;
  return redactText([message, error, detail].find((part) => typeof part === "string") ?? text, secrets);
}

/** The connection at the service, compared with the one that this stack registered. */
export type RegisteredConnection = "current" | "other" | "none" | "unknown";
const sizeLimit = 1_000_000;

/**
 * Reads the registered connection, if the service has the endpoint for it. The response contains the platform's key in plain text. Never
 * throws: without such an endpoint, the result is "unknown".
 */
export async function readRegisteredConnection(registration: Omit<Registration, "keyCommand">): Promise<RegisteredConnection> {
  const { endpoint, serviceApiKey, body, caCert } = registration;
  try {
    const request = { headers: { Authorization: serviceApiKey, Accept: "application/json" }, caCert };
    const { status, text, error } = await exchange(endpoint, request, async (response) => {
      return { status: response.statusCode, ...(await readText(response, sizeLimit)) };
    });
    if (error || text.length > sizeLimit) return "unknown";
    const answer = JSON.parse(text);
    // A server without the endpoint also returns 404, but without this field.
    if (status === 404 && answer?.status === 404) return "none";
    const found = answer?.connections;
    if (status !== 200 || typeof found !== "object" || found === null) return "unknown";
    const lower = new Map(Object.entries(found).map(([name, value]) => [name.toLowerCase(), value]));
    return Object.entries(body).every(([name, value]) => lower.get(name.toLowerCase()) === value) ? "current" : "other";
  } catch {
    return "unknown";
  }
}
