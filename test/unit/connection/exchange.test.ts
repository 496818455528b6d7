/** The exchange over real sockets: how often a request is sent, what is in it, and what a person reads when it fails. */
import dns from "node:dns";
import { createRequire } from "node:module";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type ConnectionBody, type Limits, type Registration, registerConnection } from "../../../src/connection/exchange";
import { selfSigned } from "../certificate";
import { answer, closedPort, type RawServer, type RawServerOptions, spellings, spellingsIn, startRawServer } from "../raw-server";

/** The library as the exchange requires it. */
const undici = createRequire(__filename)("undici") as typeof import("undici");

// Characters that JSON, addresses and base64 spell differently, so that no spelling stands in for another one.
const serviceApiKey = 'svc "key"\\%&+/1';
const body: ConnectionBody = {
  Platform: "grafana",
  MetricsUrl: "https://metrics.example.net/write?a=b&c=d",
  MetricsUsername: "123 Zoë",
  LogsUrl: "https://logs.example.net/push",
  LogsUsername: "234",
  ApiKey: 'plt "key"\\%&+/é\n2',
};
const secrets = [serviceApiKey, body.ApiKey];
const keyCommand = "npx pulumi config set --secret llm-observability:serviceApiKey";

// An attempt has time enough on a busy machine; rows that wait for its end set a shorter one.
const limits: Limits = { attempt: 3_000, total: 4_000, attempts: 3, backoff: 100 };
const short: Partial<Limits> = { attempt: 200 };

const states = {
  nothing: "Nothing was registered.",
  unknown: "It is not known whether the service registered the connection",
};
type State = keyof typeof states;

/** A refusal as unkind as can be: it hands both keys back in every spelling. */
const echo = JSON.stringify({ message: `no: ${secrets.flatMap((secret) => Object.values(spellings(secret))).join(" ")}` });
const ok = answer(200);

type Script = Parameters<typeof startRawServer>[0];

/** A server for one test. Concurrent tests hand in the `onTestFinished` of their own context. */
async function serve(script: Script, options?: RawServerOptions, finished = onTestFinished): Promise<RawServer> {
  const server = await startRawServer(script, options);
  finished(() => server.close());
  return server;
}

interface Result {
  endpoint: string;
  /** The error's text; undefined where the connection was registered. */
  message: string | undefined;
  /** Progress, line by line. */
  lines: string[];
}

/** Registers at `url`. Whatever comes of it, neither key shows. */
async function register(
  url: string,
  special: Partial<Limits> = {},
  onLine: () => void = () => undefined,
  caCert?: string,
): Promise<Result> {
  const registration: Registration = { endpoint: `${url}/api/connections`, serviceApiKey, keyCommand, body, caCert };
  const lines: string[] = [];
  const say = (line: string) => {
    lines.push(line);
    onLine();
  };
  const message = await registerConnection(registration, { ...limits, ...special }, say).then(
    () => undefined,
    (error: Error) => error.message,
  );
  expect(spellingsIn([message, ...lines].join("\n"), secrets)).toEqual([]);
  return { endpoint: registration.endpoint, message, lines };
}

/** A failure says what happened, what was asked of whom, whether anything was registered, and what to try. */
function expectFailure({ endpoint, message = "registered" }: Result, state: State, ...parts: string[]): void {
  expect(message).toContain(`POST ${endpoint} failed: `);
  expect(message).toContain(states[state]);
  expect(message).not.toContain(states[state === "nothing" ? "unknown" : "nothing"]);
  for (const part of parts) expect(message).toContain(part);
}

function headersNamed(server: RawServer, name: string): string[] {
  return (server.requests[0]?.headers ?? []).filter(([header]) => header.toLowerCase() === name).map(([, value]) => value);
}

/** What all requests of one intent have in common. */
const essence = (server: RawServer) =>
  server.requests.map(({ method, body, headers }) => ({
    method,
    body,
    headers: headers.filter(([name]) => /^(authorization|content-type)$/i.test(name)),
  }));

describe("the request", () => {
  it.each(["", "/a/prefix"])("is the one of the spec, at a base address that ends in '%s'", async (prefix) => {
    const server = await serve([ok]);
    expect((await register(server.url + prefix)).message).toBeUndefined();
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({ method: "POST", path: `${prefix}/api/connections` });
    expect(headersNamed(server, "authorization")).toEqual([serviceApiKey]);
    expect(headersNamed(server, "content-type")).toEqual(["application/json"]);
    expect(JSON.parse(server.requests[0]?.body ?? "")).toStrictEqual(body);
  });
});

