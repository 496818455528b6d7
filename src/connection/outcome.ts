/** The outcome of an attempt to register: the cause of a failure, whether the connection may be registered, a fix. */
import { type Cause, isTimeout, rootCause } from "../network/transport";
import { redactText } from "../text/redact";
import { connectionFields, keysOf, type Registration } from "./registration";

/** A failed attempt. */
export interface Failure {
  cause: string;
  /** Whether the service may have registered the connection. */
  registered: "no" | "maybe";
  /** The fix. */
  advice: string;
  /** Whether a retry can help and cannot register twice. */
  retry: boolean;
  /** The pause that the service requires before a retry, in milliseconds. */
  retryAfter?: number | undefined;
}

const checkLog = "Check the service's log, then run `pulumi up` again.";
const checkProxy = "Check the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and the rules of the proxy.";

const notRegistered = (cause: string, advice: string, retry = false, retryAfter?: number): Failure => {
  return { cause, registered: "no", advice, retry, retryAfter };
};
const maybeRegistered = (cause: string, advice = checkLog): Failure => ({ cause, registered: "maybe", advice, retry: false });

/** Classifies a redirect. @param location the header of this name */
export function classifyRedirect(status: number, location: string | undefined, registration: Registration): Failure {
  const { endpoint } = registration;
  const target = location !== undefined && URL.canParse(location, endpoint) ? new URL(location, endpoint) : undefined;
  const [origin, path] = [target?.origin ?? "", target?.pathname.slice(1) ?? ""].map((part) => redactText(part, keysOf(registration)));
  const redirect = `${new URL(endpoint).origin} returned ${status}, a redirect${target ? ` to ${origin}/${path}` : ""}`;
  const cause = `${redirect}, which is not followed because the request contains keys`;
  // 303 is the usual response to a request that was carried out.
  return status === 303 ? maybeRegistered(cause) : notRegistered(cause, "If the service moved, set serviceUrl to its new base address.");
}

/** Classifies a status other than success and redirects. @param reason the service's, redacted; may be empty */
export function classifyStatus(status: number, retryAfter: string | undefined, reason: string, registration: Registration): Failure {
  const cause = `${new URL(registration.endpoint).origin} returned ${status}${reason ? `: ${reason}` : ""}`;
  const wait = parseRetryAfter(retryAfter);
  if (status === 429) return notRegistered(cause, "The service limits requests. Wait, then run `pulumi up` again.", true, wait);
  if (status >= 400 && status < 500) return notRegistered(cause, adviceFor(status, registration.keyCommand));
  // A gateway also returns 502, 503 and 504 for requests that it forwarded. Only a Retry-After shows that it did not.
  if ([502, 503, 504].includes(status) && wait !== undefined) return notRegistered(cause, checkLog, true, wait);
  return maybeRegistered(cause);
}

function adviceFor(status: number, keyCommand: string): string {
  const field = `The service rejected a field of the connection. Check ${Object.keys(connectionFields).join(", ")}.`;
  const key = `The service rejected its API key. Set a valid key: ${keyCommand}`;
  const path = "This address has no registration endpoint. Set serviceUrl to the service's base address, including a path prefix.";
  const conflict = "The service has a conflicting connection. Check its connections: another stack may have registered one.";
  const known: Record<number, string> = { 400: field, 422: field, 401: key, 403: key, 404: path, 405: path, 409: conflict };
  return known[status] ?? "The service rejected the request. See its documentation for this status.";
}

/** The seconds of a `Retry-After` header in milliseconds. Undefined if it is absent, or has a date, which no service of this kind sends. */
const parseRetryAfter = (header = "") => (/^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : undefined);

const trust = "Fix the certificate, or set the CA that signed it: npx pulumi config set serviceCaCert < ca.pem";
const setProxy = "Set the variable to an address such as http://proxy.example.com:3128, or unset it.";
const checkNetwork = "Check serviceUrl and the network between this machine and the service.";

/** Errors of requests that certainly never reached the service, by the code of Node's error, a space and its message. */
const notReached: [error: RegExp, what: string, advice: string, retry?: true][] = [
  [/^ECONNREFUSED /, "refused the connection", "Check whether the service runs and whether serviceUrl is correct.", true],
  [/^ENOTFOUND /, "cannot be resolved", "Check serviceUrl and the DNS configuration of this machine."],
  [/^EAI_AGAIN /, "cannot be resolved: DNS failed", "Check the DNS configuration of this machine.", true],
  [/^(ERR_SSL_|EPROTO)/, "does not use the protocol of serviceUrl", "Check whether serviceUrl must begin with http:// or https://."],
  [/^\S*(CERT|SELF_SIGNED|UNABLE_TO|HOSTNAME)/, "has an untrusted TLS certificate", trust],
  [/_PROXY is not a valid proxy address$/, "did not receive the request", setProxy],
  [/ Proxy (response|connection ended)/, "cannot be reached: the configured proxy refused the request", checkProxy],
  [/^(CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH) /, "cannot be reached", checkNetwork, true],
];

/** Classifies a request without a response. @param time the limit of the attempt, in milliseconds */
export function classifyError(error: unknown, time: number, registration: Registration): Failure {
  const url = new URL(registration.endpoint);
  const { host, protocol } = url;
  const cause = rootCause(error);
  const { code, message = String(error) } = cause;
  if (isTimeout(cause)) {
    const advice = "Check whether the service is overloaded, then run `pulumi up` again.";
    return maybeRegistered(`${host} did not respond within ${formatSeconds(time)}`, advice);
  }
  // A code is safe to show; a message may quote the response.
  const detail = code ?? redactText(message, keysOf(registration));
  const [, what, advice = "", retry] = notReached.find(([pattern]) => pattern.test(`${code ?? ""} ${message}`)) ?? [];
  const proxy = unreachableProxy(cause, url);
  if (what) return notRegistered(`${proxy ?? host} ${what} (${detail})`, proxy ? checkProxy : advice, retry);
  const tls = protocol === "http:" ? " If the service requires TLS, serviceUrl must begin with https://." : "";
  return maybeRegistered(`the connection to ${host} ended without a valid response (${detail})`, checkLog + tls);
}

/** The proxy, if the error is about a proxy instead of the service. */
function unreachableProxy({ hostname, address, port }: Cause, url: URL): string | undefined {
  if (port !== undefined && port !== Number(url.port || (url.protocol === "https:" ? 443 : 80))) return `the proxy ${address}:${port}`;
  return hostname !== undefined && hostname !== url.hostname ? `the proxy ${hostname}` : undefined;
}

/** The message of a failed registration. @param longPause the pause that would exceed the time limit, if that ended the attempts */
export function describeFailure({ endpoint }: Registration, failure: Failure, attempts: number, longPause?: number): string {
  const tries = attempts > 1 ? ` ${attempts} attempts failed.` : "";
  const pause = longPause === undefined ? "" : ` The next attempt would start in ${formatSeconds(longPause)}, after the time limit.`;
  const maybe =
    "The service may have registered the connection, so the request was not repeated. The next `pulumi up` sends it again. If you " +
    `restore the former settings instead, register them again, since the service may keep these: ${replaceCommand()}`;
  const state = failure.registered === "no" ? "The connection was not registered." : maybe;
  return `Registering the connection with POST ${endpoint} failed: ${failure.cause}.${tries}${pause}\n${state}\n${failure.advice}`;
}

export const formatSeconds = (milliseconds: number) => `${Math.round(milliseconds / 100) / 10} s`;

/** The command that replaces another connection at the service. */
export const replaceCommand = () => `npx pulumi config set registrationTrigger ${new Date().toISOString()}`;
