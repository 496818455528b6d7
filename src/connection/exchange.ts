/**
 * The HTTP exchange that registers a connection (spec 4.1).
 *
 * This file becomes part of the dynamic provider, whose code the engine stores in the state as text: it uses Node's globals, a library
 * that is required where it is used, and imports nothing but types and its neighbours of the same kind.
 *
 * The rule that shapes it: one intent never registers twice. A request is sent again only where the service certainly did not act on it.
 */
import { withTransport } from "../network/transport";
import { classifyError, classifyRedirect, classifyStatus, describeFailure, formatSeconds, maxRedirects, type Outcome } from "./outcome";
import { readReason } from "./reason";

/** The request body, spelled as in spec 2.1. */
export interface ConnectionBody {
  Platform: string;
  MetricsUrl: string;
  MetricsUsername: string;
  LogsUrl: string;
  LogsUsername: string;
  ApiKey: string;
}

/** The fields of a connection as the settings name them. */
export interface ConnectionFields<T> {
  platform: T;
  metricsUrl: T;
  metricsUsername: T;
  logsUrl: T;
  logsUsername: T;
  platformApiKey: T;
}

/** The same as the service names them. */
export function connectionBody<T>(fields: ConnectionFields<T>): { [K in keyof ConnectionBody]: T } {
  return {
    Platform: fields.platform,
    MetricsUrl: fields.metricsUrl,
    MetricsUsername: fields.metricsUsername,
    LogsUrl: fields.logsUrl,
    LogsUsername: fields.logsUsername,
    ApiKey: fields.platformApiKey,
  };
}

/** One registration. */
export interface Registration {
  /** Full address of the endpoint, `{base_url}/api/connections`. */
  endpoint: string;
  /** The service's key: the raw value of the `Authorization` header. */
  serviceApiKey: string;
  /** The words with which messages name the place of the service's key, a command where there is one. */
  keyCommand: string;
  body: ConnectionBody;
  /** The CA certificate, in PEM form, that signed the service's own; without it the public ones hold. */
  caCert?: string | undefined;
}

/** How long the exchange may take; times in milliseconds. */
export interface Limits {
  attempt: number;
  total: number;
  attempts: number;
  /** Pause before the second attempt where the service names none; doubles from there. */
  backoff: number;
}

export const defaultLimits: Limits = { attempt: 15_000, total: 90_000, attempts: 4, backoff: 1_000 };

/**
 * Registers a connection. Any 2xx is success, whatever its body holds.
 *
 * @param say receives a line of progress before each pause
 * @throws Error that says what happened, what was asked of whom, whether anything can have been registered, and what to try. It holds
 *   neither of the two keys, also where the service echoed them.
 */
export async function registerConnection(
  registration: Registration,
  limits: Limits = defaultLimits,
  say: (line: string) => void = console.log,
): Promise<void> {
  const deadline = Date.now() + limits.total;
  for (let attempt = 1; ; attempt++) {
    const time = Math.max(1, Math.min(limits.attempt, deadline - Date.now()));
    const outcome = await attemptOnce(registration, time);
    if (outcome.registered) return;
    const pause = outcome.retryAfter ?? limits.backoff * 2 ** (attempt - 1);
    const tooLate = Date.now() + pause >= deadline;
    if (!outcome.retry || attempt >= limits.attempts || tooLate) {
      throw new Error(describeFailure(registration, outcome, attempt, outcome.retry && tooLate ? pause : undefined));
    }
    say(`${outcome.happened}; trying again in ${formatSeconds(pause)} (attempt ${attempt + 1} of ${limits.attempts})`);
    await new Promise((resume) => setTimeout(resume, pause));
  }
}

/** One attempt, with the redirects that may be followed: same origin and method kept (307, 308), at most three. */
async function attemptOnce(registration: Registration, time: number): Promise<Outcome> {
  const signal = AbortSignal.timeout(time);
  let address = registration.endpoint;
  try {
    return await withTransport(registration.caCert, async (transport) => {
      for (let hop = 0; ; hop++) {
        const response = await transport.fetch(address, {
          method: "POST",
          headers: { Authorization: registration.serviceApiKey, "Content-Type": "application/json" },
          body: JSON.stringify(registration.body),
          redirect: "manual",
          signal,
        });
        if (response.ok) return { registered: true };
        if (response.status < 300 || response.status >= 400) {
          const said = await readReason(response, [registration.serviceApiKey, registration.body.ApiKey]);
          return classifyStatus(response.status, response.headers.get("retry-after"), said, registration);
        }
        const target = redirectTarget(address, response.headers.get("location"));
        const keepsMethod = response.status === 307 || response.status === 308;
        const staysHere = target?.origin === new URL(address).origin && !target.username && !target.password;
        if (!target || !keepsMethod || !staysHere || hop === maxRedirects) {
          return classifyRedirect(response.status, target, address, keepsMethod && staysHere ? hop : 0, registration);
        }
        address = target.href;
      }
    });
  } catch (error) {
    return classifyError(error, address, time, registration);
  }
}

function redirectTarget(address: string, location: string | null): URL | undefined {
  return location !== null && URL.canParse(location, address) ? new URL(location, address) : undefined;
}
