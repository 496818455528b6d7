/** The exchange over real sockets: the requests, the retries and the messages. `outcome.test.ts` has the classification of each failure. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Limits, registerConnection } from "../../../src/connection/exchange";
import type { ConnectionBody, Registration } from "../../../src/connection/registration";
import { selfSigned } from "../../support/certificate";
import { answer, closedPort, type RawServer, type Script, spellings, spellingsIn } from "../../support/raw-server";
import { serve } from "../serve";

// Characters that JSON, addresses and base64 encode differently, so that no encoding equals another one.
const serviceApiKey = 'svc "key"\\%&+/1';
const metrics = { MetricsUrl: "https://metrics.example.com/write?a=b&c=d", MetricsUsername: "123 Zoë" };
const logs = { LogsUrl: "https://logs.example.com/push", LogsUsername: "234" };
const body: ConnectionBody = { Platform: "grafana", ...metrics, ...logs, ApiKey: 'plt "key"\\%&+/é\n2' };
const secrets = [serviceApiKey, body.ApiKey];
const keyCommand = "npx pulumi config set --secret llm-observability:serviceApiKey";

// Long enough for a busy machine; tests that wait for the limit set a shorter one.
const limits: Limits = { attempt: 3_000, total: 4_000, attempts: 3, backoff: 100 };
const short: Partial<Limits> = { attempt: 500 };

const states = { nothing: "The connection was not registered.", unknown: "The service may have registered the connection" };
type State = keyof typeof states;

/** An error response that repeats both keys in every encoding. */
const echo = JSON.stringify({ message: `no: ${secrets.flatMap((secret) => Object.values(spellings(secret))).join(" ")}` });
const ok = answer(200);

/** Registers at `url`, and returns the error message, if any, and the progress lines. No output may contain a key. */
async function register(url: string, special: Partial<Limits> = {}) {
  const registration: Registration = { endpoint: `${url}/api/connections`, serviceApiKey, keyCommand, body };
  const lines: string[] = [];
  const message = await registerConnection(registration, { ...limits, ...special }, (line) => lines.push(line)).then(
    () => undefined,
    (error: Error) => error.message,
  );
  expect(spellingsIn([message, ...lines].join("\n"), secrets)).toEqual([]);
  return { endpoint: registration.endpoint, message, lines };
}

/** A failure shows the request, the reason, whether the connection is registered, and a fix. */
function expectFailure({ endpoint, message = "registered" }: Awaited<ReturnType<typeof register>>, state: State, ...parts: string[]): void {
  expect(message).toContain(`POST ${endpoint} failed: `);
  expect(message).toContain(states[state]);
  expect(message).not.toContain(states[state === "nothing" ? "unknown" : "nothing"]);
  for (const part of parts) expect(message).toContain(part);
}

/** The same request, apart from its path. */
function expectRepeated([first, second]: RawServer["requests"]): void {
  expect([second?.method, second?.headers, second?.body]).toEqual([first?.method, first?.headers, first?.body]);
}

afterEach(() => void vi.unstubAllEnvs());

it("the request is that of the spec, below a base address with a path; any 2xx is success", async () => {
  const server = await serve([answer(299, "{}")]);
  expect((await register(`${server.url}/a/prefix`)).message).toBeUndefined();
  expect(server.requests).toMatchObject([{ method: "POST", path: "/a/prefix/api/connections" }]);
  expect(server.requests[0]?.headers).toContainEqual(["Authorization", serviceApiKey]);
  expect(server.requests[0]?.headers).toContainEqual(["Content-Type", "application/json"]);
  expect(JSON.parse(server.requests[0]?.body ?? "")).toStrictEqual(body);
});

it("a success is complete without the rest of an endless body", async () => {
  const server = await serve([{ now: answer(200, "", { "Content-Length": "1000000" }), drip: "x".repeat(10_000), pause: 50 }]);
  expect(await register(server.url)).toMatchObject({ message: undefined, lines: [] });
  // An unread body would keep the connection open and the process running.
  await vi.waitFor(() => expect(server.requests[0]?.closed).toBe(true), 2_000);
  expect(server.requests).toHaveLength(1);
});

const reason = "This is no key that is accepted here. ".repeat(5);
const bomb = gzipSync(Buffer.alloc(10_000_000, "a"));
const slow = { now: answer(401, reason, { "Content-Length": "10000" }), drip: "x".repeat(1_000), pause: 20 };
const compressed = Buffer.concat([Buffer.from(answer(401, "", { "Content-Encoding": "gzip", "Content-Length": "9999" })), bomb]);
const to = (status: number, location: string) => answer(status, echo, { Location: location });
const log = "Check the service's log, then run `pulumi up` again.";
const moved = "If the service moved, set serviceUrl to its new base address.";
const unfollowed = (status: number, to = "") =>
  `ORIGIN returned ${status}, a redirect${to}, which is not followed because the request contains keys`;

