/** The provider as the engine sees it: its text from the state, loaded by the SDK's own host, which is spoken to as the engine speaks. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type ConnectionInputs, ConnectionProvider } from "../../../src/connection/provider";
import { answer, type RawServer, spellingsIn, startRawServer } from "../raw-server";

const root = resolve(__dirname, "../../..");
const serviceApiKeyConfig = "llm-observability:serviceApiKey";
const serviceApiKey = 'svc "key"/+1';
const keyCommand = `npx pulumi config set --secret ${serviceApiKeyConfig}`;
/** What stands for values that are not known yet, in previews. */
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const inputs: ConnectionInputs = {
  serviceUrl: "https://llmobs.example.com",
  serviceApiKeyConfig,
  platform: "another",
  metricsUrl: "https://metrics.example.net/write",
  metricsUsername: "123",
  logsUrl: "https://logs.example.net/push",
  logsUsername: "234",
  platformApiKey: 'plt "key"/+é2',
  registrationTrigger: "1",
  readBack: "off",
};
const secrets = [serviceApiKey, inputs.platformApiKey];
const registeredAt = "2026-01-02T03:04:05.678Z";

/** The provider's text, written by a program in whose config and inputs `canary` is each secret. */
async function serialize(canary: string): Promise<string> {
  const env = {
    ...process.env,
    CANARY: canary,
    PULUMI_CONFIG: JSON.stringify({ [serviceApiKeyConfig]: canary }),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify([serviceApiKeyConfig]),
  };
  const script = join(__dirname, "serialize.ts");
  return (await promisify(execFile)(process.execPath, ["-r", "ts-node/register", script], { cwd: root, env })).stdout;
}

type Properties = Record<string, string>;

/** A provider host of the SDK, and the five calls of the engine. Properties travel with the provider's text beside them, as in the state. */
class Host {
  private constructor(
    private readonly child: ChildProcess,
    private readonly client: ResourceProviderClient,
    private readonly provider: string,
  ) {}

  /** All that the host has printed: what a user sees under the stack. */
  output = "";

  static async start(provider: string, config: Properties): Promise<Host> {
    const main = join(root, "node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js");
    // It wants the engine's address, but calls it for nothing that is used here.
    const child = spawn(process.execPath, [main, "127.0.0.1:1"], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    const early = once(child, "exit").then(([code]) => {
      throw new Error(`the provider host ended with ${code} before it listened`);
    });
    const [port] = await Promise.race([once(createInterface(child.stdout), "line"), early]);
    const host = new Host(child, new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure()), provider);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (text) => {
        host.output += text;
      });
    }
    const request = new messages.ConfigureRequest().setArgs(Struct.fromJavaScript(config));
    await host.call((done) => host.client.configure(request, done));
    return host;
  }

  async stop(): Promise<void> {
    this.client.close();
    if (this.child.kill()) await once(this.child, "exit");
  }

  async check(olds: Properties, news: Properties): Promise<Properties> {
    const request = new messages.CheckRequest().setOlds(this.struct(olds)).setNews(this.struct(news));
    const response = await this.call<messages.CheckResponse>((done) => this.client.check(request, done));
    return this.properties(response.getInputs());
  }

  /** What the engine would do: "none", "update", or "replace" and the fields that make it so. */
  async diff(olds: Properties, news: Properties): Promise<string> {
    const request = new messages.DiffRequest().setId("id").setOlds(this.struct(olds)).setNews(this.struct(news));
    const response = await this.call<messages.DiffResponse>((done) => this.client.diff(request, done));
    const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
    if (response.getChanges() === DIFF_NONE) return "none";
    expect(response.getChanges()).toBe(DIFF_SOME);
    return response.getReplacesList().length > 0 ? `replace ${response.getReplacesList()}` : "update";
  }

  async create(properties: Properties): Promise<{ id: string; properties: Properties }> {
    const request = new messages.CreateRequest().setProperties(this.struct(properties));
    const response = await this.call<messages.CreateResponse>((done) => this.client.create(request, done));
    return { id: response.getId(), properties: this.properties(response.getProperties()) };
  }

  async update(olds: Properties, news: Properties): Promise<Properties> {
    const request = new messages.UpdateRequest().setId("id").setOlds(this.struct(olds)).setNews(this.struct(news));
    const response = await this.call<messages.UpdateResponse>((done) => this.client.update(request, done));
    return this.properties(response.getProperties());
  }

  async read(id: string, properties: Properties): Promise<Properties> {
    const request = new messages.ReadRequest().setId(id).setProperties(this.struct(properties));
    const response = await this.call<messages.ReadResponse>((done) => this.client.read(request, done));
    return this.properties(response.getProperties());
  }

  async delete(id: string, properties: Properties): Promise<void> {
    const request = new messages.DeleteRequest().setId(id).setProperties(this.struct(properties));
    await this.call((done) => this.client.delete(request, done));
  }

  private struct(properties: Properties): Struct {
    return Struct.fromJavaScript({ __provider: this.provider, ...properties });
  }

  private properties(struct: Struct | undefined): Properties {
    const { __provider, ...rest } = (struct?.toJavaScript() ?? {}) as Properties;
    expect(__provider).toBe(this.provider);
    return rest;
  }

  private call<T>(send: (done: (error: ServiceError | null, response: T) => void) => unknown): Promise<T> {
    return new Promise((resolve, reject) => send((error, response) => (error ? reject(error) : resolve(response))));
  }
}

