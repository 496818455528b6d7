/** The requests that register a connection. A request is repeated only if the service certainly did not act on it. */
import { exchange, readText } from "../network/transport";
import { parseJson } from "../text/json";
import { redactText } from "../text/redact";
import { classifyError, classifyRedirect, classifyStatus, describeFailure, type Failure, formatSeconds } from "./outcome";
import { keysOf, type Registration } from "./registration";

/**
 * The time for one attempt and for all attempts in milliseconds, the number of attempts, and the first pause, which doubles with each
 * attempt. A pause that the service names has priority.
 */
export type Limits = Record<"attempt" | "total" | "attempts" | "backoff", number>;

/**
 * Registers a connection. Any 2xx is success, whatever the body. `log` receives a line before each pause.
 *
 * @throws Error with the request, the cause, whether the connection may be registered, and a fix. It contains neither of the two keys.
 */
export async function registerConnection(
  registration: Registration,
  limits: Limits = { attempt: 15_000, total: 90_000, attempts: 4, backoff: 1_000 },
  log: (line: string) => void = console.log,
): Promise<void> {
  const deadline = Date.now() + limits.total;
  for (let attempt = 1; ; attempt++) {
    const time = Math.max(1, Math.min(limits.attempt, deadline - Date.now()));
    const failure = await attemptOnce(registration, time);
    if (!failure) return;
    const pause = failure.retryAfter ?? limits.backoff * 2 ** (attempt - 1);
    const tooLate = Date.now() + pause >= deadline;
    if (!failure.retry || attempt >= limits.attempts || tooLate) {
      throw new Error(describeFailure(registration, failure, attempt, failure.retry && tooLate ? pause : undefined));
    }
    log(`${failure.cause}; retrying in ${formatSeconds(pause)} (attempt ${attempt + 1} of ${limits.attempts})`);
    await new Promise((resume) => setTimeout(resume, pause));
  }
}

/** One attempt. A redirect is not followed. */
async function attemptOnce(registration: Registration, time: number): Promise<Failure | undefined> {
  const { endpoint, serviceApiKey, body, caCert } = registration;
  const headers = { Authorization: serviceApiKey, "Content-Type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify(body), caCert, signal: AbortSignal.timeout(time) };
  try {
    return await exchange(endpoint, request, async (response) => {
      const { statusCode: status = 0, headers } = response;
      if (status >= 200 && status < 300) return undefined;
      if ([301, 302, 303, 307, 308].includes(status)) return classifyRedirect(status, headers.location, registration);
      return classifyStatus(status, headers["retry-after"], await readReason(response, keysOf(registration)), registration);
    });
  } catch (error) {
    return classifyError(error, time, registration);
  }
}

/** The service's reason: the message of a JSON body, otherwise the first line of the text, redacted. May be empty. */
export async function readReason(body: AsyncIterable<Uint8Array>, secrets: readonly string[]): Promise<string> {
  // The status decides; a body that breaks off only shortens the reason.
  const { text } = await readText(body, 4096);
  const { message, error, detail } = (parseJson(text) ?? {}) as Record<string, unknown>;
  return redactText([message, error, detail].find((part) => typeof part === "string") ?? text, secrets);
}