it.each<[what: string, action: Script[number], special: Partial<Limits>, State, parts: string[]]>([
  ["status 300", to(300, "/new"), {}, "unknown", ["ORIGIN returned 300: no: [redacted]", log]],
  ["an error with a slow body", slow, short, "nothing", ["returned 401: This is no key", keyCommand]],
  ["an error with a large compressed body", compressed, {}, "nothing", ["returned 401", keyCommand]],
  ["a response byte by byte", { drip: answer(200), pause: 20 }, short, "unknown", ["HOST did not respond within 0.5 s"]],
  ["no response within the total limit", "silent", { total: 1_000 }, "unknown", ["HOST did not respond within 1 s"]],
  // A client could change the method.
  ["a redirect 302", to(302, "/new"), {}, "nothing", [unfollowed(302, " to ORIGIN/new"), moved]],
  ["a redirect 303", to(303, "/new"), {}, "unknown", [unfollowed(303, " to ORIGIN/new"), log]],
  ["a redirect with a password", to(307, "http://user:canary@HOST/new"), {}, "nothing", [unfollowed(307, " to ORIGIN/new"), moved]],
  ["a redirect 307 to another path", to(307, "/new"), {}, "nothing", [unfollowed(307, " to ORIGIN/new"), moved]],
  ["a redirect to an invalid address", to(307, "http://["), {}, "nothing", [unfollowed(307), moved]],
])("the request is not repeated after %s", async (_what, action, special, state, parts) => {
  const server = await serve([]);
  const { host, origin } = new URL(server.url);
  server.follow([typeof action === "string" ? action.replace("HOST", host) : action, ok]);
  const result = await register(server.url, special);
  expectFailure(result, state, ...parts.map((part) => part.replace("HOST", host).replaceAll("ORIGIN", origin)));
  expect(result.message).not.toContain("canary");
  expect(result.lines).toEqual([]);
  expect(server.requests).toHaveLength(1);
});

describe("a service with Retry-After", () => {
  const back = (status: number, retryAfter: string) => answer(status, echo, { "Retry-After": retryAfter });

  it("receives the same request after that time", async () => {
    const server = await serve([back(503, "1"), ok]);
    const { message, lines } = await register(server.url);
    expect(message).toBeUndefined();
    expect(lines).toEqual([`${server.url} returned 503: no: [redacted]; retrying in 1 s (attempt 2 of 3)`]);
    expect(server.requests).toHaveLength(2);
    expect((server.requests[1]?.at ?? 0) - (server.requests[0]?.at ?? 0)).toBeGreaterThanOrEqual(950);
    expectRepeated(server.requests);
  });

  it("receives as many retries as the limits allow, with doubling pauses", async () => {
    const server = await serve([answer(429, echo)]);
    const result = await register(server.url);
    expectFailure(result, "nothing", `${server.url} returned 429`, "3 attempts failed", "Wait, then run `pulumi up` again");
    expect(server.requests).toHaveLength(3);
    const pauses = ["retrying in 0.1 s (attempt 2 of 3)", "retrying in 0.2 s (attempt 3 of 3)"];
    expect(result.lines).toEqual(pauses.map((pause) => expect.stringContaining(pause)));
  });

  it("receives no retry after the total limit", async () => {
    const server = await serve([answer(429, echo)]);
    const result = await register(server.url, { total: 3_600, attempts: 100, backoff: 300 });
    expectFailure(result, "nothing", "4 attempts failed", "start in 2.4 s, after the time limit");
    expect(server.requests).toHaveLength(4);
  });

  it("receives no third request if the second may have registered", async () => {
    const server = await serve([back(503, "0"), "close", ok]);
    expectFailure(await register(server.url), "unknown", "2 attempts failed");
    expect(server.requests).toHaveLength(2);
  });
});

describe("a service that cannot be reached", () => {
  it.each([
    // Often a name with two addresses.
    ["localhost", (port: number) => `http://localhost:${port}`, "Check whether the service runs"],
    ["the proxy 127.0.0.1", () => "https://service.test", "HTTPS_PROXY"],
  ])("because %s refuses connections is retried", async (refusing, url, advice) => {
    const port = await closedPort();
    vi.stubEnv("HTTPS_PROXY", `http://127.0.0.1:${port}`);
    const result = await register(url(port));
    expectFailure(result, "nothing", `${refusing}:${port} refused the connection (ECONNREFUSED)`, "3 attempts failed", advice);
    expect(result.lines).toHaveLength(2);
  });

  it.each([
    ["https", {}, "nothing", "does not use the protocol of serviceUrl"],
    ["http", { tls: selfSigned() }, "unknown", "ended without a valid response"],
  ] as const)("because its address has the wrong scheme %s is not retried", async (scheme, options, state, cause) => {
    const server = await serve([ok], options);
    expectFailure(await register(server.url.replace(/^https?/, scheme)), state, cause, `${scheme === "http" ? "https" : "http"}://`);
    expect(server.connections).toBe(1);
  });

  it.each([
    ["the connection", (port: number) => `https://127.0.0.1:${port}`],
    ["the tunnel of the proxy", () => "https://service.test"],
  ])("because %s is not open in time is retried", async (_what, url) => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on("error", () => undefined).resume()));
    await once(silent.listen(0, "127.0.0.1"), "listening");
    const { port } = silent.address() as AddressInfo;
    vi.stubEnv("HTTPS_PROXY", `http://127.0.0.1:${port}`);
    onTestFinished(() => void silent.close());
    const result = await register(url(port), { attempt: 100, backoff: 1 });
    expectFailure(result, "nothing", "cannot be reached (CONNECT_TIMEOUT)", "3 attempts failed");
    // Nothing is left that would keep the process running.
    const ended = () => sockets.map(({ closed, destroyed, readableEnded }) => closed || destroyed || readableEnded);
    await vi.waitFor(() => expect(ended()).toEqual([true, true, true]));
  });
});
