/**
 * The faults of a service, or of the network in front of it, during a registration: one for each message, number of requests and state. The status
 * codes and their variants are in `test/unit/connection/exchange.test.ts`.
 */
import { gzipSync } from "node:zlib";
import { selfSigned } from "../support/certificate";
import { answer, type RawRequest, spellings } from "../support/raw-server";
import { type Arrange, behindProxy, ok, plays, redirectsElsewhere, refuses, shows, unresolved, wrongScheme } from "./service/arrange";

/** Characters that JSON, addresses and base64 encode differently, so that no encoding equals another one. */
export const keys = { serviceApiKey: 'svc "key"\\%&+/1', platformApiKey: 'plt "key"\\%&+/é2' };

export interface ServiceFault {
  what: string;
  arrange: Arrange;
  /** The complete requests that a server reads. */
  requests: number;
  /** The opened connections, if there is no request: they show that there was no retry. */
  connections?: number;
  /** Whether the connection is registered after the last attempt. */
  afterwards: "registered" | "nothing" | "unknown";
  /** Parts of the error, or of the progress lines if the registration succeeds. */
  says: string[];
  /** The number of announced retries. */
  announced?: number;
}

/** An error response that repeats both keys in every encoding. */
const echo = JSON.stringify({
  message: `no: ${Object.values(keys)
    .flatMap((key) => Object.values(spellings(key)))
    .join(" ")}`,
});
const refusal = (status: number, headers: Record<string, string> = {}) => answer(status, echo, headers);
const back = (status: number, time: string) => refusal(status, { "Retry-After": time });
const to = (status: number, address: string) =>
  refusal(status, { Location: `${address}/${encodeURIComponent(keys.serviceApiKey)}?key=${encodeURIComponent(keys.platformApiKey)}` });
const page = ({ head, body }: RawRequest) => answer(500, `<pre>${head}\n\n${body}</pre>`);

const bomb = gzipSync(Buffer.alloc(100_000_000, "a"));
const bombed = Buffer.concat([Buffer.from(answer(400, "", { "Content-Encoding": "gzip", "Content-Length": String(bomb.length) })), bomb]);
const endless = { now: answer(200, "", { "Content-Length": "1000000" }), drip: "x".repeat(10_000), pause: 50 };

const log = "Check the service's log, then run `pulumi up` again.";
const wait = "The service limits requests. Wait, then run `pulumi up` again.";
const broke = "ended without a valid response";

/** A service that refuses the request with this status. */
const refused = (status: number, ...says: string[]): ServiceFault => ({
  what: `${status}`,
  arrange: plays(refusal(status)),
  requests: 1,
  afterwards: "nothing",
  says: [`returned ${status}: [redacted]`, ...says],
});

