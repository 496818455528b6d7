/** The dynamic provider: what registers, what a refresh finds, and the messages. The tests of the engine run it in the SDK's process. */
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { diffOf } from "../../../src/connection/diff";
import { type ConnectionInputs, type ConnectionOutputs, ConnectionProvider } from "../../../src/connection/provider";
import { selfSigned } from "../../support/certificate";
import { answer, type RawServer, spellingsIn, startRawServer } from "../../support/raw-server";

const serviceApiKeyConfig = "llm-observability:serviceApiKey";
const serviceApiKey = 'svc "key"/+1';
const keyCommand = `npx pulumi config set --secret ${serviceApiKeyConfig} --stack STACK`;
const registeredAt = "2026-01-02T03:04:05.678Z";

let server: RawServer;
let inputs: ConnectionInputs;
/** The state of a connection that is registered with `inputs`. */
let state: ConnectionOutputs;
let provider: ConnectionProvider;
let print: MockInstance<typeof console.log>;

async function providerWith(key: string | undefined): Promise<ConnectionProvider> {
  const get = (name: string) => (name === serviceApiKeyConfig ? key : undefined);
  return new ConnectionProvider({ get, require: () => expect.unreachable() });
}

const inputsOf = (serviceUrl: string): ConnectionInputs => ({
  ...{ serviceUrl, serviceApiKeyConfig, registrationTrigger: "1", verifyConnection: "on" },
  ...{ metricsUrl: "https://metrics.example.com/write", metricsUsername: "123", platformName: "another" },
  ...{ logsUrl: "https://logs.example.com/push", logsUsername: "234", platformApiKey: 'plt "key"/+é2' },
});

beforeEach(async () => {
  print = vi.spyOn(console, "log").mockReturnValue();
  server = await startRawServer([answer(200)]);
  inputs = inputsOf(server.url);
  state = { ...inputs, registeredAt, registeredConnection: "current" };
  provider = await providerWith(serviceApiKey);
});

afterEach(async () => {
  await server.close();
  expect(spellingsIn(print.mock.calls.join("\n"), [serviceApiKey, inputs.platformApiKey])).toEqual([]);
  print.mockRestore();
});

/** The one request that the server got registers `expected`. */
function expectRegistered(expected: ConnectionInputs): void {
  expect(server.requests).toMatchObject([{ method: "POST", path: "/api/connections" }]);
  expect(server.requests[0]?.headers).toContainEqual(["Authorization", serviceApiKey]);
  expect(JSON.parse(server.requests[0]?.body ?? "")).toStrictEqual({
    Platform: expected.platformName,
    MetricsUrl: expected.metricsUrl,
    MetricsUsername: expected.metricsUsername,
    LogsUrl: expected.logsUrl,
    LogsUsername: expected.logsUsername,
    ApiKey: expected.platformApiKey,
  });
}

describe("diff", () => {
  const { serviceUrl: _url, ...updating } = { ...inputsOf("http://service.test"), serviceCaCert: "other" };

  it.each(Object.keys(updating))("of a new %s: an update", async (field) => {
    expect(diffOf(state, { ...inputs, [field]: "other" })).toEqual({ changes: true, replaces: [] });
  });

  it("of a new address: a replacement; of nothing: none; of a trigger that comes or goes: an update", async () => {
    const changed = (olds: object, news: object) => diffOf({ ...state, ...olds }, { ...inputs, ...news });
    const untriggered = { registrationTrigger: undefined };
    expect(changed({}, { serviceUrl: "other" })).toEqual({ changes: true, replaces: ["serviceUrl"] });
    expect(changed({}, {})).toEqual({ changes: false, replaces: [] });
    expect([changed(untriggered, {}), changed({}, untriggered)]).toEqual(Array(2).fill({ changes: true, replaces: [] }));
  });
});

describe("create", () => {
  it("registers, and returns every input and the time", async () => {
    const before = Date.now();
    const { id, outs } = await provider.create(inputs);
    expect(id).toBe(`${server.url}/api/connections`);
    const time = outs?.registeredAt ?? "";
    expect(outs).toEqual({ ...state, registeredAt: new Date(time).toISOString() });
    expect(Date.parse(time)).toBeGreaterThanOrEqual(before);
    expectRegistered(inputs);
  });

  it("trusts the CA of serviceCaCert, and so does read", async () => {
    const tls = selfSigned();
    const secure = await startRawServer([answer(200), answer(404, '{"status":404}')], { tls });
    const { outs } = await provider.create({ ...inputs, serviceUrl: secure.url, serviceCaCert: tls.cert });
    expect(outs?.registeredConnection).toBe("current");
    expect((await provider.read("id", outs)).props?.registeredConnection).toBe("none");
    await secure.close();
  });

  it.each(["é", "line\nbreak", "\u007f", "", undefined])(
    "with the key %j sends nothing, and names the command that sets a key",
    async (key) => {
      const problem = key ? "has a character that an HTTP header cannot contain" : "is not set";
      const message = `The service's API key ${problem}, so the connection was not registered. Set it: ${keyCommand}`;
      await expect((await providerWith(key)).create(inputs)).rejects.toThrow(new Error(message));
      if (!key) await expect(new ConnectionProvider(undefined).create(inputs)).rejects.toThrow(new Error(message));
      expect(server.connections).toBe(0);
    },
  );
});

