/** The request that registers a connection. It is sent once: a repeated one could register twice, and the next `up` sends it anyway. */
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
