/** The stand-in plugins: the protocol between the engine and a plugin, for providers described by data. */
import { credentials, type handleUnaryCall, Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { checked, different, failed, kept } from "./answers";
import { failures, withDefaults } from "./check";
import { diff, planned } from "./diff";
import { importedInputs, refreshedInputs } from "./inputs";
import type { Call, Properties, Resource, State } from "./resource";
import { fromStruct, holdsSecret, marked, reveal, same, secret, toStruct, unknown, type Values } from "./values";

export interface Provider<C> {
  name: string;
  /** The version of the npm package. The engine refuses an older plugin. */
  version: string;
  config: Properties;
  /** @param config values other than strings are JSON */
  configure(config: Values): C;
  resources: Readonly<Record<string, Resource<C>>>;
}

const noLimit = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };

/**
 * Serves a provider on a free port of the loopback interface.
 *
 * @param engine the engine's address, which receives messages for the user
 */
export async function serve<C>(provider: Provider<C>, engine: string): Promise<{ port: number; close: () => void }> {
  const server = new Server(noLimit);
  const service = new ProviderService(provider, engine);
  server.addService(ResourceProviderService, service.handlers());
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound))),
  );
  return {
    port,
    close: () => {
      service.close();
      server.forceShutdown();
    },
  };
}

/** The engine starts the plugin with its address as argument, and reads the plugin's port from the first line of output. */
export async function main<C>(provider: Provider<C>): Promise<void> {
  const engine = process.argv.slice(2).find((argument) => !argument.startsWith("-"));
  if (engine === undefined) throw new Error("The engine starts this program, with its address as argument.");
  const { port } = await serve(provider, engine);
  process.stdout.write(`${port}\n`);
  // Standard input closes when the engine ends, even if it was killed.
  process.stdin.resume().once("end", () => process.exit());
}

class ProviderService<C> {
  private clients: C | undefined;
  private readonly engine: EngineClient;
  private readonly abort = new AbortController();
  /** Pending messages to the engine. */
  private said: Promise<void> = Promise.resolve();

  constructor(
    private readonly provider: Provider<C>,
    engine: string,
  ) {
    this.engine = new EngineClient(engine, credentials.createInsecure());
  }

  close(): void {
    this.engine.close();
  }

  /** Other calls are unimplemented. The engine has a fallback for each. */
  handlers(): UntypedServiceImplementation {
    const unary = <Request, Response>(handle: (request: Request) => Response | Promise<Response>) => this.unary(handle);
    return {
      handshake: unary(() => new messages.ProviderHandshakeResponse().setAcceptSecrets(true)),
      getPluginInfo: unary(() => new PluginInfo().setVersion(this.provider.version)),
      checkConfig: unary((request: messages.CheckRequest) => {
        const news = fromStruct(request.getNews());
        return checked(news, failures(this.provider.config, withoutEngineKeys(news)));
      }),
      diffConfig: unary((request: messages.DiffRequest) => {
        const [olds, news] = [request.getOldInputs() ?? request.getOlds(), request.getNews()].map(plain);
        const changed = Object.keys({ ...olds, ...news }).filter((key) => !same(olds?.[key], news?.[key]));
        const details = Object.fromEntries(changed.map((name) => [name, { kind: "update" as const, replace: false }]));
        return different({ changed, replaces: [], details, deleteBeforeReplace: false });
      }),
      configure: unary((request: messages.ConfigureRequest) => this.configure(request)),
      check: unary((request: messages.CheckRequest) => this.check(request)),
      diff: unary((request: messages.DiffRequest) => {
        const ignored = request.getIgnorechangesList();
        return different(diff(this.resource(request.getUrn()), plain(request.getOlds()), plain(request.getNews()), ignored));
      }),
      create: unary((request: messages.CreateRequest) => this.create(request)),
      read: unary((request: messages.ReadRequest) => this.read(request)),
      update: unary((request: messages.UpdateRequest) => this.update(request)),
      delete: unary(async (request: messages.DeleteRequest) => {
        await this.resource(request.getUrn()).delete(this.call(request.getUrn()), request.getId(), plain(request.getProperties()));
        return new Empty();
      }),
      cancel: unary(() => {
        this.abort.abort(new Error("stopped"));
        return new Empty();
      }),
    };
  }

  private configure(request: messages.ConfigureRequest): messages.ConfigureResponse {
    const { config, configure, name, version } = this.provider;
    const texts = withoutEngineKeys(plain(request.getArgs()));
    const found = failures(config, texts);
    if (found.length > 0) throw new Error(found.map(({ reason }) => reason).join("; "));
    this.clients = configure(texts);
    this.log("", `Sandbox: a stand-in takes the place of the ${name} plugin ${version}`);
    return new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
  }

  private check(request: messages.CheckRequest): messages.CheckResponse {
    const resource = this.resource(request.getUrn());
    const inputs = withDefaults(resource, fromStruct(request.getOlds()), fromStruct(request.getNews()), nameOf(request.getUrn()));
    return checked(inputs, failures(resource.properties, inputs));
  }

