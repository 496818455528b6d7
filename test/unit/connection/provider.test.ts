/** The dynamic provider in the provider host of the SDK, called as the engine calls it. */
import type { ServiceError } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type ConnectionInputs, ConnectionProvider } from "../../../src/connection/provider";
import { Host, serviceApiKeyConfig } from "../../support/provider-host";
import { answer, type RawServer, spellingsIn, startRawServer } from "../../support/raw-server";

const serviceApiKey = 'svc "key"/+1';
const keyCommand = `npx pulumi config set --secret ${serviceApiKeyConfig}`;
/** The engine's placeholder for unknown values in previews. */
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const inputs: ConnectionInputs = {
  serviceUrl: "https://llmobs.example.com",
  serviceApiKeyConfig,
  platformName: "another",
  metricsUrl: "https://metrics.example.com/write",
  metricsUsername: "123",
  logsUrl: "https://logs.example.com/push",
  logsUsername: "234",
  platformApiKey: 'plt "key"/+é2',
  registrationTrigger: "1",
  verifyConnection: "off",
};
const secrets = [serviceApiKey, inputs.platformApiKey];
const registeredAt = "2026-01-02T03:04:05.678Z";

let host: Host;
/** A host without the service's key. */
let keyless: Host;

beforeAll(async () => {
  [host, keyless] = await Promise.all([
    Host.start({ [serviceApiKeyConfig]: serviceApiKey, "llm-observability:service": "llmobs" }),
    Host.start({ "llm-observability:service": "llmobs" }),
  ]);
});

afterAll(async () => {
  await Promise.all([host?.stop(), keyless?.stop()]);
});

async function serve(...script: Parameters<typeof startRawServer>[0]): Promise<RawServer> {
  const server = await startRawServer(script);
  onTestFinished(() => server.close());
  return server;
}

const at = (server: RawServer, changed: Partial<ConnectionInputs> = {}) => ({ ...inputs, serviceUrl: server.url, ...changed });

/** The one request that `server` got registers `expected`. */
function expectRegistered(server: RawServer, expected: ConnectionInputs): void {
  expect(server.requests).toHaveLength(1);
  const [request] = server.requests;
  expect(request).toMatchObject({ method: "POST", path: "/api/connections" });
  expect(request?.headers).toContainEqual(["Authorization", serviceApiKey]);
  expect(JSON.parse(request?.body ?? "")).toStrictEqual({
    Platform: expected.platformName,
    MetricsUrl: expected.metricsUrl,
    MetricsUsername: expected.metricsUsername,
    LogsUrl: expected.logsUrl,
    LogsUsername: expected.logsUsername,
    ApiKey: expected.platformApiKey,
  });
}

const messageOf = (failing: Promise<unknown>): Promise<string> =>
  failing.then(
    () => "no error",
    (error: ServiceError) => error.details ?? error.message,
  );

describe("check", () => {
  it.each([
    ["values", inputs],
    ["unknown values", { ...inputs, serviceUrl: unknown, platformApiKey: unknown }],
  ])("passes %s on", async (_name, news) => {
    expect(await host.check({ ...inputs }, { ...news })).toEqual(news);
  });
});

describe("diff", () => {
  const state = { ...inputs, registeredAt };
  const { registrationTrigger: _, ...untriggered } = inputs;
  const effects = {
    serviceUrl: "replace serviceUrl",
    serviceApiKeyConfig: "none",
    serviceCaCert: "update",
    platformName: "update",
    metricsUrl: "update",
    metricsUsername: "update",
    logsUrl: "update",
    logsUsername: "update",
    platformApiKey: "update",
    registrationTrigger: "update",
    verifyConnection: "update",
  } satisfies Record<keyof ConnectionInputs, string>;

  it.each(Object.entries(effects))("of a new or unknown %s: %s", async (field, effect) => {
    expect(await host.diff(state, { ...inputs, [field]: "other" })).toBe(effect);
    expect(await host.diff(state, { ...inputs, [field]: unknown })).toBe(effect);
  });

  it("of no change: none", async () => {
    expect(await host.diff(state, { ...inputs })).toBe("none");
  });

  it("of a trigger that comes or goes: update", async () => {
    expect(await host.diff({ ...untriggered, registeredAt }, { ...inputs })).toBe("update");
    expect(await host.diff(state, { ...untriggered })).toBe("update");
  });

  // A new version of the program is no reason to register.
  it("of a new provider: none", async () => {
    expect(await host.diff({ ...state, __provider: "exports.handler = () => ({});" }, { ...inputs })).toBe("none");
  });
});