describe("success is any 2xx, whatever its body holds, at the first request", () => {
  const rows: [name: string, answer: Script[number]][] = [
    ["200 with JSON", answer(200, '{"status":200}', { "Content-Type": "application/json" })],
    ["200 with an error in its JSON", answer(200, '{"error":"no"}', { "Content-Type": "application/json" })],
    ["200 with HTML", answer(200, "<h1>Welcome</h1>", { "Content-Type": "text/html" })],
    ["200 with broken JSON", answer(200, '{"status":', { "Content-Type": "application/json" })],
    ["200 whose body breaks off", answer(200, "half", { "Content-Length": "100" })],
    ["200 whose compressed body is none", answer(200, "plain", { "Content-Encoding": "gzip" })],
    ["200 whose body does not end", { now: answer(200, "", { "Content-Length": "1000000" }), drip: "x".repeat(10_000), pause: 50 }],
    ["200 with an invitation to come back", answer(200, "", { "Retry-After": "0" })],
    ["201", answer(201, "{}")],
    ["202", answer(202)],
    ["204", answer(204)],
  ];
  it.concurrent.for(rows)("%s", async ([, action], context) => {
    const server = await serve([action], {}, context.onTestFinished);
    expect(await register(server.url)).toMatchObject({ message: undefined, lines: [] });
    // An unread body would keep the connection, and with it the process.
    await vi.waitFor(() => expect(server.requests[0]?.closed).toBe(true), 2_000);
    expect(server.requests).toHaveLength(1);
  });
});

