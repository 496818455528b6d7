/** The stand-in plugins: the protocol between the engine and a plugin. */
import { credentials, type handleUnaryCall, Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Failure } from "./check";
import type { Diff } from "./diff";
import { type Log, Operations, type Provider } from "./operations";
import { fromStruct, reveal, same, toStruct, type Values } from "./values";

const noLimit = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };

/**
 * Serves a provider on a free port of the loopback interface. The engine starts the plugin with its address as argument, which receives messages
 * for the user, and reads the plugin's port from the first line of output.
 */
export async function main<C>(provider: Provider<C>): Promise<void> {
  const engine = process.argv.slice(2).find((argument) => !argument.startsWith("-"));
  if (engine === undefined) throw new Error("The engine starts this program, with its address as argument.");
  const server = new Server(noLimit);
  server.addService(ResourceProviderService, handlers(provider, new EngineClient(engine, credentials.createInsecure())));
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound))),
  );
  process.stdout.write(`${port}\n`);
  // Standard input closes when the engine ends, even if it was killed.
  process.stdin.resume().once("end", () => process.exit());
}

/** Other calls are unimplemented. The engine has a fallback for each. */
function handlers<C>(provider: Provider<C>, engine: EngineClient): UntypedServiceImplementation {
  /** Pending messages to the engine, one after another: the order of concurrent calls is undefined. */
  let said: Promise<void> = Promise.resolve();
  const log: Log = (urn, message) => {
    const request = new LogRequest().setSeverity(LogSeverity.INFO).setUrn(urn).setMessage(message);
    said = said.then(() => new Promise<void>((resolve) => engine.log(request, () => resolve())));
  };
  const operations = new Operations(provider, log);

  /** Sends pending messages first, because the engine may exit after the response. */
  const unary =
    <Request, Response>(handle: (request: Request) => Response | Promise<Response>): handleUnaryCall<Request, Response> =>
    ({ request }, callback) => {
      Promise.resolve(request)
        .then(handle)
        .finally(() => said)
        .then(
          (response) => callback(null, response),
          (error: Error) => callback({ message: error.message, details: error.message }, null),
        );
    };

  return {
    handshake: unary(() => new messages.ProviderHandshakeResponse().setAcceptSecrets(true)),
    getPluginInfo: unary(() => new PluginInfo().setVersion(provider.version)),
    checkConfig: unary((request: messages.CheckRequest) => {
      const news = fromStruct(request.getNews());
      return checked(news, operations.checkConfig(news));
    }),
    diffConfig: unary((request: messages.DiffRequest) => {
      const [olds, news] = [request.getOldInputs() ?? request.getOlds(), request.getNews()].map(
        (struct) => reveal(fromStruct(struct)) as Values,
      );
      const changed = Object.keys({ ...olds, ...news }).filter((key) => !same(olds?.[key], news?.[key]));
      return different({ changed, replaces: [], deleteBeforeReplace: false });
    }),
    configure: unary((request: messages.ConfigureRequest) => {
      operations.configure(fromStruct(request.getArgs()));
      return new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
    }),
    check: unary((request: messages.CheckRequest) => {
      const { inputs, failures } = operations.check(request.getUrn(), fromStruct(request.getNews()));
      return checked(inputs, failures);
    }),
    diff: unary((request: messages.DiffRequest) => {
      const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
      return different(operations.diff(request.getUrn(), olds, news, request.getIgnorechangesList()));
    }),
    create: unary(async (request: messages.CreateRequest) => {
      const { id, outputs } = await operations.create(request.getUrn(), fromStruct(request.getProperties()), request.getPreview());
      return new messages.CreateResponse().setId(id).setProperties(toStruct(outputs));
    }),
    /** A deleted resource has no id. */
    read: unary(async (request: messages.ReadRequest) => {
      const [olds, given] = [fromStruct(request.getProperties()), fromStruct(request.getInputs())];
      const read = await operations.read(request.getUrn(), request.getId(), olds, given);
      if (!read) return new messages.ReadResponse();
      return new messages.ReadResponse().setId(read.id).setProperties(toStruct(read.outputs)).setInputs(toStruct(read.inputs));
    }),
    update: unary(async (request: messages.UpdateRequest) => {
      const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
      const outputs = await operations.update(request.getUrn(), request.getId(), olds, news, request.getPreview());
      return new messages.UpdateResponse().setProperties(toStruct(outputs));
    }),
    delete: unary(async (request: messages.DeleteRequest) => {
      await operations.delete(request.getUrn(), request.getId(), fromStruct(request.getProperties()));
      return new Empty();
    }),
    cancel: unary(() => {
      operations.stop();
      return new Empty();
    }),
  };
}

function checked(inputs: Values, found: Failure[]): messages.CheckResponse {
  const list = found.map(({ property, reason }) => new messages.CheckFailure().setProperty(property).setReason(reason));
  return new messages.CheckResponse().setInputs(toStruct(inputs)).setFailuresList(list);
}

function different({ changed, replaces, deleteBeforeReplace }: Diff): messages.DiffResponse {
  const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
  return new messages.DiffResponse()
    .setChanges(changed.length > 0 ? DIFF_SOME : DIFF_NONE)
    .setDiffsList(changed)
    .setReplacesList(replaces)
    .setDeletebeforereplace(deleteBeforeReplace);
}