export const serviceFaults: readonly ServiceFault[] = [
  {
    what: "a refused connection",
    arrange: refuses,
    requests: 0,
    afterwards: "nothing",
    says: [
      "refused the connection (ECONNREFUSED)",
      "4 attempts failed",
      "Check whether the service runs and whether serviceUrl is correct.",
    ],
    announced: 3,
  },
  {
    what: "a name that does not exist",
    arrange: unresolved("ENOTFOUND"),
    requests: 0,
    afterwards: "nothing",
    says: ["cannot be resolved (ENOTFOUND)", "Check serviceUrl"],
  },
  {
    what: "a resolver that fails",
    arrange: unresolved("EAI_AGAIN"),
    requests: 0,
    afterwards: "nothing",
    says: ["cannot be resolved: DNS failed (EAI_AGAIN)", "4 attempts failed", "Check the DNS configuration of this machine"],
    announced: 3,
  },
  {
    what: "a self-signed certificate",
    arrange: shows(selfSigned),
    requests: 0,
    connections: 1,
    afterwards: "nothing",
    says: ["has an untrusted TLS certificate (DEPTH_ZERO_SELF_SIGNED_CERT)", "serviceCaCert"],
  },
  {
    what: "HTTP instead of HTTPS",
    arrange: wrongScheme("https"),
    requests: 0,
    connections: 1,
    afterwards: "nothing",
    says: ["does not use the protocol of serviceUrl", "must begin with http:// or https://"],
  },
  {
    what: "HTTPS instead of HTTP",
    arrange: wrongScheme("http"),
    requests: 0,
    connections: 1,
    afterwards: "unknown",
    says: [broke, log],
  },
  { what: "a reset after the request", arrange: plays("reset"), requests: 1, afterwards: "unknown", says: [broke, log] },
  { what: "a response that is not HTTP", arrange: plays("SSH-2.0-OpenSSH\r\n"), requests: 1, afterwards: "unknown", says: [broke, log] },
  {
    what: "no response",
    arrange: plays("silent"),
    requests: 1,
    afterwards: "unknown",
    says: ["did not respond within 15 s", "overloaded"],
  },
  { what: "200 whose body does not end", arrange: plays(endless), requests: 1, afterwards: "registered", says: [] },
  { what: "307 to the same origin", arrange: plays(to(307, "/new"), ok), requests: 2, afterwards: "registered", says: [] },
  {
    what: "307 to another origin",
    arrange: redirectsElsewhere((address) => to(307, address)),
    requests: 1,
    afterwards: "nothing",
    says: ["which is not followed because the request contains keys", "set serviceUrl to its new base address"],
  },
  {
    what: "303 to the same origin",
    arrange: plays(to(303, "/new"), ok),
    requests: 1,
    afterwards: "unknown",
    says: ["which is not followed because the request contains keys", log],
  },
  {
    what: "endless redirects",
    arrange: plays(to(307, "/again")),
    requests: 4,
    afterwards: "nothing",
    says: ["after 3 redirects", "Check the redirects of the service"],
  },
  {
    what: "400 with 100 MB in gzip",
    arrange: plays(bombed),
    requests: 1,
    afterwards: "nothing",
    says: ["returned 400", "rejected a field of the connection. Check platformName, metricsUrl"],
  },
  refused(401, "Set a valid key: npx pulumi config set --secret llm-observability:serviceApiKey"),
  refused(404, "no registration endpoint. Set serviceUrl"),
  refused(409, "has a conflicting connection"),
  refused(413, "rejected the request. See its documentation"),
  {
    what: "429 for a second, then success",
    arrange: plays(back(429, "1"), ok),
    requests: 2,
    afterwards: "registered",
    says: ["returned 429: [redacted]; retrying in 1 s (attempt 2 of 4)"],
    announced: 1,
  },
  {
    what: "429 for all attempts",
    arrange: plays(refusal(429)),
    requests: 4,
    afterwards: "nothing",
    says: ["returned 429: [redacted]", "4 attempts failed", wait],
    announced: 3,
  },
  {
    what: "429 for a number of 400 digits",
    arrange: plays(back(429, "9".repeat(400))),
    requests: 1,
    afterwards: "nothing",
    says: ["start in 9007199254741 s, after the time limit", wait],
  },
  {
    what: "503 for a second, for all attempts",
    arrange: plays(back(503, "1")),
    requests: 4,
    afterwards: "nothing",
    says: ["returned 503: [redacted]", "4 attempts failed", log],
    announced: 3,
  },
  { what: "500 with the request as a page", arrange: plays(page), requests: 1, afterwards: "unknown", says: ["returned 500", log] },
  {
    what: "a proxy that refuses connections",
    arrange: behindProxy("https", "connection"),
    requests: 0,
    afterwards: "nothing",
    says: ["the proxy", "refused the connection", "4 attempts failed", "HTTPS_PROXY"],
    announced: 3,
  },
  {
    what: "a proxy that requires a password",
    arrange: behindProxy("http", 407),
    requests: 0,
    afterwards: "nothing",
    says: ["the configured proxy refused the tunnel", "HTTPS_PROXY"],
  },
];
