/**
 * What became of an attempt to register: what happened, whether the service can have acted on it, whether to send it again, what to try.
 * Pure, and part of the dynamic provider's code, like `exchange.ts`: Node's globals only.
 */

import { type Cause, rootCause } from "../network/transport";
import { holdsSecret, redacted, redactText } from "../text/redact";
import type { Registration } from "./exchange";

/** An attempt that did not succeed. */
export interface Failure {
  registered: false;
  /** What happened and at whom, to follow "…: ". */
  happened: string;
  /** Whether the service may have registered the connection all the same. */
  acted: "no" | "unknown";
  /** What to try. */
  advice: string;
  /** Whether sending it again can help and cannot register twice. */
  retry: boolean;
  /** The pause that the service asked for, in milliseconds. */
  retryAfter?: number | undefined;
}

/** How many redirects are followed. */
export const maxRedirects = 3;

const lookAtLog = "Look at the service's own log, then run `pulumi up` again.";

/** What became of one attempt. */
export type Outcome = { registered: true } | Failure;

/**
 * What a redirect that is not followed means.
 *
 * @param hops how many were followed before
 */
export function classifyRedirect(
  status: number,
  target: URL | undefined,
  address: string,
  hops: number,
  registration: Registration,
): Failure {
  const where = target ? ` to ${shownAddress(target, [registration.serviceApiKey, registration.body.ApiKey])}` : "";
  const answered = `${new URL(address).origin} answered ${status}, a redirect${where}`;
  if (hops === maxRedirects) {
    const happened = `${answered}, after ${hops} others`;
    return {
      registered: false,
      happened,
      acted: "no",
      advice: "Look what the service's address leads to, then set serviceUrl.",
      retry: false,
    };
  }
  const happened = `${answered}, which is not followed with a key`;
  // 303 is the usual answer to a request that was carried out.
  if (status === 303) return { registered: false, happened, acted: "unknown", advice: lookAtLog, retry: false };
  const advice = "If the service lives there now, set serviceUrl to its new base address.";
  return { registered: false, happened, acted: "no", advice, retry: false };
}

/** A host is shown as it is, to be set as serviceUrl; a path only in the shape of words. */
function shownAddress({ origin, pathname }: URL, secrets: readonly string[]): string {
  return `${holdsSecret(origin, secrets) ? redacted : origin}/${redactText(pathname.slice(1), secrets)}`;
}

/** What a status other than 2xx and 3xx means. `said` is the service's own reason, redacted, perhaps empty. */
export function classifyStatus(
  status: number,
  retryAfterHeader: string | null,
  said: string,
  { endpoint, keyCommand }: Registration,
): Failure {
  const happened = `${new URL(endpoint).origin} answered ${status}${said ? `: ${said}` : ""}`;
  const no = (advice: string): Failure => ({ registered: false, happened, acted: "no", advice, retry: false });
  switch (status) {
    case 400:
    case 422:
      return no(
        "The service does not accept one of the connection's fields: check platform, metricsUrl, metricsUsername, logsUrl, logsUsername and platformApiKey.",
      );
    case 401:
    case 403:
      return no(`The service does not accept its API key. Set the right one: ${keyCommand}`);
    case 404:
    case 405:
      return no(
        "There is no registration endpoint at this address: check serviceUrl, which must be the base address of the service, a path prefix included.",
      );
    case 409:
      return no("The service holds a connection that this one conflicts with: look at what is registered there, by another stack perhaps.");
    case 429:
      return {
        ...no("The service limits its requests: wait, then run `pulumi up` again."),
        retry: true,
        retryAfter: parseRetryAfter(retryAfterHeader),
      };
  }
  if (status < 500) return no("The service refused the request: see its documentation for this status.");
  // A gateway answers 502, 503 and 504 also for requests that it had passed on. Only an invitation to come back says that it did not act.
  const wait = [502, 503, 504].includes(status) ? parseRetryAfter(retryAfterHeader) : undefined;
  const acted = wait === undefined ? "unknown" : "no";
  return { registered: false, happened, acted, advice: lookAtLog, retry: wait !== undefined, retryAfter: wait };
}

/** Milliseconds that a `Retry-After` header asks for, in seconds or as a date (RFC 9110, 10.2.3); undefined where it is absent or no such value. */
function parseRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  // JavaScript reads dates into almost anything; only the form that HTTP knows counts.
  const date = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

const proxyAdvice = "Check the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and what that proxy lets through.";