  private async create(request: messages.CreateRequest): Promise<messages.CreateResponse> {
    const resource = this.resource(request.getUrn());
    const inputs = plain(request.getProperties());
    const outputs = (state: Values) => this.outputs(resource, state, request.getProperties());
    if (request.getPreview()) {
      const later = Object.fromEntries([...resource.computed, ...absentComputed(resource, inputs)].map((name) => [name, unknown]));
      return new messages.CreateResponse().setProperties(outputs({ ...inputs, ...later }));
    }
    const created = (state: State) => outputs({ ...inputs, ...state.outputs, id: state.id });
    const state = await kept(resource.create(this.call(request.getUrn()), inputs, nameOf(request.getUrn())), created);
    return new messages.CreateResponse().setId(state.id).setProperties(created(state));
  }

  /** A deleted resource has no id. An imported one has no inputs yet: they are derived from its outputs. */
  private async read(request: messages.ReadRequest): Promise<messages.ReadResponse> {
    const resource = this.resource(request.getUrn());
    const olds = plain(request.getProperties());
    const state = await resource.read(this.call(request.getUrn()), request.getId(), olds);
    if (!state) return new messages.ReadResponse();
    const outputs = this.outputs(resource, { ...olds, ...state.outputs, id: state.id }, request.getProperties());
    const given = fromStruct(request.getInputs());
    const found = reveal(fromStruct(outputs)) as Values;
    const inputs =
      Object.keys(olds).length > 0 ? refreshedInputs(resource, reveal(given) as Values, found) : importedInputs(resource, found);
    const like = Object.keys(given).length > 0 ? given : fromStruct(outputs);
    return new messages.ReadResponse()
      .setId(state.id)
      .setProperties(outputs)
      .setInputs(toStruct(marked(inputs, like) as Values));
  }

  private async update(request: messages.UpdateRequest): Promise<messages.UpdateResponse> {
    const resource = this.resource(request.getUrn());
    const [olds, given] = [plain(request.getOlds()), plain(request.getNews())];
    const news = resource.bridge ? planned(resource.properties, olds, given) : given;
    const staying = Object.fromEntries(
      Object.entries(olds).filter(([name]) => !(name in resource.properties) || resource.properties[name]?.computed),
    );
    const outputs = (state: Values) => this.outputs(resource, { ...staying, ...news, ...state }, request.getNews());
    const response = new messages.UpdateResponse();
    if (request.getPreview()) {
      return response.setProperties(outputs(resource.volatile ? Object.fromEntries(resource.computed.map((name) => [name, unknown])) : {}));
    }
    const updated = (state: State) => outputs({ ...state.outputs, id: state.id });
    return response.setProperties(updated(await kept(resource.update(this.call(request.getUrn()), request.getId(), olds, news), updated)));
  }

  private resource(urn: string): Resource<C> {
    const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
    const resource = this.provider.resources[type];
    if (!resource) throw new Error(`the stand-in for the ${this.provider.name} plugin has no resource ${type}`);
    return resource;
  }

  /** Marks secret inputs, and properties that are always secret. */
  private outputs({ properties, secrets = [], bridge }: Resource<C>, state: Values, source: Struct | undefined): Struct {
    const given = fromStruct(source);
    // The bridge marks these as secret even without a value.
    const hidden = Object.keys(properties).filter((name) => bridge === "sdk" && properties[name]?.secret);
    const isSecret = (name: string) => holdsSecret(given[name]) || properties[name]?.secret || secrets.includes(name);
    const { __defaults: _, ...rest } = state;
    const empty = hidden.filter((name) => rest[name] === undefined).map((name): [string, unknown] => [name, null]);
    const present = [...Object.entries(rest).filter(([, value]) => value !== undefined), ...empty];
    return toStruct(Object.fromEntries(present.map(([name, value]) => [name, isSecret(name) ? secret(value) : value])));
  }

  private call(urn: string): Call<C> {
    if (this.clients === undefined) throw new Error(`the ${this.provider.name} provider is not configured`);
    return { clients: this.clients, urn, signal: this.abort.signal, log: (line, severity) => this.log(urn, line, severity) };
  }

  private log(urn: string, message: string, severity: "info" | "error" = "info"): void {
    const level = severity === "error" ? LogSeverity.ERROR : LogSeverity.INFO;
    const request = new LogRequest().setSeverity(level).setUrn(urn).setMessage(message);
    // One after another: the order of concurrent calls is undefined.
    this.said = this.said.then(() => new Promise<void>((resolve) => this.engine.log(request, () => resolve())));
  }

  /** Sends pending messages first, because the engine may exit after the response. */
  private unary<Request, Response>(handle: (request: Request) => Response | Promise<Response>): handleUnaryCall<Request, Response> {
    return ({ request }, callback) => {
      Promise.resolve(request)
        .then(handle)
        .finally(() => this.said)
        .then(
          (response) => callback(null, response),
          (error: Error) => callback({ message: error.message, details: error.message, ...failed(error) }, null),
        );
    };
  }
}

const plain = (struct: Struct | undefined): Values => reveal(fromStruct(struct)) as Values;

const nameOf = (urn: string): string => urn.split("::").at(-1) ?? "";

/** The provider's settings without those of the engine. */
function withoutEngineKeys({ version: _v, pluginDownloadURL: _u, ...values }: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith("__")));
}

const absentComputed = <C>({ properties }: Resource<C>, inputs: Values): string[] =>
  Object.keys(properties).filter((name) => properties[name]?.computed && inputs[name] === undefined);