describe("a refusal", () => {
  const fields = "check platform, metricsUrl, metricsUsername, logsUrl, logsUsername and platformApiKey";
  const log = "Look at the service's own log";
  const rows: [status: number, state: State, advice: string][] = [
    [400, "nothing", fields],
    [422, "nothing", fields],
    [401, "nothing", `Set the right one: ${keyCommand}`],
    [403, "nothing", `Set the right one: ${keyCommand}`],
    [404, "nothing", "check serviceUrl"],
    [405, "nothing", "check serviceUrl"],
    [409, "nothing", "conflicts"],
    [413, "nothing", "refused the request"],
    [415, "nothing", "refused the request"],
    [500, "unknown", log],
    [501, "unknown", log],
    [502, "unknown", log],
    [503, "unknown", log],
    [504, "unknown", log],
  ];
  it.each(rows)("%i is final: %s", async (status, state, advice) => {
    const server = await serve([answer(status, echo)]);
    const result = await register(server.url);
    expectFailure(result, state, `${server.url} answered ${status}: no: [secret]`, advice);
    expect(result.lines).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  it("by 500 is final also where it names a time to come back", async () => {
    const server = await serve([answer(500, echo, { "Retry-After": "0" })]);
    expectFailure(await register(server.url), "unknown", "answered 500");
    expect(server.requests).toHaveLength(1);
  });

  it("is known by its status where the body does not come in time", async () => {
    const begun = answer(401, "This is no key that is accepted here. ".repeat(5), { "Content-Length": "10000" });
    const server = await serve([{ now: begun, drip: "x".repeat(1_000), pause: 20 }]);
    expectFailure(await register(server.url, short), "nothing", "answered 401: This is no key", keyCommand);
    expect(server.requests).toHaveLength(1);
  });
});

describe("a service that says when to come back", () => {
  const inTwoSeconds = () => answer(429, echo, { "Retry-After": new Date(Date.now() + 2_000).toUTCString() });
  const back = (status: number, retryAfter: string) => answer(status, echo, { "Retry-After": retryAfter });

  it.concurrent.for([
    ["429, seconds", back(429, "1")],
    // The header has no fractions of a second: a date two seconds away is at least one away.
    ["429, a date", inTwoSeconds],
    ["502, seconds", back(502, "1")],
    ["503, seconds", back(503, "1")],
    ["504, seconds", back(504, "1")],
    ["503, a date", () => inTwoSeconds().replace("429", "503")],
  ] as const)("is asked again, and not sooner: %s", async ([, action], context) => {
    const server = await serve([action, ok], {}, context.onTestFinished);
    const { message, lines } = await register(server.url);
    expect(message).toBeUndefined();
    expect(lines).toEqual([expect.stringMatching(/answered \d+: no: \[secret\].*; trying again in [12](\.\d)? s \(attempt 2 of 3\)$/)]);
    expect(server.requests).toHaveLength(2);
    const [first, second] = server.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(950);
    expect(essence(server)[1]).toEqual(essence(server)[0]);
  });

  it.each([
    ["a date that has passed", "Thu, 01 Jan 2015 00:00:00 GMT", "0 s"],
    ["no time", "soon", "0.1 s"],
    ["an empty text", "", "0.1 s"],
    ["a negative number", "-1", "0.1 s"],
    ["a fraction", "1.5", "0.1 s"],
  ])("with 429 and %s is asked again after that or our own pause", async (_name, retryAfter, pause) => {
    const server = await serve([back(429, retryAfter), ok]);
    const { message, lines } = await register(server.url);
    expect(message).toBeUndefined();
    expect(lines).toEqual([expect.stringContaining(`trying again in ${pause} (attempt 2 of 3)`)]);
    expect(server.requests).toHaveLength(2);
  });

  // Only a time that was really named says that a gateway did not pass the request on.
  it.each(["soon", "", "-1", "1.5", "garbage 1", "Thu, 01 Jan 2015 00:00:00"])(
    "with 503 and '%s' is not asked again",
    async (retryAfter) => {
      const server = await serve([back(503, retryAfter), ok]);
      expectFailure(await register(server.url), "unknown", "answered 503");
      expect(server.requests).toHaveLength(1);
    },
  );

  it.each([
    ["seconds", "99999999999", "99999999999 s"],
    ["a number without bounds", "9".repeat(400), ""],
    ["a date", new Date("9999-01-01").toUTCString(), ""],
  ])("in times to come is not waited for: %s", async (_name, retryAfter, shown) => {
    const server = await serve([back(429, retryAfter)]);
    const result = await register(server.url);
    expectFailure(result, "nothing", `The next one would be due in ${shown}`, "too long to wait here", "wait, then run `pulumi up` again");
    expect(server.requests).toHaveLength(1);
  });

  it("is asked as often as the limits allow, with pauses that double", async () => {
    const server = await serve([answer(429, echo)]);
    const result = await register(server.url);
    expectFailure(result, "nothing", `${server.url} answered 429`, "3 attempts were made", "wait, then run `pulumi up` again");
    expect(server.requests).toHaveLength(3);
    expect(result.lines).toEqual([
      expect.stringContaining("trying again in 0.1 s (attempt 2 of 3)"),
      expect.stringContaining("trying again in 0.2 s (attempt 3 of 3)"),
    ]);
  });

  it("is not asked past the total limit", async () => {
    const server = await serve([answer(429, echo)]);
    const result = await register(server.url, { total: 1_200, attempts: 100 });
    expectFailure(result, "nothing", "4 attempts were made", "due in 0.8 s, too long to wait here");
    expect(server.requests).toHaveLength(4);
  });

  it("and then fails in a way that may have registered is not asked a third time", async () => {
    const server = await serve([back(503, "0"), "close", ok]);
    expectFailure(await register(server.url), "unknown", "2 attempts were made");
    expect(server.requests).toHaveLength(2);
  });
});

describe("a connection that breaks", () => {
  const broke = "broke before an answer came";
  it.each([
    ["reset before the request was read", "reset unread", 0, broke, {}],
    ["reset after the request", "reset", 1, broke, {}],
    ["closed without an answer", "close", 1, broke, {}],
    ["silence", "silent", 1, "did not answer within 0.2 s", short],
    ["an answer that drips past the limit", { drip: answer(200), pause: 20 }, 1, "did not answer within 0.2 s", short],
    ["silence past the total limit", "silent", 1, "did not answer within 0.2 s", { total: 200 }],
    ["an answer that breaks off in its headers", "HTTP/1.1 200 OK\r\nContent-", 1, broke, {}],
    ["an answer that is not HTTP", "SSH-2.0-OpenSSH\r\n", 1, broke, {}],
  ] as const)("may have registered, so it is not made again: %s", async (_name, action, requests, happened, special) => {
    const server = await serve([action, ok]);
    const result = await register(server.url, special);
    expectFailure(result, "unknown", `${new URL(server.url).host}`, happened, "then run `pulumi up` again");
    expect(result.lines).toEqual([]);
    expect(server.requests).toHaveLength(requests);
  });
});

describe("a service that cannot be reached", () => {
  const refused = ["refused the connection (ECONNREFUSED)", "3 attempts were made", "Check that the service runs"];

  it.each(["127.0.0.1", "localhost"])("because it refuses connections at %s is tried again", async (host) => {
    const result = await register(`http://${host}:${await closedPort()}`);
    expectFailure(result, "nothing", ...refused);
    expect(result.lines).toHaveLength(2);
  });

  it("succeeds when it starts to listen meanwhile", async () => {
    const port = await closedPort();
    let late: Promise<RawServer> | undefined;
    const { message, lines } = await register(`http://127.0.0.1:${port}`, {}, () => {
      late ??= serve([ok], { port });
    });
    expect(message).toBeUndefined();
    expect(lines.length).toBeGreaterThan(0);
    expect((await late)?.connections).toBe(1);
  });

  // The resolver of the machine that runs the tests may be slow, absent, or know every name.
  it.each([
    ["ENOTFOUND", 1, "is a name that does not resolve (ENOTFOUND)", "Check serviceUrl"],
    ["EAI_AGAIN", 3, "could not be looked up (EAI_AGAIN)", "Check the DNS of this machine"],
  ])("because of its name: %s", async (code, lookups, happened, advice) => {
    const lookup = vi
      .spyOn(dns, "lookup")
      .mockImplementation(((hostname: string, _options: unknown, done: (error: Error) => void) =>
        done(Object.assign(new Error(`getaddrinfo ${code} ${hostname}`), { code, hostname }))) as typeof dns.lookup);
    onTestFinished(() => lookup.mockRestore());
    expectFailure(await register("http://service.invalid"), "nothing", `service.invalid ${happened}`, advice);
    expect(lookup).toHaveBeenCalledTimes(lookups);
  });

  it("because fetch uses no such port was not reached", async () => {
    expectFailure(await register("http://127.0.0.1:6000"), "nothing", "bad port", "serviceUrl");
  });

  // Reasons that a loopback interface does not bring about, as Node's fetch reports them.
  const several = (...codes: string[]) => ({ errors: codes.map((code) => ({ code })), code: codes[0] });
  it.each([
    [{ code: "UND_ERR_CONNECT_TIMEOUT" }, 3, "nothing", "cannot be reached"],
    [{ code: "EHOSTUNREACH" }, 3, "nothing", "cannot be reached"],
    [{ code: "ENETUNREACH" }, 3, "nothing", "cannot be reached"],
    [several("ECONNREFUSED", "ECONNREFUSED"), 3, "nothing", "refused the connection"],
    [{ code: "CERT_HAS_EXPIRED" }, 1, "nothing", "certificate that is not trusted"],
    [{ code: "ERR_TLS_CERT_ALTNAME_INVALID" }, 1, "nothing", "certificate that is not trusted"],
    [{ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }, 1, "nothing", "certificate that is not trusted"],
    [{ code: "EPIPE" }, 1, "unknown", "broke before an answer came (EPIPE)"],
    [{ message: "no CERT for HOSTNAME" }, 1, "unknown", "broke before an answer came (no CERT for HOSTNAME)"],
    [{ message: `odd ${serviceApiKey}` }, 1, "unknown", "broke before an answer came (odd [secret])"],
  ] as const)("because of %o: %i requests", async (cause, requests, state, happened) => {
    const fetch = vi.spyOn(undici, "fetch").mockRejectedValue(new TypeError("fetch failed", { cause }));
    onTestFinished(() => fetch.mockRestore());
    expectFailure(await register("https://service.invalid", { backoff: 1 }), state, `service.invalid`, happened);
    expect(fetch).toHaveBeenCalledTimes(requests);
  });
});

describe("TLS", () => {
  let tls: { key: string; cert: string };
  beforeAll(() => {
    tls = selfSigned();
  });

  it("refuses a self-signed certificate before it sends anything", async () => {
    const server = await serve([ok], { tls });
    expectFailure(await register(server.url), "nothing", "certificate that is not trusted", "serviceCaCert");
    expect(server.requests).toEqual([]);
  });

  it("refuses it although the environment says not to verify", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    onTestFinished(() => void vi.unstubAllEnvs());
    const server = await serve([ok], { tls });
    expectFailure(await register(server.url), "nothing", "certificate that is not trusted");
    expect(server.requests).toEqual([]);
  });

  it("trusts the CA that it is given", async () => {
    const server = await serve([ok], { tls });
    expect((await register(server.url, {}, undefined, tls.cert)).message).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  it("against a port that speaks plain HTTP points to the address", async () => {
    const server = await serve([ok]);
    const result = await register(server.url.replace("http:", "https:"));
    expectFailure(result, "nothing", "does not speak the protocol of its address", "http:// or https://");
    expect(server.requests).toEqual([]);
  });

  // All that the client sees is a connection that closes.
  it("at a port that is spoken to in plain HTTP looks like a broken connection", async () => {
    const server = await serve([ok], { tls });
    expectFailure(await register(server.url.replace("https:", "http:")), "unknown", "broke before an answer came");
    expect(server.requests).toEqual([]);
  });
});

describe("a redirect", () => {
  const to = (status: number, location: string) => answer(status, echo, { Location: location });

  it.each([
    [307, "/new/api/connections"],
    [308, "/new/api/connections"],
    [307, "../new/api/connections?x=1"],
  ])("%i to %s, of the same origin, is followed with method, key and body", async (status, location) => {
    const server = await serve([to(status, location), ok]);
    expect((await register(server.url)).message).toBeUndefined();
    expect(server.requests.map(({ path }) => path)).toEqual(["/api/connections", location.replace("..", "")]);
    expect(essence(server)[1]).toEqual(essence(server)[0]);
    expect(essence(server)[1]?.headers).toHaveLength(2);
  });

  // Those statuses make a GET of the POST, and 303 is the usual answer to a POST that was carried out.
  it.each([
    [300, "nothing"],
    [301, "nothing"],
    [302, "nothing"],
    [303, "unknown"],
  ] as const)("%i is not followed", async (status, state) => {
    const server = await serve([to(status, "/new"), ok]);
    expectFailure(await register(server.url), state, `${server.url} answered ${status}, a redirect to ${server.url}/new`, "set serviceUrl");
    expect(server.requests).toHaveLength(1);
  });

  it.each([301, 302, 303, 307, 308])("%i to another origin reaches nobody", async (status) => {
    const other = await serve([ok]);
    const server = await serve([to(status, `${other.url}/api/connections`), ok]);
    const result = await register(server.url);
    expect(result.message).toContain(`a redirect to ${other.url}/api/connections, which is not followed with a key`);
    expect(server.requests).toHaveLength(1);
    expect(other.connections).toBe(0);
  });

  it("with a user name in its address is not followed, and does not show the password", async () => {
    const server = await serve([
      (request) => to(307, `http://user:canary@${request.headers.find(([name]) => name === "host")?.[1]}/next`),
      ok,
    ]);
    const result = await register(server.url);
    expectFailure(result, "nothing", "which is not followed");
    expect(result.message).not.toContain("canary");
    expect(server.requests).toHaveLength(1);
  });

  it("to another scheme of the same host is one to another origin", async () => {
    const server = await serve([(request) => to(308, `https://${request.headers.find(([name]) => name === "host")?.[1]}/`), ok]);
    expectFailure(await register(server.url), "nothing", "which is not followed");
    expect(server.requests).toHaveLength(1);
  });

  it("to another origin behind one of the same origin reaches nobody", async () => {
    const other = await serve([ok]);
    const server = await serve([to(307, "/next"), to(307, `${other.url}/`), ok]);
    expectFailure(await register(server.url), "nothing", `a redirect to ${other.url}/`);
    expect(server.requests).toHaveLength(2);
    expect(other.connections).toBe(0);
  });

  it("to an address that breaks the connection may have registered", async () => {
    const server = await serve([to(307, "/next"), "reset", ok]);
    expectFailure(await register(server.url), "unknown", "broke before an answer came");
    expect(server.requests).toHaveLength(2);
  });

  it("in a loop ends after three steps", async () => {
    const server = await serve([to(307, "/api/connections")]);
    expectFailure(await register(server.url), "nothing", "answered 307, a redirect");
    expect(server.requests).toHaveLength(4);
  });

  it.each([
    ["without an address", answer(307, echo)],
    ["to what is no address", to(307, "http://[")],
  ])("%s is an answer like others", async (_name, action) => {
    const server = await serve([action, ok]);
    expectFailure(await register(server.url), "nothing", "answered 307, a redirect");
    expect(server.requests).toHaveLength(1);
  });

  it("that carries a key in its address does not show it", async () => {
    const server = await serve([to(302, `https://login.example.net/${encodeURIComponent(serviceApiKey)}?back=${body.Platform}`)]);
    expectFailure(await register(server.url), "nothing", "a redirect to https://login.example.net/");
  });
});
