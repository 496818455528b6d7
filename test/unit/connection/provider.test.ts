/** The dynamic provider: what registers, and the messages. The tests of the engine run it in the SDK's process. */
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { diffOf } from "../../../src/connection/diff";
import { type ConnectionInputs, type ConnectionOutputs, ConnectionProvider } from "../../../src/connection/provider";
import { selfSigned } from "../../support/certificate";
import { answer, type RawServer, spellingsIn } from "../../support/raw-server";
import { serve } from "../serve";

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

function providerWith(key: string | undefined) {
  const get = (name: string) => (name === serviceApiKeyConfig ? key : undefined);
  return new ConnectionProvider({ get, require: () => expect.unreachable() });
}

const inputsOf = (serviceUrl: string): ConnectionInputs => ({
  ...{ serviceUrl, serviceApiKeyConfig, registrationTrigger: "1" },
  ...{ metricsUrl: "https://metrics.example.com/write", metricsUsername: "123", platformName: "another" },
  ...{ logsUrl: "https://logs.example.com/push", logsUsername: "234", platformApiKey: 'plt "key"/+é2' },
});

beforeEach(async () => {
  print = vi.spyOn(console, "log").mockReturnValue();
  server = await serve([answer(200)]);
  inputs = inputsOf(server.url);
  state = { ...inputs, registeredAt };
  provider = providerWith(serviceApiKey);
});

afterEach(() => {
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

  it("trusts the CA of serviceCaCert", async () => {
    const tls = selfSigned();
    const secure = await serve([answer(200)], { tls });
    const { outs } = await provider.create({ ...inputs, serviceUrl: secure.url, serviceCaCert: tls.cert });
    expect(outs?.registeredAt).toMatch(/^\d{4}-/);
  });

  it.each(["é", "line\nbreak", "\u007f", "", undefined])(
    "with the key %j sends nothing, and names the command that sets a key",
    async (key) => {
      const problem = key ? "has a character that an HTTP header cannot contain" : "is not set";
      const message = `The service's API key ${problem}, so the connection was not registered. Set it: ${keyCommand}`;
      await expect(providerWith(key).create(inputs)).rejects.toThrow(new Error(message));
      if (!key) await expect(new ConnectionProvider(undefined).create(inputs)).rejects.toThrow(new Error(message));
      expect(server.connections).toBe(0);
    },
  );
});

it("update registers again, and returns every input and the new time", async () => {
  const news = { ...inputs, platformApiKey: "rotated", registrationTrigger: "2" };
  const { outs } = await provider.update("id", state, news);
  expect(outs).toEqual({ ...news, registeredAt: expect.any(String) });
  expect(Date.parse(outs?.registeredAt ?? "")).toBeGreaterThan(Date.parse(registeredAt));
  expectRegistered(news);
});

it("read, which a state of 0.2.0 or earlier calls, returns it and sends no request", async () => {
  expect(await provider.read("id", state)).toEqual({ id: "id", props: state });
  expect(server.connections).toBe(0);
});

it("update stores what registers nothing, such as a new CA, and sends no request", async () => {
  const news = { ...inputs, serviceCaCert: "other" };
  expect(await provider.update("id", state, news)).toEqual({ outs: { ...news, registeredAt } });
  expect(server.connections).toBe(0);
});
