/** The stand-in plugins: the operations of a provider that is described by data, on values with marks for secrets. */
import { type Failure, failures, withDefaults } from "./check";
import { type Diff, diff, planned } from "./diff";
import { importedInputs, refreshedInputs } from "./inputs";
import type { Call, Properties, Resource, State } from "./resource";
import { holdsSecret, marked, reveal, secret, unknown, type Values } from "./values";

export interface Provider<C> {
  name: string;
  /** The version of the npm package. The engine refuses an older plugin. */
  version: string;
  config: Properties;
  /** @param config values other than strings are JSON */
  configure(config: Values): C;
  resources: Readonly<Record<string, Resource<C>>>;
}

/** Prints a line for a resource. */
export type Log = (urn: string, line: string) => void;

export class Operations<C> {
  private clients: C | undefined;
  private readonly abort = new AbortController();

  constructor(
    readonly provider: Provider<C>,
    private readonly log: Log,
  ) {}

  stop(): void {
    this.abort.abort(new Error("stopped"));
  }

  /** @throws Error for invalid settings */
  configure(settings: Values): void {
    const { config, configure, name, version } = this.provider;
    const values = withoutEngineKeys(plain(settings));
    const found = failures(config, values);
    if (found.length > 0) throw new Error(found.map(({ reason }) => reason).join("; "));
    this.clients = configure(values);
    this.log("", `Sandbox: a stand-in takes the place of the ${name} plugin ${version}`);
  }

  checkConfig(settings: Values): Failure[] {
    return failures(this.provider.config, withoutEngineKeys(settings));
  }

  check(urn: string, news: Values): { inputs: Values; failures: Failure[] } {
    const resource = this.resource(urn);
    const inputs = withDefaults(resource, news);
    return { inputs, failures: failures(resource.properties, inputs) };
  }

  diff(urn: string, olds: Values, news: Values, ignored: readonly string[] = []): Diff {
    return diff(this.resource(urn), plain(olds), plain(news), ignored);
  }

  async create(urn: string, given: Values, preview = false): Promise<State> {
    const resource = this.resource(urn);
    const inputs = plain(given);
    if (preview) {
      const { properties, computed } = resource;
      const absent = Object.keys(properties).filter((name) => properties[name]?.computed && inputs[name] === undefined);
      const later = Object.fromEntries([...computed, ...absent].map((name) => [name, unknown]));
      return { id: "", outputs: outputsOf(resource, { ...inputs, ...later }, given) };
    }
    const { id, outputs } = await resource.create(this.call(urn), inputs, urn.split("::").at(-1) ?? "");
    return { id, outputs: outputsOf(resource, { ...inputs, ...outputs, id }, given) };
  }

  /** An imported resource has no state and no inputs yet: they are derived from its outputs. */
  async read(urn: string, id: string, state: Values, given: Values): Promise<(State & { inputs: Values }) | undefined> {
    const resource = this.resource(urn);
    const olds = plain(state);
    const read = await resource.read(this.call(urn), id, olds);
    if (!read) return undefined;
    const outputs = outputsOf(resource, { ...olds, ...read.outputs, id: read.id }, state);
    const isImport = Object.keys(olds).length === 0;
    const inputs = isImport ? importedInputs(resource, plain(outputs)) : refreshedInputs(resource, plain(given), plain(outputs));
    return { id: read.id, outputs, inputs: marked(inputs, Object.keys(given).length > 0 ? given : outputs) as Values };
  }

  async update(urn: string, id: string, state: Values, given: Values, preview = false): Promise<Values> {
    const resource = this.resource(urn);
    const olds = plain(state);
    const news = resource.bridge ? planned(resource.properties, olds, plain(given)) : plain(given);
    const staying = Object.fromEntries(
      Object.entries(olds).filter(([name]) => !(name in resource.properties) || resource.properties[name]?.computed),
    );
    const updated = (outputs: Values) => outputsOf(resource, { ...staying, ...news, ...outputs }, given);
    if (preview) return updated(resource.volatile ? Object.fromEntries(resource.computed.map((name) => [name, unknown])) : {});
    const found = await resource.update(this.call(urn), id, olds, news);
    return updated({ ...found.outputs, id: found.id });
  }

  async delete(urn: string, id: string, state: Values): Promise<void> {
    await this.resource(urn).delete(this.call(urn), id, plain(state));
  }

  private resource(urn: string): Resource<C> {
    const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
    const resource = this.provider.resources[type];
    if (!resource) throw new Error(`the stand-in for the ${this.provider.name} plugin has no resource ${type}`);
    return resource;
  }

  private call(urn: string): Call<C> {
    if (this.clients === undefined) throw new Error(`the ${this.provider.name} provider is not configured`);
    return { clients: this.clients, urn, signal: this.abort.signal, log: (line) => this.log(urn, line) };
  }
}

/** Marks secret inputs, and properties that are always secret. */
function outputsOf<C>({ properties, bridge }: Resource<C>, state: Values, given: Values): Values {
  // The bridge marks these as secret even without a value.
  const hidden = Object.keys(properties).filter((name) => bridge === "sdk" && properties[name]?.secret);
  const isSecret = (name: string) => holdsSecret(given[name]) || properties[name]?.secret;
  const { __defaults: _, ...rest } = state;
  const empty = hidden.filter((name) => rest[name] === undefined).map((name): [string, unknown] => [name, null]);
  const present = [...Object.entries(rest).filter(([, value]) => value !== undefined), ...empty];
  return Object.fromEntries(present.map(([name, value]) => [name, isSecret(name) ? secret(value) : value]));
}

const plain = (values: Values): Values => reveal(values) as Values;

/** The provider's settings without those of the engine. */
function withoutEngineKeys({ version: _v, pluginDownloadURL: _u, ...values }: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith("__")));
}
