/** The exchange over real sockets: the request and the messages. `outcome.test.ts` has the classification of each failure. */
import { createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { registerConnection } from "../../../src/connection/exchange";
import type { ConnectionBody, Registration } from "../../../src/connection/registration";
import { selfSigned } from "../../support/certificate";
import { listen } from "../../support/listen";
import { answer, closedPort, type Script, spellings, spellingsIn } from "../../support/raw-server";
import { serve } from "../serve";

// Characters that JSON, addresses and base64 encode differently, so that no encoding equals another one.
const serviceApiKey = 'svc "key"\\%&+/1';
const metrics = { MetricsUrl: "https://metrics.example.com/write?a=b&c=d", MetricsUsername: "123 Zoë" };
const logs = { LogsUrl: "https://logs.example.com/push", LogsUsername: "234" };
const body: ConnectionBody = { Platform: "grafana", ...metrics, ...logs, ApiKey: 'plt "key"\\%&+/é\n2' };
const secrets = [serviceApiKey, body.ApiKey];
const keyCommand = "npx pulumi config set --secret llm-observability:serviceApiKey";

/** Milliseconds. The usual limit is long enough for a busy machine; tests that wait for it set the short one. */
const [usual, short] = [3_000, 500];

const states = { nothing: "The connection was not registered.", unknown: "The service may have registered the connection" };
type State = keyof typeof states;

/** An error response that repeats both keys in every encoding. */
const echo = JSON.stringify({ message: `no: ${secrets.flatMap((secret) => Object.values(spellings(secret))).join(" ")}` });
const ok = answer(200);

/** Registers at `url`, and returns the error message, if any. It may contain no key. */
async function register(url: string, time = usual) {
  const registration: Registration = { endpoint: `${url}/api/connections`, serviceApiKey, keyCommand, body };
  const message = await registerConnection(registration, time).then(
    () => undefined,
    (error: Error) => error.message,
  );
  expect(spellingsIn(message ?? "", secrets)).toEqual([]);
  return { endpoint: registration.endpoint, message };
}

/** A failure shows the request, the reason, whether the connection is registered, and a fix. */
function expectFailure({ endpoint, message = "registered" }: Awaited<ReturnType<typeof register>>, state: State, ...parts: string[]): void {
  expect(message).toContain(`POST ${endpoint} failed: `);
  expect(message).toContain(states[state]);
  expect(message).not.toContain(states[state === "nothing" ? "unknown" : "nothing"]);
  for (const part of parts) expect(message).toContain(part);
}

afterEach(() => void vi.unstubAllEnvs());

// The key and the body: see `provider.test.ts`.
it("the request is JSON, below a base address with a path; any 2xx is success", async () => {
  const server = await serve([answer(299, "{}")]);
  expect((await register(`${server.url}/a/prefix`)).message).toBeUndefined();
  expect(server.requests).toMatchObject([{ method: "POST", path: "/a/prefix/api/connections" }]);
  expect(server.requests[0]?.headers).toContainEqual(["Content-Type", "application/json"]);
});

it("a success is complete without the rest of an endless body", async () => {
  const server = await serve([{ now: answer(200, "", { "Content-Length": "1000000" }), drip: "x".repeat(10_000), pause: 50 }]);
  expect(await register(server.url)).toMatchObject({ message: undefined });
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

it.each<[what: string, action: Script[number], time: number, State, parts: string[]]>([
  ["status 300", to(300, "/new"), usual, "unknown", ["ORIGIN returned 300: no: [redacted]", log]],
  ["an error with a slow body", slow, short, "nothing", ["returned 401: This is no key", keyCommand]],
  ["an error with a large compressed body", compressed, usual, "nothing", ["returned 401", keyCommand]],
  ["a response byte by byte", { drip: answer(200), pause: 20 }, short, "unknown", ["HOST did not respond within 0.5 s"]],
  ["no response", "silent", short, "unknown", ["HOST did not respond within 0.5 s"]],
  // A client could change the method.
  ["a redirect 302", to(302, "/new"), usual, "nothing", [unfollowed(302, " to ORIGIN/new"), moved]],
  ["a redirect 303", to(303, "/new"), usual, "unknown", [unfollowed(303, " to ORIGIN/new"), log]],
  ["a redirect with a password", to(307, "http://user:canary@HOST/new"), usual, "nothing", [unfollowed(307, " to ORIGIN/new"), moved]],
  ["a redirect 307 to another path", to(307, "/new"), usual, "nothing", [unfollowed(307, " to ORIGIN/new"), moved]],
  ["a redirect to an invalid address", to(307, "http://["), usual, "nothing", [unfollowed(307), moved]],
  ["too many requests", answer(429, echo, { "Retry-After": "0" }), usual, "nothing", ["ORIGIN returned 429: no: [redacted]"]],
  ["no connection", "close", usual, "unknown", ["ended without a valid response"]],
])("the request is not repeated after %s", async (_what, action, time, state, parts) => {
  const server = await serve([]);
  const { host, origin } = new URL(server.url);
  server.follow([typeof action === "string" ? action.replace("HOST", host) : action, ok]);
  const result = await register(server.url, time);
  expectFailure(result, state, ...parts.map((part) => part.replace("HOST", host).replaceAll("ORIGIN", origin)));
  expect(result.message).not.toContain("canary");
  expect(server.requests).toHaveLength(1);
});

describe("a service that cannot be reached", () => {
  it.each([
    // Often a name with two addresses.
    ["localhost", (port: number) => `http://localhost:${port}`, "Check whether the service runs"],
    ["the proxy 127.0.0.1", () => "https://service.test", "HTTPS_PROXY"],
  ])("because %s refuses connections", async (refusing, url, advice) => {
    const port = await closedPort();
    vi.stubEnv("HTTPS_PROXY", `http://127.0.0.1:${port}`);
    const result = await register(url(port));
    expectFailure(result, "nothing", `${refusing}:${port} refused the connection (ECONNREFUSED)`, advice);
  });

  it.each([
    ["https", {}, "nothing", "does not use the protocol of serviceUrl"],
    ["http", { tls: selfSigned() }, "unknown", "ended without a valid response"],
  ] as const)("because its address has the wrong scheme %s", async (scheme, options, state, cause) => {
    const server = await serve([ok], options);
    expectFailure(await register(server.url.replace(/^https?/, scheme)), state, cause, `${scheme === "http" ? "https" : "http"}://`);
    expect(server.connections).toBe(1);
  });

  it.each([
    ["the connection", (address: string) => address.replace("http", "https")],
    ["the tunnel of the proxy", () => "https://service.test"],
  ])("because %s is not open in time", async (_what, url) => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on("error", () => undefined).resume()));
    const address = await listen(silent);
    vi.stubEnv("HTTPS_PROXY", address);
    onTestFinished(() => void silent.close());
    const result = await register(url(address), 100);
    expectFailure(result, "nothing", "cannot be reached (CONNECT_TIMEOUT)");
    // Nothing is left that would keep the process running.
    const ended = () => sockets.map(({ closed, destroyed, readableEnded }) => closed || destroyed || readableEnded);
    await vi.waitFor(() => expect(ended()).toEqual([true]));
  });
});