it("update registers again, and returns every input and the new time", async () => {
  const news = { ...inputs, platformApiKey: "rotated", registrationTrigger: "2" };
  const { outs } = await provider.update("id", state, news);
  expect(outs).toEqual({ ...news, registeredAt: expect.any(String), registeredConnection: "current" });
  expect(Date.parse(outs?.registeredAt ?? "")).toBeGreaterThan(Date.parse(registeredAt));
  expectRegistered(news);
});

describe("read", () => {
  it("sends no request without the service's key, or unless verifyConnection is on", async () => {
    expect(await (await providerWith(undefined)).read("id", state)).toEqual({ id: "id", props: state });
    const off: ConnectionOutputs = { ...state, verifyConnection: "off" };
    expect(await provider.read("id", off)).toEqual({ id: "id", props: off });
    expect(await provider.read("id")).toEqual({ id: "id" });
    expect(server.connections).toBe(0);
  });

  it.each<[what: string, status: number, body: (held: object) => unknown, before: string, after: string]>([
    ["the same", 200, (connections) => ({ status: 200, connections }), "none", "current"],
    ["another address", 200, (held) => ({ connections: { ...held, metricsUrl: "https://elsewhere.example.com" } }), "current", "other"],
    ["another key", 200, (held) => ({ connections: { ...held, apiKey: "another" } }), "current", "other"],
    ["none", 404, () => ({ status: 404, message: "No connections found" }), "current", "none"],
    ["no such endpoint", 404, () => "404 page not found", "other", "other"],
    ["a redirect", 307, (connections) => ({ status: 200, connections }), "other", "other"],
    ["a refused key", 401, () => ({ status: 401 }), "other", "other"],
    ["another object", 200, () => ({ status: 200, connections: null }), "other", "other"],
    ["an error with a connection", 500, (connections) => ({ status: 200, connections }), "other", "other"],
  ])("of %s", async (_what, status, body, before, after) => {
    const held = { ...inputs, platform: inputs.platformName, apiKey: inputs.platformApiKey, created_at: "2026-01-02" };
    server.follow([answer(status, JSON.stringify(body(held)), { Location: "/api/connections" })]);
    const found = await provider.read("id", { ...state, registeredConnection: before as "other" });
    expect(found).toEqual({ id: "id", props: { ...state, registeredConnection: after } });
    expect(server.requests).toMatchObject([{ method: "GET", path: "/api/connections" }]);
    expect(server.requests[0]?.headers).toContainEqual(["Authorization", serviceApiKey]);
  });

  it.each([
    ["none", {}],
    ["other", { registrationTrigger: "2" }],
  ] as const)("that returned %s causes a registration with the change %j", async (registeredConnection, change) => {
    const olds: ConnectionOutputs = { ...state, registeredConnection };
    const news = { ...inputs, ...change };
    expect(diffOf(olds, news)).toEqual({ changes: true, replaces: [] });
    expect((await provider.update("id", olds, news)).outs).toMatchObject({ registeredConnection: "current" });
    expectRegistered(news);
  });

  // Two stacks with one service would register in turn.
  it("that returned another connection makes an update tell the commands and send nothing, until verifyConnection is off", async () => {
    const olds: ConnectionOutputs = { ...state, registeredConnection: "other" };
    expect(diffOf(olds, inputs)).toMatchObject({ changes: true });
    const log = vi.spyOn(console, "log").mockReturnValue();
    expect((await provider.update("id", olds, inputs)).outs).toMatchObject({ registeredConnection: "other" });
    expect(log.mock.calls.join()).toMatch(
      /another stack.*\n.* config set registrationTrigger \d{4}-\S+ --stack STACK\n.* config set verifyConnection off --stack STACK$/s,
    );
    const off: ConnectionInputs = { ...inputs, verifyConnection: "off" };
    expect((await provider.update("id", olds, off)).outs).toEqual({ ...off, registeredAt, registeredConnection: "other" });
    expect(diffOf({ ...olds, verifyConnection: "off" }, off)).toMatchObject({ changes: false });
    expect(server.connections).toBe(0);
  });
});