/** Reasons for which a request certainly never reached the service, by the code of Node's error, or its message. Sent again only where that can help. */
const notReached: { code?: RegExp; message?: RegExp; what: string; advice: string; retry: boolean }[] = [
  {
    code: /^ECONNREFUSED$/,
    what: "refused the connection",
    advice: "Check that the service runs, and its address, serviceUrl.",
    retry: true,
  },
  { code: /^ENOTFOUND$/, what: "is a name that does not resolve", advice: "Check serviceUrl, and the DNS of this machine.", retry: false },
  { code: /^EAI_AGAIN$/, what: "could not be looked up", advice: "Check the DNS of this machine.", retry: true },
  {
    code: /^(ERR_SSL_|EPROTO)/,
    what: "does not speak the protocol of its address",
    advice: "Check whether serviceUrl should begin with http:// or https://.",
    retry: false,
  },
  {
    code: /CERT|SELF_SIGNED|UNABLE_TO|HOSTNAME/,
    what: "shows a TLS certificate that is not trusted",
    advice: "Mend the certificate, or name the CA that signed it: npx pulumi config set serviceCaCert < ca.pem",
    retry: false,
  },
  {
    message: /^bad port$/,
    what: "has a port that HTTP clients refuse to use",
    advice: "Let the service listen on another one, and name that in serviceUrl.",
    retry: false,
  },
  {
    message: /_PROXY is not the address of a proxy$/,
    what: "was not asked",
    advice: "Set the variable to an address like http://proxy.example.com:3128, or unset it.",
    retry: false,
  },
  {
    message: /^Proxy response/,
    what: "cannot be reached: the proxy of the environment opened no way to it",
    advice: proxyAdvice,
    retry: false,
  },
  {
    code: /^(UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH)$/,
    what: "cannot be reached",
    advice: "Check serviceUrl, and the network between this machine and the service.",
    retry: true,
  },
];

/** What a request without an answer means. */
export function classifyError(error: unknown, address: string, time: number, { serviceApiKey, body }: Registration): Failure {
  const url = new URL(address);
  const first = rootCause(error);
  const { name, code, message } = first;
  const failure = (happened: string, acted: Failure["acted"], advice: string, retry = false): Failure => {
    return { registered: false, happened, acted, advice, retry };
  };
  if (name === "TimeoutError") {
    const advice = "Look whether the service is overloaded, then run `pulumi up` again.";
    return failure(`${url.host} did not answer within ${formatSeconds(time)}`, "unknown", advice);
  }
  const known = notReached.find((reason) => reason.code?.test(code ?? "") || reason.message?.test(message ?? ""));
  // A code is Node's own; a message may quote what came.
  const word = (!known?.message && code) || redactText(message ?? String(error), [serviceApiKey, body.ApiKey]);
  const proxy = unreachableProxy(first, url);
  if (known) return failure(`${proxy ?? url.host} ${known.what} (${word})`, "no", proxy ? proxyAdvice : known.advice, known.retry);
  const https = url.protocol === "http:" ? " Or does serviceUrl have to begin with https://?" : "";
  return failure(`the connection to ${url.host} broke before an answer came (${word})`, "unknown", lookAtLog + https);
}

/** Who it was that could not be reached, where that was not the service but a proxy before it. */
function unreachableProxy({ hostname, address, port }: Cause, url: URL): string | undefined {
  if (port !== undefined && port !== Number(url.port || (url.protocol === "https:" ? 443 : 80))) return `the proxy ${address}:${port}`;
  return hostname !== undefined && hostname !== url.hostname ? `the proxy ${hostname}` : undefined;
}

/**
 * The failure as a text for a person.
 *
 * @param longPause the pause that would have gone past the total limit, where that ended the attempts
 */
export function describeFailure({ endpoint }: Registration, failure: Failure, attempts: number, longPause?: number): string {
  const tries = attempts > 1 ? ` ${attempts} attempts were made.` : "";
  const pause = longPause === undefined ? "" : ` The next one would be due in ${formatSeconds(longPause)}, too long to wait here.`;
  const state =
    failure.acted === "no"
      ? "Nothing was registered."
      : "It is not known whether the service registered the connection, so the request was not repeated. The next `pulumi up` sends it again.";
  return `Registering the connection by POST ${endpoint} failed: ${failure.happened}.${tries}${pause}\n${state}\n${failure.advice}`;
}

/** A duration in milliseconds as a text. */
export function formatSeconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