describe("create", () => {
  it("registers, and returns every input and the time", async () => {
    const server = await serve(answer(200));
    const before = Date.now();
    const { id, properties } = await host.create(at(server));
    expect(id).toBe(`${server.url}/api/connections`);
    expect(properties).toEqual({ ...at(server), registeredAt: expect.any(String), registeredConnection: "current" });
    expect(properties.registeredAt).toBe(new Date(properties.registeredAt ?? "").toISOString());
    expect(Date.parse(properties.registeredAt ?? "")).toBeGreaterThanOrEqual(before);
    expectRegistered(server, inputs);
  });

  it("shows its progress under the stack, and fails with the exchange's own words, which hold no key", async () => {
    const server = await serve(answer(503, secrets.join(" "), { "Retry-After": "0" }), answer(401, `keys: ${secrets.join(" ")}`));
    const message = await messageOf(host.create(at(server)));
    expect(message).toContain(`POST ${server.url}/api/connections failed: ${server.url} returned 401: [redacted].`);
    expect(message).toContain(`The connection was not registered.\nThe service rejected its API key. Set a valid key: ${keyCommand}`);
    await vi.waitFor(() => expect(host.output).toContain(`${server.url} returned 503: [redacted]; retrying in 0 s (attempt 2 of 4)`));
    expect(server.requests).toHaveLength(2);
  });

  it("without the service's key sends nothing and names the command that sets it", async () => {
    const server = await serve(answer(200));
    expect(await messageOf(keyless.create(at(server)))).toBe(
      `The service's API key is not set, so the connection was not registered. Set it: ${keyCommand}`,
    );
    expect(server.connections).toBe(0);
  });
});

it("update registers again, and returns every input and the new time", async () => {
  const server = await serve(answer(200));
  const news = at(server, { platformApiKey: "rotated", registrationTrigger: "2" });
  const properties = await host.update({ ...at(server), registeredAt }, { ...news });
  expect(properties).toEqual({ ...news, registeredAt: expect.any(String), registeredConnection: "current" });
  expect(Date.parse(properties.registeredAt ?? "")).not.toBe(Date.parse(registeredAt));
  expectRegistered(server, news);
});

