/** A stand-in plugin as the engine sees it: served in this process, spoken to over gRPC. Its lines for the user reach nobody. */
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { type Provider, serve } from "../../sandbox/plugins/server";
import { fromStruct, toStruct, type Values } from "../../sandbox/plugins/values";

const urnOf = (type: string, name: string): string => `urn:pulumi:test::project::${type}::${name}`;

/** The operation of the engine ("same", "update", "replace", "replace, delete first"), and the properties that cause it. */
export interface Difference {
  op: string;
  changed: string[];
  /** The detailed diff, as in the JSON of the engine. */
  details?: Kinds;
}

export type Kinds = Record<string, { kind: string; inputDiff: boolean }>;

export interface ReadState {
  id: string;
  outputs: Values;
  inputs: Values;
}

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
  private constructor(
    private readonly client: ResourceProviderClient,
    private readonly close: () => void,
  ) {}

  static async start<C>(provider: Provider<C>, config: Values = {}): Promise<Plugin> {
    const { port, close } = await serve(provider, "127.0.0.1:1");
    const plugin = new Plugin(new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure()), close);
    await plugin.call("configure", new messages.ConfigureRequest().setArgs(toStruct(config)));
    return plugin;
  }

  stop(): void {
    this.client.close();
    this.close();
  }

  async check(type: string, name: string, news: Values, olds: Values = {}): Promise<{ inputs: Values; failures: string[] }> {
    const request = new messages.CheckRequest().setUrn(urnOf(type, name)).setOlds(toStruct(olds)).setNews(toStruct(news));
    const response = await this.call<messages.CheckResponse>("check", request);
    const failures = response.getFailuresList().map((failure) => `${failure.getProperty()}: ${failure.getReason()}`);
    return { inputs: fromStruct(response.getInputs()), failures };
  }

  async diff(type: string, olds: Values, news: Values): Promise<Difference> {
    const request = new messages.DiffRequest().setUrn(urnOf(type, "name")).setId("id");
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

  async update(type: string, id: string, olds: Values, news: Values): Promise<Values> {
    const request = new messages.UpdateRequest().setUrn(urnOf(type, "name")).setId(id);
    const response = await this.call<messages.UpdateResponse>("update", request.setOlds(toStruct(olds)).setNews(toStruct(news)));
    return fromStruct(response.getProperties());
  }

  async delete(type: string, id: string, outputs: Values): Promise<void> {
    await this.call("delete", new messages.DeleteRequest().setUrn(urnOf(type, "name")).setId(id).setProperties(toStruct(outputs)));
  }

  /** Fails with the words that the user would see. */
  private call<Response>(method: string, request: unknown): Promise<Response> {
    type Method = (request: unknown, done: (error: ServiceError | null, response: Response) => void) => void;
    const client = this.client as unknown as Record<string, Method>;
    return new Promise((resolve, reject) =>
      client[method]?.(request, (error, response) => (error ? reject(shown(error)) : resolve(response))),
    );
  }
}

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
  const replacement = response.getDeletebeforereplace() ? "replace, delete first" : "replace";
  const some = response.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME;
  const details = [...response.getDetaileddiffMap().entries()].map(([path, difference]): [string, Kinds[string]] => [
    path,
    { kind: kinds[difference.getKind()] ?? "", inputDiff: difference.getInputdiff() },
  ]);
  return {
    op: some ? (response.getReplacesList().length > 0 ? replacement : "update") : "same",
    changed: response.getDiffsList(),
    ...(response.getHasdetaileddiff() ? { details: Object.fromEntries(details) } : {}),
  };
}
