/** The exchange over real sockets: the requests, the retries and the messages. `outcome.test.ts` has the classification of each failure. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Limits, registerConnection } from "../../../src/connection/exchange";
import type { ConnectionBody, Registration } from "../../../src/connection/registration";
import { selfSigned } from "../../support/certificate";
import {
  answer,
  closedPort,
  type RawServer,
  type RawServerOptions,
  spellings,
  spellingsIn,
  startRawServer,
} from "../../support/raw-server";

// Characters that JSON, addresses and base64 encode differently, so that no encoding equals another one.
const serviceApiKey = 'svc "key"\\%&+/1';
const body: ConnectionBody = {
  Platform: "grafana",
  MetricsUrl: "https://metrics.example.com/write?a=b&c=d",
  MetricsUsername: "123 Zoë",
  LogsUrl: "https://logs.example.com/push",
  LogsUsername: "234",
  ApiKey: 'plt "key"\\%&+/é\n2',
};
const secrets = [serviceApiKey, body.ApiKey];
const keyCommand = "npx pulumi config set --secret llm-observability:serviceApiKey";

// Long enough for a busy machine; tests that wait for the limit set a shorter one.
const limits: Limits = { attempt: 3_000, total: 4_000, attempts: 3, backoff: 100 };
const short: Partial<Limits> = { attempt: 500 };

const states = {
  nothing: "The connection was not registered.",
  unknown: "The service may have registered the connection",
};
type State = keyof typeof states;

/** An error response that repeats both keys in every encoding. */
const echo = JSON.stringify({ message: `no: ${secrets.flatMap((secret) => Object.values(spellings(secret))).join(" ")}` });
const ok = answer(200);

type Script = Parameters<typeof startRawServer>[0];

/** A server for one test. Concurrent tests pass the `onTestFinished` of their context. */
async function serve(script: Script, options?: RawServerOptions, finished = onTestFinished): Promise<RawServer> {
  const server = await startRawServer(script, options);
  finished(() => server.close());
  return server;
}

interface Result {
  endpoint: string;
  /** The error message; undefined if the connection was registered. */
  message: string | undefined;
  /** The progress lines. */
  lines: string[];
}

/** Registers at `url`. No output may contain a key. */
async function register(url: string, special: Partial<Limits> = {}, caCert?: string): Promise<Result> {
  const registration: Registration = { endpoint: `${url}/api/connections`, serviceApiKey, keyCommand, body, caCert };
  const lines: string[] = [];
  const message = await registerConnection(registration, { ...limits, ...special }, (line) => lines.push(line)).then(
    () => undefined,
    (error: Error) => error.message,
  );
  expect(spellingsIn([message, ...lines].join("\n"), secrets)).toEqual([]);
  return { endpoint: registration.endpoint, message, lines };
}

/** A failure shows the request, the reason, whether the connection is registered, and a fix. */
function expectFailure({ endpoint, message = "registered" }: Result, state: State, ...parts: string[]): void {
  expect(message).toContain(`POST ${endpoint} failed: `);
  expect(message).toContain(states[state]);
  expect(message).not.toContain(states[state === "nothing" ? "unknown" : "nothing"]);
  for (const part of parts) expect(message).toContain(part);
}

/** The parts that all requests of one registration share. */
const essence = (server: RawServer) =>
  server.requests.map(({ method, body, headers }) => ({
    method,
    body,
    headers: headers.filter(([name]) => /^(authorization|content-type)$/i.test(name)),
  }));

it("the request is that of the spec, below a base address with a path", async () => {
  const server = await serve([ok]);
  expect((await register(`${server.url}/a/prefix`)).message).toBeUndefined();
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]).toMatchObject({ method: "POST", path: "/a/prefix/api/connections" });
  expect(server.requests[0]?.headers).toContainEqual(["Authorization", serviceApiKey]);
  expect(server.requests[0]?.headers).toContainEqual(["Content-Type", "application/json"]);
  expect(JSON.parse(server.requests[0]?.body ?? "")).toStrictEqual(body);
});

describe("any 2xx is success, with any body, after one request", () => {
  const rows: [name: string, answer: Script[number]][] = [
    ["200 with an incomplete body", answer(200, "half", { "Content-Length": "100" })],
    ["200 with an endless body", { now: answer(200, "", { "Content-Length": "1000000" }), drip: "x".repeat(10_000), pause: 50 }],
    ["200 with Retry-After", answer(200, "", { "Retry-After": "0" })],
    ["299", answer(299, "{}")],
  ];
  it.concurrent.for(rows)("%s", async ([, action], context) => {
    const server = await serve([action], {}, context.onTestFinished);
    expect(await register(server.url)).toMatchObject({ message: undefined, lines: [] });
    // An unread body would keep the connection open and the process running.
    await vi.waitFor(() => expect(server.requests[0]?.closed).toBe(true), 2_000);
    expect(server.requests).toHaveLength(1);
  });
});

