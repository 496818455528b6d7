/** The SDK's process that runs the dynamic provider, called as the engine calls it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { expect } from "vitest";
import { providerCode } from "../../src/connection/connection";

const root = resolve(__dirname, "../..");

/** The config key of the service's API key. */
export const serviceApiKeyConfig = "llm-observability:serviceApiKey";

export type Properties = Record<string, string>;

/** A provider host of the SDK, and the calls of the engine. Properties contain the provider's code, as in the state. */
export class Host {
  private constructor(
    private readonly child: ChildProcess,
    private readonly client: ResourceProviderClient,
  ) {}

  /** The output of the host, which the engine shows under the stack. */
  output = "";

  static async start(config: Properties): Promise<Host> {
    const main = join(root, "node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js");
    // The address of the engine, which these calls do not use.
    const child = spawn(process.execPath, [main, "127.0.0.1:1"], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    const early = once(child, "exit").then(([code]) => {
      throw new Error(`the provider host exited with ${code} before it listened`);
    });
    const [port] = await Promise.race([once(createInterface(child.stdout), "line"), early]);
    const host = new Host(child, new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure()));
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

  /** The operation of the engine: "none", "update", or "replace" with the fields that require it. */
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
    return Struct.fromJavaScript({ __provider: providerCode, ...properties });
  }

  private properties(struct: Struct | undefined): Properties {
    const { __provider, ...rest } = (struct?.toJavaScript() ?? {}) as Properties;
    expect(__provider).toBe(providerCode);
    return rest;
  }

  private call<T>(send: (done: (error: ServiceError | null, response: T) => void) => unknown): Promise<T> {
    return new Promise((resolve, reject) => send((error, response) => (error ? reject(error) : resolve(response))));
  }
}
