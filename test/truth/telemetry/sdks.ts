/** The SDKs: what each sends of a call, and so what a platform can know of it. Taken from recorded exports (test/recorded/otlp) and from the conventions. */
import { defaultBounds, instruments, type Metric } from "./instruments";

export interface Sdk {
  /** The attributes of its resource with the environment. */
  environment: readonly string[];
  /** OpenLIT: the application, `deployment.environment` and the SDK are on each point and span, too. */
  labelled?: true;
  /** The SDK of 2024, whose names the spec has: see `spec-sdk.ts`. None of the following applies to it. */
  spec?: true;
  /** How it names the metrics of calls to models: as released, as in the conventions after that, or both for each call. */
  names: readonly ("operation" | "inference")[];
  provider: "gen_ai.provider.name" | "gen_ai.system";
  /** The model that its points name. */
  model: "requested" | "answered";
  /** Its points of failed calls. `error`: they have the type of the error only. */
  failed: "all" | "error" | "nothing";
  /** Whether it sends the tokens of streamed calls. */
  streamedTokens: boolean;
  /** Sends cached and reasoning tokens as types of tokens, although they are parts of the others. */
  parts?: true;
  cost?: true;
  /** The time of the first token of streamed calls. */
  firstToken: readonly Metric[];
  /** Sends it for other calls, too: their whole duration. */
  firstTokenOfAll?: true;
  /** What it sends of agents and tools. `operations`: as operations like those of models. */
  agents: "conventions" | "operations" | "nothing";
  gateway?: true;
  /** The program has no SDK: only its gateway knows its requests. */
  silent?: true;
  /** Whether its histograms have OpenTelemetry's default bounds. */
  defaultBounds?: true;
  /** Whether spans of calls that succeed have the status OK. */
  ok?: true;
  /** Its spans have the numbers of tokens as text. */
  textTokens?: true;
  /** Whether spans have prompts and completions. */
  contents: boolean;
}

const conventional: Sdk = {
  environment: ["deployment.environment.name"],
  names: ["operation"],
  provider: "gen_ai.provider.name",
  model: "requested",
  failed: "all",
  streamedTokens: true,
  firstToken: [],
  agents: "conventions",
  contents: true,
};

export const chunk: Metric = "gen_ai.client.operation.time_to_first_chunk";
export const token: Metric = "gen_ai.server.time_to_first_token";

const openlit: Sdk = { ...conventional, labelled: true, cost: true, firstToken: [chunk, token], ok: true };

const all = {
  spec: { ...conventional, environment: ["deployment.environment"], spec: true },
  openlit: {
    ...openlit,
    environment: ["deployment.environment", "deployment.environment.name"],
    firstTokenOfAll: true,
    agents: "operations",
  },
  "openlit-node": { ...openlit, environment: ["deployment.environment"], failed: "nothing", agents: "nothing" },
  /** OpenTelemetry's own. */
  contrib: { ...conventional, provider: "gen_ai.system", streamedTokens: false, contents: false },
  openllmetry: {
    ...conventional,
    environment: ["deployment.environment"],
    model: "answered",
    failed: "error",
    firstToken: [token],
    defaultBounds: true,
  },
  inference: { ...conventional, names: ["inference"] },
  // No series has the same labels by both names.
  both: { ...conventional, names: ["operation", "inference"], provider: "gen_ai.system", firstToken: [chunk] },
  /** Grafana's. */
  agento11y: { ...conventional, parts: true, firstToken: [token], ok: true },
  /** LiteLLM's proxy, which reports the requests of its clients by OTLP: their names are an attribute. */
  litellm: { ...conventional, cost: true, gateway: true, contents: false },
  text: { ...conventional, textTokens: true },
  none: { ...conventional, names: [], silent: true },
  /** None: it sends everything, so that panels would show all known calls. */
  complete: { ...openlit, parts: true, agents: "conventions" },
} satisfies Record<string, Sdk>;

export type SdkName = keyof typeof all;
export const sdks: Readonly<Record<SdkName, Sdk>> = all;

export const boundsOf = (sdk: SdkName, metric: Metric): readonly number[] =>
  sdks[sdk].defaultBounds ? defaultBounds : (instruments[metric].bounds ?? []);