describe("an error status", () => {
  it.each([300, 501])("that is unknown, %i, is not retried, and the connection may be registered", async (status) => {
    const server = await serve([answer(status, echo, { Location: "/new" }), ok]);
    const result = await register(server.url);
    expectFailure(result, "unknown", `${server.url} returned ${status}: [redacted]`, "Check the service's log");
    expect(result.lines).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  it("is classified without the rest of a slow body", async () => {
    const begun = answer(401, "This is no key that is accepted here. ".repeat(5), { "Content-Length": "10000" });
    const server = await serve([{ now: begun, drip: "x".repeat(1_000), pause: 20 }]);
    expectFailure(await register(server.url, short), "nothing", "returned 401: This is no key", keyCommand);
    expect(server.requests).toHaveLength(1);
  });
});

describe("a service with Retry-After", () => {
  const back = (status: number, retryAfter: string) => answer(status, echo, { "Retry-After": retryAfter });

  it("receives the same request after that time", async () => {
    const server = await serve([back(503, "1"), ok]);
    const { message, lines } = await register(server.url);
    expect(message).toBeUndefined();
    expect(lines).toEqual([`${server.url} returned 503: [redacted]; retrying in 1 s (attempt 2 of 3)`]);
    expect(server.requests).toHaveLength(2);
    const [first, second] = server.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(950);
    expect(essence(server)[1]).toEqual(essence(server)[0]);
  });

  it("receives as many retries as the limits allow, with doubling pauses", async () => {
    const server = await serve([answer(429, echo)]);
    const result = await register(server.url);
    expectFailure(result, "nothing", `${server.url} returned 429`, "3 attempts failed", "Wait, then run `pulumi up` again");
    expect(server.requests).toHaveLength(3);
    expect(result.lines).toEqual([
      expect.stringContaining("retrying in 0.1 s (attempt 2 of 3)"),
      expect.stringContaining("retrying in 0.2 s (attempt 3 of 3)"),
    ]);
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

describe("a response after the time limit", () => {
  it.each([
    ["a response byte by byte", { drip: answer(200), pause: 20 }, "did not respond within 0.5 s", short],
    ["no response within the total limit", "silent", "did not respond within 1 s", { total: 1_000 }],
  ] as const)("may have registered, so the request is not repeated: %s", async (_name, action, happened, special) => {
    const server = await serve([action, ok]);
    expectFailure(await register(server.url, special), "unknown", `${new URL(server.url).host} ${happened}`);
    expect(server.requests).toHaveLength(1);
  });
});

describe("a service that cannot be reached", () => {
  // Often a name with two addresses.
  it("because localhost refuses connections is retried", async () => {
    const result = await register(`http://localhost:${await closedPort()}`);
    expectFailure(result, "nothing", "refused the connection (ECONNREFUSED)", "3 attempts failed");
    expect(result.lines).toHaveLength(2);
  });

  it.each([
    ["the connection", (port: number) => `https://127.0.0.1:${port}`],
    ["the tunnel of the proxy", () => "http://service.test"],
  ])("because %s is not open in time is retried", async (_what, url) => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on("error", () => undefined).resume()));
    await once(silent.listen(0, "127.0.0.1"), "listening");
    const { port } = silent.address() as AddressInfo;
    vi.stubEnv("HTTP_PROXY", `http://127.0.0.1:${port}`);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      silent.close();
    });
    const result = await register(url(port), { attempt: 100, backoff: 1 });
    expectFailure(result, "nothing", "cannot be reached (CONNECT_TIMEOUT)", "3 attempts failed");
    // Nothing is left that would keep the process running.
    await vi.waitFor(() =>
      expect(sockets.map(({ closed, destroyed, readableEnded }) => closed || destroyed || readableEnded)).toEqual([true, true, true]),
    );
  });
});

it("trusts the CA of the registration, and no other certificate, whatever the environment sets", async () => {
  const tls = selfSigned();
  const server = await serve([ok], { tls });
  expect((await register(server.url, {}, tls.cert)).message).toBeUndefined();
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  onTestFinished(() => void vi.unstubAllEnvs());
  expectFailure(await register(server.url), "nothing", "has an untrusted TLS certificate");
  expect(server.requests).toHaveLength(1);
});

describe("a redirect", () => {
  const to = (status: number, location: string) => answer(status, echo, { Location: location });

  it.each([
    [307, "/new/api/connections"],
    [308, "../new/api/connections?x=1"],
  ])("%i to %s, of the same origin, is followed with method, key and body", async (status, location) => {
    const server = await serve([to(status, location), ok]);
    expect((await register(server.url)).message).toBeUndefined();
    expect(server.requests.map(({ path }) => path)).toEqual(["/api/connections", location.replace("..", "")]);
    expect(essence(server)[1]).toEqual(essence(server)[0]);
    expect(essence(server)[1]?.headers).toHaveLength(2);
  });

  it.each([301, 302])("%i, with which a client could change the method, is not followed", async (status) => {
    const server = await serve([to(status, "/new"), ok]);
    expectFailure(await register(server.url), "nothing", `returned ${status}, a redirect to ${server.url}/new, which is not followed`);
    expect(server.requests).toHaveLength(1);
  });

  it("in a loop is followed three times", async () => {
    const server = await serve([to(307, "/again")]);
    expectFailure(await register(server.url), "nothing", "after 3 redirects");
    expect(server.requests).toHaveLength(4);
  });

  it("with a user name in its address is not followed, and the password is not shown", async () => {
    const server = await serve([
      (request) => to(307, `http://user:canary@${request.headers.find(([name]) => name === "host")?.[1]}/next`),
      ok,
    ]);
    const result = await register(server.url);
    expectFailure(result, "nothing", "which is not followed");
    expect(result.message).not.toContain("canary");
    expect(server.requests).toHaveLength(1);
  });

  it("to another origin after one within the same origin sends no request there", async () => {
    const other = await serve([ok]);
    const server = await serve([to(307, "/next"), to(307, `${other.url}/`), ok]);
    expectFailure(await register(server.url), "nothing", `a redirect to ${other.url}/`);
    expect(server.requests).toHaveLength(2);
    expect(other.connections).toBe(0);
  });

  it("without a valid address is not followed", async () => {
    for (const action of [answer(307, echo), to(307, "http://[")]) {
      const server = await serve([action, ok]);
      expectFailure(await register(server.url), "nothing", "returned 307, a redirect, which is not followed");
      expect(server.requests).toHaveLength(1);
    }
  });
});
