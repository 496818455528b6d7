/** The requests that register a connection. A request is repeated only if the service certainly did not act on it. */
import { exchange, readText } from "../network/transport";
import { parseJson } from "../text/json";
import { redactText } from "../text/redact";
import { classifyError, classifyRedirect, classifyStatus, describeFailure, type Failure, formatSeconds, maxRedirects } from "./outcome";
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

const redirects = [301, 302, 303, 307, 308];
const isSuccess = (status: number) => status >= 200 && status < 300;

/** One attempt. Follows redirects within the same origin that keep the method (307, 308). */
async function attemptOnce(registration: Registration, time: number): Promise<Failure | undefined> {
  const { endpoint, serviceApiKey, body, caCert } = registration;
  let address = endpoint;
  const requestHeaders = { Authorization: serviceApiKey, "Content-Type": "application/json" };
  const signal = AbortSignal.timeout(time);
  const request = { method: "POST", headers: requestHeaders, body: JSON.stringify(body), caCert, signal };
  try {
    for (let hop = 0; ; hop++) {
      const { status, headers, reason } = await exchange(address, request, async (response) => {
        const { statusCode: status = 0, headers } = response;
        const isFailure = !isSuccess(status) && !redirects.includes(status);
        return { status, headers, reason: isFailure ? await readReason(response, keysOf(registration)) : "" };
      });
      if (isSuccess(status)) return undefined;
      if (!redirects.includes(status)) return classifyStatus(status, headers["retry-after"], reason, registration);
      const { location } = headers;
      const target = location !== undefined && URL.canParse(location, address) ? new URL(location, address) : undefined;
      const isSameOrigin = target?.origin === new URL(address).origin && !target.username && !target.password;
      const isFollowed = isSameOrigin && (status === 307 || status === 308);
      if (!isFollowed || hop === maxRedirects)
        return classifyRedirect({ status, target, from: address, hops: isFollowed ? hop : 0 }, registration);
      address = target.href;
    }
  } catch (error) {
    return classifyError(error, address, time, registration);
  }
}

/** The service's reason: the message of a JSON body, otherwise the first line of the text, redacted. May be empty. */
export async function readReason(body: AsyncIterable<Uint8Array>, secrets: readonly string[]): Promise<string> {
  // The status decides; a body that breaks off only shortens the reason.
  const { text } = await readText(body, 4096);
  const { message, error, detail } = (parseJson(text) ?? {}) as Record<string, unknown>;
  return redactText([message, error, detail].find((part) => typeof part === "string") ?? text, secrets);
}
