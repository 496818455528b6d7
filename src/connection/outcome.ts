/** The outcome of a failed registration: the cause of a failure, whether the connection may be registered, a fix. */
import { type Cause, isTimeout, rootCause } from "../network/transport";
import { redactText } from "../text/redact";
import { configSet } from "../text/sanitize";
import { connectionFields, keysOf, type Registration } from "./registration";

export interface Failure {
  cause: string;
  /** Whether the service may have registered the connection. */
  registered: "no" | "maybe";
  advice: string;
}

const checkLog = "Check the service's log, then run `pulumi up` again.";
const checkProxy = "Check the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and the rules of the proxy.";

const notRegistered = (cause: string, advice: string): Failure => ({ cause, registered: "no", advice });
const maybeRegistered = (cause: string, advice = checkLog): Failure => ({ cause, registered: "maybe", advice });

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
export function classifyStatus(status: number, reason: string, { endpoint, keyCommand }: Registration): Failure {
  const cause = `${new URL(endpoint).origin} returned ${status}${reason ? `: ${reason}` : ""}`;
  // A gateway also returns 502, 503 and 504 for requests that it forwarded.
  if (status < 400 || status >= 500) return maybeRegistered(cause);
  const field = `The service rejected a field of the connection. Check ${Object.keys(connectionFields).join(", ")}.`;
  const key = `The service rejected its API key. Set a valid key: ${keyCommand}`;
  const path = "This address has no registration endpoint. Set serviceUrl to the service's base address, including a path prefix.";
  const conflict = "The service has a conflicting connection. Check its connections: another stack may have registered one.";
  const limited = "The service limits requests. Wait, then run `pulumi up` again.";
  const advices: Record<number, string> = { 400: field, 422: field, 401: key, 403: key, 404: path, 405: path, 409: conflict, 429: limited };
  return notRegistered(cause, advices[status] ?? "The service rejected the request. See its documentation for this status.");
}

const trust = "Fix the certificate, or set the CA that signed it: npx pulumi config set serviceCaCert --stack STACK < ca.pem";
const setProxy = "Set the variable to an address such as http://proxy.example.com:3128, or unset it.";
const checkNetwork = "Check serviceUrl and the network between this machine and the service.";

/** Errors of requests that certainly never reached the service, by the code of Node's error, a space and its message. */
const notReached: [error: RegExp, what: string, advice: string][] = [
  [/^ECONNREFUSED /, "refused the connection", "Check whether the service runs and whether serviceUrl is correct."],
  [/^ENOTFOUND /, "cannot be resolved", "Check serviceUrl and the DNS configuration of this machine."],
  [/^EAI_AGAIN /, "cannot be resolved: DNS failed", "Check the DNS configuration of this machine."],
  [/^(ERR_SSL_|EPROTO)/, "does not use the protocol of serviceUrl", "Check whether serviceUrl must begin with http:// or https://."],
  [/^\S*(CERT|SELF_SIGNED|UNABLE_TO|HOSTNAME)/, "has an untrusted TLS certificate", trust],
  [/_PROXY is not a valid proxy address$/, "did not receive the request", setProxy],
  [/ Proxy (response|connection ended)/, "cannot be reached: the configured proxy refused the request", checkProxy],
  [/^(CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH) /, "cannot be reached", checkNetwork],
];

/** Classifies a request without a response. @param time the limit, in milliseconds */
export function classifyError(error: unknown, time: number, registration: Registration): Failure {
  const url = new URL(registration.endpoint);
  const { host, protocol } = url;
  const cause = rootCause(error);
  const { code, message = String(error) } = cause;
  if (isTimeout(cause)) {
    const advice = "Check whether the service is overloaded, then run `pulumi up` again.";
    return maybeRegistered(`${host} did not respond within ${time / 1000} s`, advice);
  }
  // A code is safe to show; a message may quote the response.
  const detail = code ?? redactText(message, keysOf(registration));
  const [, what, advice = ""] = notReached.find(([pattern]) => pattern.test(`${code ?? ""} ${message}`)) ?? [];
  const proxy = unreachableProxy(cause, url);
  if (what) return notRegistered(`${proxy ?? host} ${what} (${detail})`, proxy ? checkProxy : advice);
  const tls = protocol === "http:" ? " If the service requires TLS, serviceUrl must begin with https://." : "";
  return maybeRegistered(`the connection to ${host} ended without a valid response (${detail})`, checkLog + tls);
}

/** The proxy, if the error is about a proxy instead of the service. */
function unreachableProxy({ hostname, address, port }: Cause, url: URL): string | undefined {
  if (port !== undefined && port !== Number(url.port || (url.protocol === "https:" ? 443 : 80))) return `the proxy ${address}:${port}`;
  return hostname !== undefined && hostname !== url.hostname ? `the proxy ${hostname}` : undefined;
}

export function describeFailure({ endpoint }: Registration, { cause, registered, advice }: Failure): string {
  // The dynamic provider does not know the stack.
  const registerAgain = configSet("registrationTrigger", new Date().toISOString(), "STACK");
  const maybe =
    "The service may have registered the connection. The next `pulumi up` sends the request again. If you restore the former settings " +
    `instead, register them again, since the service may keep these: ${registerAgain}`;
  const state = registered === "no" ? "The connection was not registered." : maybe;
  return `Registering the connection with POST ${endpoint} failed: ${cause}.\n${state}\n${advice}`;
}
