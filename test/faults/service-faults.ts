/** The faults of a service, or of the network in front of it, during a registration, and the expected results. */
import { gzipSync } from "node:zlib";
import { selfSigned } from "../support/certificate";
import { answer, type RawRequest, spellings } from "../support/raw-server";
import { type Arrange, behindProxy, ok, plays, playsBeside, refuses, resetMidway, shows, unresolved, wrongScheme } from "./service/arrange";

/** Characters that JSON, addresses and base64 encode differently, so that no encoding equals another one. */
export const keys = { service: 'svc "key"\\%&+/1', platform: 'plt "key"\\%&+/é2' };

/** Whether the connection is registered after the last attempt. */
export type Afterwards = "registered" | "nothing" | "unknown";

/** The common results of rows with the same behavior. */
export interface Line {
  /** The complete requests that a server reads. */
  requests: number;
  /** The opened connections, if there is no request: they show that there was no retry. */
  connections?: number;
  afterwards: Afterwards;
  /** Parts of the error, or of the progress lines if the registration succeeds. */
  says?: string[];
  /** The number of announced retries. */
  announced?: number;
}

export interface ServiceFault extends Line {
  what: string;
  says: string[];
  announced: number;
  arrange: Arrange;
}

type Row = [what: string, arrange: Arrange, ...says: string[]];

function line(_behavior: string, { says = [], announced = 0, ...common }: Line, rows: Row[]): ServiceFault[] {
  return rows.map(([what, arrange, ...more]) => ({ ...common, what, arrange, says: [...says, ...more], announced }));
}

/** An error response that repeats both keys in every encoding. */
const echo = JSON.stringify({
  message: `no: ${Object.values(keys)
    .flatMap((key) => Object.values(spellings(key)))
    .join(" ")}`,
});
const refusal = (status: number, headers: Record<string, string> = {}) => answer(status, echo, headers);
const back = (status: number, time: string) => refusal(status, { "Retry-After": time });
const inTwoSeconds = () => back(429, new Date(Date.now() + 2_000).toUTCString());
const to = (status: number, address: string) => refusal(status, { Location: `${address}/${encodeURIComponent(keys.service)}` });
const hostOf = ({ headers }: RawRequest) => headers.find(([name]) => name.toLowerCase() === "host")?.[1];
const statuses = (...all: number[]): Row[] => all.map((status) => [`${status}`, plays(refusal(status)), `returned ${status}: [redacted]`]);

const html = { "Content-Type": "text/html" };
const json = { "Content-Type": "application/json" };
const bomb = gzipSync(Buffer.alloc(100_000_000, "a"));
const bombed = Buffer.concat([Buffer.from(answer(400, "", { "Content-Encoding": "gzip", "Content-Length": String(bomb.length) })), bomb]);
const large = answer(200, "x".repeat(50_000_000));

const log = "Check the service's log, then run `pulumi up` again.";
const wait = "The service limits requests. Wait, then run `pulumi up` again.";
const broke = "ended without a valid response";
const untrusted = "has an untrusted TLS certificate";
const notFollowed = ["which is not followed because the request contains keys", "set serviceUrl to its new base address"];