let texts: string[];
let host: Host;
/** Knows no service key. */
let keyless: Host;

beforeAll(async () => {
  texts = await Promise.all([serialize("canary-1a2b3c"), serialize("canary-9z8y7x")]);
  [host, keyless] = await Promise.all([
    Host.start(texts[0] ?? "", { [serviceApiKeyConfig]: serviceApiKey, "llm-observability:service": "llmobs" }),
    Host.start(texts[0] ?? "", { "llm-observability:service": "llmobs" }),
  ]);
}, 60_000);

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
    Platform: expected.platform,
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

describe("the text in the state", () => {
  it("is the same in every run", () => {
    expect(texts[1]).toBe(texts[0]);
  });

  it("needs nothing but Node's globals and one library, and nothing of this machine", () => {
    expect(texts[0]).toMatch(/^exports\.handler = /);
    expect(new Set(texts[0]?.match(/(?<![.\w])(require|import)\s*\([^)]*\)/g))).toEqual(new Set(['require("undici")']));
    expect(texts[0]).not.toContain(root);
  });

  it("holds no secret", () => {
    expect(spellingsIn(texts.join(""), ["canary"])).toEqual([]);
  });
});

describe("check", () => {
  it.each([
    ["values", inputs],
    ["values that are not known yet", { ...inputs, serviceUrl: unknown, platformApiKey: unknown }],
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
    platform: "update",
    metricsUrl: "update",
    metricsUsername: "update",
    logsUrl: "update",
    logsUsername: "update",
    platformApiKey: "update",
    registrationTrigger: "update",
    readBack: "update",
  } satisfies Record<keyof ConnectionInputs, string>;

  it.each(Object.entries(effects))("of a new %s: %s", async (field, effect) => {
    expect(await host.diff(state, { ...inputs, [field]: "other" })).toBe(effect);
  });

  it.each(Object.entries(effects))("of a %s that is not known yet: %s", async (field, effect) => {
    expect(await host.diff(state, { ...inputs, [field]: unknown })).toBe(effect);
  });

  it("of nothing new: none", async () => {
    expect(await host.diff(state, { ...inputs })).toBe("none");
    expect(await host.diff({ ...untriggered, registeredAt }, { ...untriggered })).toBe("none");
  });

  it("of a trigger that comes or goes: update", async () => {
    expect(await host.diff({ ...untriggered, registeredAt }, { ...inputs })).toBe("update");
    expect(await host.diff(state, { ...untriggered })).toBe("update");
  });

  it("of a new address and more: still a replacement", async () => {
    expect(await host.diff(state, { ...inputs, serviceUrl: "other", platform: "other" })).toBe("replace serviceUrl");
  });

  // A new version of the program is no reason to register.
  it("of a new provider: none", async () => {
    expect(await host.diff({ ...state, __provider: "exports.handler = () => ({});" }, { ...inputs })).toBe("none");
  });

  it("needs no key", async () => {
    expect(await keyless.diff(state, { ...inputs, platform: "other" })).toBe("update");
  });
});

describe("create", () => {
  it("registers, and returns every input and the time", async () => {
    const server = await serve(answer(200));
    const before = Date.now();
    const { id, properties } = await host.create(at(server));
    expect(id).toBe(`${server.url}/api/connections`);
    expect(properties).toEqual({ ...at(server), registeredAt: expect.any(String), inPlace: "this one" });
    expect(properties.registeredAt).toBe(new Date(properties.registeredAt ?? "").toISOString());
    expect(Date.parse(properties.registeredAt ?? "")).toBeGreaterThanOrEqual(before);
    expectRegistered(server, inputs);
  });

  it("fails with the exchange's own words, which hold no key", async () => {
    const server = await serve(answer(401, `keys: ${secrets.join(" ")}`));
    const message = await messageOf(host.create(at(server)));
    expect(message).toContain(`POST ${server.url}/api/connections failed: ${server.url} answered 401: keys: [secret] [secret].`);
    expect(message).toContain(`Nothing was registered.\nThe service does not accept its API key. Set the right one: ${keyCommand}`);
    expect(server.requests).toHaveLength(1);
  });

  it("shows its progress under the stack", async () => {
    const server = await serve(answer(503, secrets.join(" "), { "Retry-After": "0" }), answer(200));
    await host.create(at(server));
    await vi.waitFor(() =>
      expect(host.output).toContain(`${server.url} answered 503: [secret] [secret]; trying again in 0 s (attempt 2 of 4)`),
    );
    expect(server.requests).toHaveLength(2);
  });

  it("without the service's key sends nothing and names the command that sets it", async () => {
    const server = await serve(answer(200));
    expect(await messageOf(keyless.create(at(server)))).toBe(
      `The service's API key is not set, so nothing was registered. Set it: ${keyCommand}`,
    );
    expect(server.connections).toBe(0);
  });
});

describe("update", () => {
  it("registers again, and returns every input and the new time", async () => {
    const server = await serve(answer(200));
    const news = at(server, { platformApiKey: "rotated", registrationTrigger: "2" });
    const properties = await host.update({ ...at(server), registeredAt }, { ...news });
    expect(properties).toEqual({ ...news, registeredAt: expect.any(String), inPlace: "this one" });
    expect(Date.parse(properties.registeredAt ?? "")).not.toBe(Date.parse(registeredAt));
    expectRegistered(server, news);
  });

  it("fails with the exchange's own words, which hold no key", async () => {
    const server = await serve(answer(500, secrets.join(" ")));
    const message = await messageOf(host.update({ ...at(server), registeredAt }, at(server, { platform: "other" })));
    expect(message).toContain(`${server.url} answered 500: [secret] [secret].\nIt is not known whether`);
    expect(server.requests).toHaveLength(1);
  });
});

describe("read", () => {
  const state = (server: RawServer, changed: Partial<ConnectionInputs> = {}) => ({
    ...at(server, { readBack: "on", ...changed }),
    registeredAt,
    inPlace: "this one",
  });
  const inPlace = { ...inputs, apiKey: inputs.platformApiKey, created_at: "2026-01-02" };
  const found = (connection: object) => answer(200, JSON.stringify({ status: 200, connections: connection }));

  it("asks nobody unless it is told to", async () => {
    const server = await serve(answer(200));
    const off = state(server, { readBack: "off" });
    expect(await host.read("id", off)).toEqual(off);
    expect(server.connections).toBe(0);
  });

  it.each([
    ["the same", found(inPlace), "this one"],
    ["another address", found({ ...inPlace, metricsUrl: "https://elsewhere.example.net" }), "another one"],
    ["another key", found({ ...inPlace, apiKey: "somebody's" }), "another one"],
    ["none", answer(404, JSON.stringify({ status: 404, message: "No connections found" })), "none"],
  ])("of %s", async (_what, response, expected) => {
    const server = await serve(response);
    expect(await host.read("id", state(server))).toEqual({ ...state(server), inPlace: expected });
    expect(server.requests).toMatchObject([{ method: "GET", path: "/api/connections" }]);
    expect(server.requests[0]?.headers).toContainEqual(["Authorization", serviceApiKey]);
  });

  it.each([
    ["has no such endpoint", answer(404, "404 page not found")],
    ["does not allow it", answer(405, "")],
    ["refuses the key", answer(401, JSON.stringify({ status: 401 }))],
    ["sends one elsewhere", answer(302, "", { Location: "http://127.0.0.1:1/" })],
    ["answers something else", answer(200, JSON.stringify({ status: 200, connections: null }))],
    ["answers a page", answer(200, "<html></html>")],
  ])("keeps the state where the service %s", async (_what, response) => {
    const server = await serve(response);
    const before = { ...state(server), inPlace: "another one" };
    expect(await host.read("id", before)).toEqual(before);
    expect(server.requests).toHaveLength(1);
  });

  it.each(["another one", "none"])("that found %s leads to a registration", async (what) => {
    const server = await serve(answer(200));
    const olds = { ...state(server), inPlace: what };
    expect(await host.diff(olds, at(server, { readBack: "on" }))).toBe("update");
    expect(await host.update(olds, at(server, { readBack: "on" }))).toMatchObject({ inPlace: "this one" });
    expectRegistered(server, inputs);
  });

  it("that is turned on or off registers nothing", async () => {
    const server = await serve(answer(200));
    expect(await host.update(state(server, { readBack: "off" }), at(server, { readBack: "on" }))).toEqual(state(server));
    expect(server.connections).toBe(0);
  });
});

describe("delete", () => {
  it.each(["with a key", "without one"])("%s asks nobody and says what stays behind", async (name) => {
    const server = await serve(answer(200));
    const used = name === "with a key" ? host : keyless;
    await used.delete(`${server.url}/api/connections`, { ...at(server), registeredAt });
    const held = `still holds the connection registered by POST ${server.url}/api/connections`;
    const line = await vi.waitUntil(() => used.output.split("\n").find((line) => line.includes(held)));
    expect(line).toContain(`writing to ${inputs.metricsUrl} and ${inputs.logsUrl}`);
    expect(line).toContain("revoke the platform's API key");
    expect(server.connections).toBe(0);
  });
});

it("prints no key, whatever happened", () => {
  expect(host.output).not.toBe("");
  expect(spellingsIn(host.output + keyless.output, secrets)).toEqual([]);
});

describe("a service key", () => {
  const providerWith = async (value: string | undefined) => {
    const provider = new ConnectionProvider();
    await provider.configure({ config: { get: () => value, require: () => expect.unreachable() } });
    return provider;
  };

  it.each(["line\nbreak", "tab\there", "emoji 😀", "é", "\u007f"])(
    "that no header can carry is refused without showing it: %j",
    async (key) => {
      const server = await serve(answer(200));
      const message = await messageOf((await providerWith(key)).create(at(server)));
      expect(message).toContain(`nothing was registered. Set it: ${keyCommand}`);
      expect(message).not.toContain(key);
      expect(server.connections).toBe(0);
    },
  );

  it.each([
    ["that is empty", () => providerWith("")],
    ["of a provider that was never configured", async () => new ConnectionProvider()],
  ])("%s counts as none", async (_name, make) => {
    const server = await serve(answer(200));
    expect(await messageOf((await make()).create(at(server)))).toContain(`is not set, so nothing was registered. Set it: ${keyCommand}`);
    expect(server.connections).toBe(0);
  });
});
