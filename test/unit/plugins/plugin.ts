/** A stand-in plugin as the engine sees it: served in this process, spoken to over gRPC, with an engine that keeps the lines for the user. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { credentials, Server, ServerCredentials, type ServiceError, status } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type Provider, serve } from "../../sandbox/plugins/server";
import { fromStruct, toStruct, type Values } from "../../sandbox/plugins/values";

export const urnOf = (type: string, name: string): string => `urn:pulumi:test::project::${type}::${name}`;

/** The operation of the engine ("same", "update", "replace", "replace, delete first"), and the properties that cause it. */
export interface Difference {
  op: string;
  changed: string[];
  replaces: string[];
  /** The detailed diff, as in the JSON of the engine. */
  details?: Kinds;
}

export type Kinds = Record<string, { kind: string; inputDiff: boolean }>;

/** A failed operation with a state to store. */
export class Halfway extends Error {
  constructor(
    message: string,
    readonly id: string,
    readonly outputs: Values,
  ) {
    super(message);
  }
}

export class Plugin {
  /** The log lines of the user: "name: line". */
  readonly lines: string[] = [];
  private readonly engine = new Server();
  private client: ResourceProviderClient | undefined;
  private close: () => void = () => undefined;

  private constructor() {
    this.engine.addService(EngineService, {
      log: ({ request }: { request: LogRequest }, callback: (error: null, response: Empty) => void) => {
        this.lines.push(`${request.getUrn().split("::").at(-1)}: ${request.getMessage()}`);
        callback(null, new Empty());
      },
    });
  }

  /** @param config texts, and JSON where the provider's setting is no text */
  static start<C>(provider: Provider<C>, config: Values = {}): Promise<Plugin> {
    return Plugin.connect((engine) => serve(provider, engine), config);
  }

  /** Starts the program that the engine finds on PATH, in the folder of a program. */
  static launch(name: string, cwd: string, config: Values = {}): Promise<Plugin> {
    return Plugin.connect(async (engine) => {
      const child = spawn(join(__dirname, "../../sandbox/plugins/bin", name), [engine], { cwd, stdio: ["pipe", "pipe", "inherit"] });
      const [port] = await once(createInterface(child.stdout), "line");
      return { port: Number(port), close: () => void child.kill() };
    }, config);
  }