export const serviceFaults: readonly ServiceFault[] = [
  ...line("the connection is refused", { requests: 0, afterwards: "nothing", says: ["4 attempts failed"], announced: 3 }, [
    [
      "a refused connection",
      refuses(),
      "refused the connection (ECONNREFUSED)",
      "Check whether the service runs and whether serviceUrl is correct.",
    ],
  ]),
  ...line("the connection is refused, then accepted", { requests: 1, afterwards: "registered", announced: 1 }, [
    ["a refused connection, then an accepted one", refuses({ comesUp: true }), "refused the connection (ECONNREFUSED); retrying in 1 s"],
  ]),
  ...line("the name cannot be resolved", { requests: 0, afterwards: "nothing" }, [
    ["a name that does not exist", unresolved("ENOTFOUND"), "cannot be resolved (ENOTFOUND)", "Check serviceUrl"],
  ]),
  ...line("DNS fails", { requests: 0, afterwards: "nothing", says: ["4 attempts failed"], announced: 3 }, [
    [
      "a resolver that fails",
      unresolved("EAI_AGAIN"),
      "cannot be resolved: DNS failed (EAI_AGAIN)",
      "Check the DNS configuration of this machine",
    ],
  ]),
  ...line(
    "a certificate that is self-signed, expired, or for another host",
    { requests: 0, connections: 1, afterwards: "nothing", says: [untrusted, "serviceCaCert"] },
    [
      ["a self-signed certificate", shows(selfSigned), "(DEPTH_ZERO_SELF_SIGNED_CERT)"],
      ["an expired certificate", shows(({ authority }) => authority.issue({ expired: true })), "(CERT_HAS_EXPIRED)"],
      [
        "a certificate for another host",
        shows(({ authority }) => authority.issue({ names: "DNS:other.test" })),
        "(ERR_TLS_CERT_ALTNAME_INVALID)",
      ],
    ],
  ),
  ...line("plain HTTP, but `serviceUrl` starts with `https`", { requests: 0, connections: 1, afterwards: "nothing" }, [
    ["HTTP instead of HTTPS", wrongScheme("https"), "does not use the protocol of serviceUrl", "must begin with http:// or https://"],
  ]),
  ...line(
    "TLS, but `serviceUrl` starts with `http`; a reset before or during the request",
    { requests: 0, connections: 1, afterwards: "unknown", says: [broke, log] },
    [
      ["HTTPS instead of HTTP", wrongScheme("http")],
      ["a reset before the request", plays("reset unread")],
      ["a reset during the request", resetMidway],
    ],
  ),
  ...line(
    "a reset or a closed connection after the request; an incomplete response, or one that is not HTTP",
    { requests: 1, afterwards: "unknown", says: [broke, log] },
    [
      ["a reset after the request", plays("reset")],
      ["closed without a response", plays("close")],
      ["a response that ends in its headers", plays("HTTP/1.1 200 OK\r\nContent-")],
      ["a response that is not HTTP", plays("SSH-2.0-OpenSSH\r\n")],
    ],
  ),
  ...line("no complete response within 15 s", { requests: 1, afterwards: "unknown", says: ["did not respond within 15 s", "overloaded"] }, [
    ["no response", plays("silent")],
    ["a response byte by byte", plays({ drip: ok, pause: 1_000 })],
  ]),
  ...line(
    "200 or 204 with any body: JSON, HTML, invalid, 50 MB, endless; also through a proxy",
    { requests: 1, afterwards: "registered" },
    [
      ["201 after a 100 that was not asked for", plays(`HTTP/1.1 100 Continue\r\n\r\n${answer(201)}`)],
      ["200 with JSON", plays(answer(200, '{"status":200}', json))],
      ["200 with an error in its JSON", plays(answer(200, '{"error":"no"}', json))],
      ["200 with HTML", plays(answer(200, "<h1>Welcome</h1>", html))],
      ["200 with invalid JSON", plays(answer(200, '{"status":', json))],
      ["200 with 50 MB", plays(large)],
      [
        "200 whose body does not end",
        plays({ now: answer(200, "", { "Content-Length": "1000000" }), drip: "x".repeat(10_000), pause: 50 }),
      ],
      ["204", plays(answer(204))],
    ],
  ),
  ...line("307 or 308 within the same origin", { requests: 2, afterwards: "registered" }, [
    ["307 to the same origin", plays(to(307, "/new"), ok)],
    ["308 to the same origin", plays(to(308, "/new"), ok)],
  ]),
  ...line(
    "301 or 302; a redirect to another origin, which receives no request",
    { requests: 1, afterwards: "nothing", says: notFollowed },
    [
      ["301 to the same origin", plays(to(301, "/new"), ok)],
      ["302 to the same origin", plays(to(302, "/new"), ok)],
    ],
  ),
  ...line("303", { requests: 1, afterwards: "unknown", says: ["which is not followed because the request contains keys", log] }, [
    ["303 to the same origin", plays(to(303, "/new"), ok)],
  ]),
  ...line(
    "301 or 302; a redirect to another origin, which receives no request",
    { requests: 1, afterwards: "nothing", says: notFollowed },
    [
      ...[301, 302, 307, 308].map((status): Row => [`${status} to another origin`, playsBeside((other) => [to(status, other.url), ok])]),
      ["308 to HTTPS on the same host", plays((request) => to(308, `https://${hostOf(request)}`), ok)],
    ],
  ),
  ...line("a redirect loop", { requests: 4, afterwards: "nothing", says: ["after 3 redirects", "Check the redirects of the service"] }, [
    ["endless redirects", plays(to(307, "/again"))],
  ]),
  ...line(
    "400 or 422",
    { requests: 1, afterwards: "nothing", says: ["rejected a field of the connection. Check platformName, metricsUrl"] },
    [...statuses(400, 422), ["400 with 100 MB in gzip", plays(bombed), "returned 400"]],
  ),
  ...line(
    "401 or 403",
    { requests: 1, afterwards: "nothing", says: ["Set a valid key: npx pulumi config set --secret llm-observability:serviceApiKey"] },
    statuses(401, 403),
  ),
  ...line("404 or 405", { requests: 1, afterwards: "nothing", says: ["no registration endpoint. Set serviceUrl"] }, statuses(404, 405)),
  ...line("409", { requests: 1, afterwards: "nothing", says: ["has a conflicting connection"] }, statuses(409)),
  ...line("413 or 415", { requests: 1, afterwards: "nothing", says: ["rejected the request. See its documentation"] }, statuses(413, 415)),
  ...line("429, or 502, 503 or 504 with `Retry-After`, then success", { requests: 2, afterwards: "registered", announced: 1 }, [
    ["429 for a second, then success", plays(back(429, "1"), ok), "returned 429: [redacted]", "retrying in 1 s (attempt 2 of 4)"],
    ["429 until a date, then success", plays(inTwoSeconds, ok), "returned 429"],
    ["429 without a time, then success", plays(refusal(429), ok), "retrying in 1 s (attempt 2 of 4)"],
    ...[502, 503, 504].map((status): Row => [`${status} for a second, then success`, plays(back(status, "1"), ok), `returned ${status}`]),
  ]),
  ...line("429 for all attempts", { requests: 4, afterwards: "nothing", says: ["4 attempts failed", wait], announced: 3 }, [
    ["429 without a time, for all attempts", plays(refusal(429)), "returned 429"],
  ]),
  ...line("429 with a `Retry-After` beyond the time limit", { requests: 1, afterwards: "nothing", says: ["after the time limit", wait] }, [
    ["429 for three thousand years", plays(back(429, "99999999999"))],
    ["429 until the year 9999", plays(back(429, new Date("9999-01-01").toUTCString()))],
    ["429 for a number of 400 digits", plays(back(429, "9".repeat(400))), "start in 9007199254741 s"],
  ]),
  ...line(
    "503 with `Retry-After` for all attempts",
    { requests: 4, afterwards: "nothing", says: ["4 attempts failed", log], announced: 3 },
    [["503 for a second, for all attempts", plays(back(503, "1")), "returned 503"]],
  ),
  ...line("304; 500, 502, 503 or 504 without `Retry-After`", { requests: 1, afterwards: "unknown", says: [log] }, [
    ["304", plays(answer(304)), "returned 304"],
    ...statuses(500, 502, 503, 504),
    ["500 with a time", plays(back(500, "0"), ok), "returned 500"],
    ["503 with an invalid time", plays(back(503, "soon"), ok), "returned 503"],
  ]),
  ...line(
    "200 or 204 with any body: JSON, HTML, invalid, 50 MB, endless; also through a proxy",
    { requests: 1, afterwards: "registered" },
    [
      ["a proxy to HTTP", behindProxy("http")],
      ["a proxy to HTTPS", behindProxy("https")],
    ],
  ),
  ...line("the proxy refuses the connection", { requests: 0, afterwards: "nothing", says: ["4 attempts failed"], announced: 3 }, [
    ["a proxy that refuses connections", behindProxy("https", "connection"), "the proxy", "refused the connection", "HTTPS_PROXY"],
  ]),
  ...line(
    "the proxy refuses the tunnel",
    { requests: 0, afterwards: "nothing", says: ["the configured proxy refused the tunnel", "HTTPS_PROXY"] },
    [
      ["a proxy that requires a password", behindProxy("https", 407)],
      ["a proxy that forbids it", behindProxy("https", 403)],
      ["a proxy that cannot resolve the name", behindProxy("https", 502)],
      ["a proxy to HTTP that requires a password", behindProxy("http", 407)],
    ],
  ),
];