describe("read", () => {
  const state = (server: RawServer, changed: Partial<ConnectionInputs> = {}) => ({
    ...at(server, { verifyConnection: "on", ...changed }),
    registeredAt,
    registeredConnection: "current",
  });
  const registered = { ...inputs, platform: inputs.platformName, apiKey: inputs.platformApiKey, created_at: "2026-01-02" };
  const found = (connection: object) => answer(200, JSON.stringify({ status: 200, connections: connection }));

  it("sends no request unless verifyConnection is on", async () => {
    const server = await serve(answer(200));
    const off = state(server, { verifyConnection: "off" });
    expect(await host.read("id", off)).toEqual(off);
    expect(server.connections).toBe(0);
  });

  it.each([
    ["the same", found(registered), "current"],
    ["another address", found({ ...registered, metricsUrl: "https://elsewhere.example.com" }), "other"],
    ["another key", found({ ...registered, apiKey: "another" }), "other"],
    ["none", answer(404, JSON.stringify({ status: 404, message: "No connections found" })), "none"],
  ])("of %s", async (_what, response, expected) => {
    const server = await serve(response);
    expect(await host.read("id", state(server))).toEqual({ ...state(server), registeredConnection: expected });
    expect(server.requests).toMatchObject([{ method: "GET", path: "/api/connections" }]);
    expect(server.requests[0]?.headers).toContainEqual(["Authorization", serviceApiKey]);
  });

  it.each([
    ["has no such endpoint", answer(404, "404 page not found")],
    ["redirects", answer(307, JSON.stringify({ status: 200, connections: registered }), { Location: "/api/connections" })],
    ["refuses the key", answer(401, JSON.stringify({ status: 401 }))],
    ["returns another object", answer(200, JSON.stringify({ status: 200, connections: null }))],
    ["returns an error with a connection", answer(500, JSON.stringify({ status: 200, connections: registered }))],
  ])("keeps the state if the service %s", async (_what, response) => {
    const server = await serve(response);
    const before = { ...state(server), registeredConnection: "other" };
    expect(await host.read("id", before)).toEqual(before);
    expect(server.requests).toHaveLength(1);
  });

  it.each<[what: string, change: Partial<ConnectionInputs>]>([
    ["none", {}],
    ["other", { registrationTrigger: "2" }],
  ])("that returned %s causes a registration with the change %j", async (what, change) => {
    const server = await serve(answer(200));
    const olds = { ...state(server), registeredConnection: what };
    const news = at(server, { verifyConnection: "on", ...change });
    expect(await host.diff(olds, news)).toBe("update");
    expect(await host.update(olds, news)).toMatchObject({ registeredConnection: "current" });
    expectRegistered(server, news);
  });

  // Two stacks with one service would register in turn.
  it("that returned another connection stops the update with the commands, until verifyConnection is off", async () => {
    const server = await serve(answer(200));
    const olds = { ...state(server), registeredConnection: "other" };
    const news = at(server, { verifyConnection: "on" });
    expect(await host.diff(olds, news)).toBe("update");
    const message = await messageOf(host.update(olds, news));
    expect(message).toMatch(
      /another stack.*\n.*npx pulumi config set registrationTrigger \d{4}-\S+\n.*npx pulumi config set verifyConnection off$/s,
    );
    expect(await host.update(olds, at(server))).toMatchObject({ verifyConnection: "off", registeredAt });
    expect(await host.diff({ ...olds, verifyConnection: "off" }, at(server))).toBe("none");
    expect(server.connections).toBe(0);
  });

  it("that is switched on or off does not register", async () => {
    const server = await serve(answer(200));
    expect(await host.update(state(server, { verifyConnection: "off" }), at(server, { verifyConnection: "on" }))).toEqual(state(server));
    expect(server.connections).toBe(0);
  });
});

describe("delete", () => {
  it("needs no key, sends no request and logs that the connection remains", async () => {
    const server = await serve(answer(200));
    await keyless.delete(`${server.url}/api/connections`, { ...at(server), registeredAt });
    const held = `keeps the connection registered with POST ${server.url}/api/connections`;
    const line = await vi.waitUntil(() => keyless.output.split("\n").find((line) => line.includes(held)));
    expect(line).toContain(`write to ${inputs.metricsUrl} and ${inputs.logsUrl}`);
    expect(line).toContain("revoke the platform's API key");
    expect(server.connections).toBe(0);
  });
});

it("prints no key", () => {
  expect(host.output).not.toBe("");
  expect(spellingsIn(host.output + keyless.output, secrets)).toEqual([]);
});

describe("a service key", () => {
  const providerWith = async (value: string | undefined) => {
    const provider = new ConnectionProvider();
    await provider.configure({ config: { get: () => value, require: () => expect.unreachable() } });
    return provider;
  };

  it.each(["line\nbreak", "é", "\u007f"])("that a header cannot contain is refused and not shown: %j", async (key) => {
    const message = await messageOf((await providerWith(key)).create(inputs));
    expect(message).toBe(
      `The service's API key has a character that an HTTP header cannot contain, so the connection was not registered. Set it: ${keyCommand}`,
    );
  });

  it.each([
    ["that is empty", () => providerWith("")],
    ["of a provider that was never configured", async () => new ConnectionProvider()],
  ])("%s is missing", async (_name, make) => {
    expect(await messageOf((await make()).create(inputs))).toContain(
      `is not set, so the connection was not registered. Set it: ${keyCommand}`,
    );
  });
});