  private static async connect(begin: (engine: string) => Promise<{ port: number; close: () => void }>, config: Values): Promise<Plugin> {
    const plugin = new Plugin();
    const engine = await new Promise<number>((resolve, reject) =>
      plugin.engine.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      ),
    );
    const { port, close } = await begin(`127.0.0.1:${engine}`);
    plugin.close = close;
    plugin.client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    await plugin.configure(config);
    return plugin;
  }

  stop(): void {
    this.client?.close();
    this.close();
    this.engine.forceShutdown();
  }

  async configure(config: Values): Promise<void> {
    await this.call("configure", new messages.ConfigureRequest().setArgs(toStruct(config)));
  }

  async checkConfig(news: Values): Promise<{ inputs: Values; failures: string[] }> {
    return checked(await this.call("checkConfig", new messages.CheckRequest().setNews(toStruct(news))));
  }

  async diffConfig(olds: Values, news: Values): Promise<Difference> {
    const request = new messages.DiffRequest().setOldInputs(toStruct(olds)).setOlds(toStruct(olds)).setNews(toStruct(news));
    return different(await this.call("diffConfig", request));
  }

  async check(type: string, name: string, news: Values, olds: Values = {}): Promise<{ inputs: Values; failures: string[] }> {
    const request = new messages.CheckRequest().setUrn(urnOf(type, name)).setOlds(toStruct(olds)).setNews(toStruct(news));
    return checked(await this.call("check", request));
  }

  async diff(type: string, olds: Values, news: Values, ignored: string[] = []): Promise<Difference> {
    const request = new messages.DiffRequest().setUrn(urnOf(type, "name")).setId("id").setIgnorechangesList(ignored);
    return different(await this.call("diff", request.setOlds(toStruct(olds)).setNews(toStruct(news))));
  }

  async create(type: string, name: string, inputs: Values, preview = false): Promise<{ id: string; outputs: Values }> {
    const request = new messages.CreateRequest().setUrn(urnOf(type, name)).setProperties(toStruct(inputs)).setPreview(preview);
    const response = await this.call<messages.CreateResponse>("create", request);
    return { id: response.getId(), outputs: fromStruct(response.getProperties()) };
  }

  /** @returns undefined where it is gone */
  async read(type: string, id: string, outputs: Values = {}, inputs: Values = {}): Promise<ReadState | undefined> {
    const request = new messages.ReadRequest().setUrn(urnOf(type, "name")).setId(id);
    const response = await this.call<messages.ReadResponse>("read", request.setProperties(toStruct(outputs)).setInputs(toStruct(inputs)));
    if (response.getId() === "") return undefined;
    return { id: response.getId(), outputs: fromStruct(response.getProperties()), inputs: fromStruct(response.getInputs()) };
  }

  async update(type: string, id: string, olds: Values, news: Values, preview = false): Promise<Values> {
    const request = new messages.UpdateRequest().setUrn(urnOf(type, "name")).setId(id).setPreview(preview);
    const response = await this.call<messages.UpdateResponse>("update", request.setOlds(toStruct(olds)).setNews(toStruct(news)));
    return fromStruct(response.getProperties());
  }

  async delete(type: string, id: string, outputs: Values): Promise<void> {
    await this.call("delete", new messages.DeleteRequest().setUrn(urnOf(type, "name")).setId(id).setProperties(toStruct(outputs)));
  }

  async invoke(token: string, args: Values): Promise<{ result: Values; failures: string[] }> {
    const request = new messages.InvokeRequest().setTok(token).setArgs(toStruct(args));
    const response = await this.call<messages.InvokeResponse>("invoke", request);
    return { result: fromStruct(response.getReturn()), failures: response.getFailuresList().map(reason) };
  }

  /** The version, and whether the engine gets the answers on which it has ways of its own. */
  async info(): Promise<{ version: string; acceptsSecrets: boolean; schema: number | undefined }> {
    const version = await this.call<{ getVersion(): string }>("getPluginInfo", new Empty());
    const handshake = await this.call<messages.ProviderHandshakeResponse>("handshake", new messages.ProviderHandshakeRequest());
    const schema = await this.call("getSchema", new messages.GetSchemaRequest()).catch((error: ServiceError) => error.code);
    return {
      version: version.getVersion(),
      acceptsSecrets: handshake.getAcceptSecrets(),
      schema: schema === status.UNIMPLEMENTED ? schema : undefined,
    };
  }

  /** Fails with the words that the user would see. */
  private call<Response>(method: string, request: unknown): Promise<Response> {
    const client = this.client as unknown as Record<
      string,
      (request: unknown, done: (error: ServiceError | null, r: Response) => void) => void
    >;
    return new Promise((resolve, reject) =>
      client[method]?.(request, (error, response) => (error ? reject(shown(error)) : resolve(response))),
    );
  }
}

export interface ReadState {
  id: string;
  outputs: Values;
  inputs: Values;
}

const reason = (failure: messages.CheckFailure): string => `${failure.getProperty()}: ${failure.getReason()}`;

const checked = (response: messages.CheckResponse) => ({
  inputs: fromStruct(response.getInputs()),
  failures: response.getFailuresList().map(reason),
});

/** The message that the engine shows. */
function shown(error: ServiceError): Error {
  const [packed] = error.metadata.get("grpc-status-details-bin");
  const [detail] = packed ? Status.deserializeBinary(Buffer.from(packed)).getDetailsList() : [];
  const kept = detail?.unpack(messages.ErrorResourceInitFailed.deserializeBinary, "pulumirpc.ErrorResourceInitFailed");
  if (!kept) return Object.assign(error, { message: error.details });
  return new Halfway(kept.getReasonsList().join("\n"), kept.getId(), fromStruct(kept.getProperties()));
}

const kinds = ["add", "add-replace", "delete", "delete-replace", "update", "update-replace"];

function different(response: messages.DiffResponse): Difference {
  const [changed, replaces] = [response.getDiffsList(), response.getReplacesList()];
  const replacement = response.getDeletebeforereplace() ? "replace, delete first" : "replace";
  const some = response.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME;
  const details = [...response.getDetaileddiffMap().entries()].map(([path, difference]): [string, Kinds[string]] => [
    path,
    { kind: kinds[difference.getKind()] ?? "", inputDiff: difference.getInputdiff() },
  ]);
  return {
    op: some ? (replaces.length > 0 ? replacement : "update") : "same",
    changed,
    replaces,
    ...(response.getHasdetaileddiff() ? { details: Object.fromEntries(details) } : {}),
  };
}
