/** What the points of SDKs say in the words of the dashboards, without any query. */
import type { Attributes, Metric } from "./telemetry/instruments";
import { pointsOf } from "./telemetry/points";
import { boundsOf, sdks } from "./telemetry/sdks";
import { sdkName } from "./telemetry/spec-sdk";
import { known } from "./truths/expected";
import type { Call, Process } from "./world/world";

/** Those of today's SDKs, and those of the spec. */
export type Measure = keyof typeof sources;

/** Undefined if the SDK does not say. */
export type Labels = Readonly<ReturnType<typeof labelsOf>>;

export interface Fact {
  measure: Measure;
  metric: Metric;
  /** The first export with it. */
  at: number;
  /** What a counter increases by. */
  value: number;
  /** Of what is counted. */
  seconds: number;
  labels: Labels;
  /** Of the histogram's buckets. */
  bounds: readonly number[];
}

type Source = { metric: Metric; labels?: Partial<Labels>; counts?(attributes: Attributes): boolean };

const isOne =
  (attribute: string, ...values: string[]) =>
  (attributes: Attributes) =>
    values.includes(String(attributes[attribute]));
const operationIs = (...operations: string[]) => isOne("gen_ai.operation.name", ...operations);
const tokenTypeIs = (...types: string[]) => isOne("gen_ai.token.type", ...types);

const isVector = isOne("db.system.name", "chroma", "pinecone", "qdrant");
const isAgents = operationIs("invoke_agent", "execute_tool");

/** The spec filters by the SDK, and almost all panels by values of the application, which later releases do not send. */
const ofSdk = isOne("telemetry.sdk.name", sdkName);
const ofSpec = (metric: Metric): Source[][] => [
  [{ metric, counts: (attributes) => ofSdk(attributes) && "gen_ai.application_name" in attributes }],
];

const durations: Source[][] = [
  [{ metric: "gen_ai.client.operation.duration", counts: (attributes) => !isAgents(attributes) }],
  [{ metric: "gen_ai.client.inference.duration" }],
];

/** The metrics of each measure, the preferred ones first: a call counts once. */
const sources = {
  requests: durations,
  duration: durations,
  tokens: [
    [{ metric: "gen_ai.client.token.usage", counts: tokenTypeIs("input", "output") }],
    [
      { metric: "gen_ai.client.inference.usage.input_tokens", labels: { tokenType: "input" } },
      { metric: "gen_ai.client.inference.usage.output_tokens", labels: { tokenType: "output" } },
    ],
  ],
  cachedTokens: [
    [{ metric: "gen_ai.client.token.usage", counts: tokenTypeIs("cache_read") }],
    [{ metric: "gen_ai.client.inference.usage.cache_read.input_tokens" }],
  ],
  cost: [[{ metric: "gen_ai.usage.cost", counts: (attributes) => "gen_ai.operation.name" in attributes }]],
  "token requests": [[{ metric: "gen_ai.client.token.usage", counts: tokenTypeIs("input") }]],
  /** See `costs.ts`. */
  "priced requests": [],
  "tokens without cost": [],
  "requests without tokens": [],
  firstToken: [
    [{ metric: "gen_ai.client.inference.time_to_first_chunk" }],
    [{ metric: "gen_ai.client.operation.time_to_first_chunk" }],
    // OpenLIT sends it for requests that are not streamed, too.
    [{ metric: "gen_ai.server.time_to_first_token", counts: (attributes) => attributes["telemetry.sdk.name"] !== "openlit" }],
  ],
  /** Of gateways, by the application that called. All other measures are those of SDKs. */
  "gateway requests": [[{ metric: "gen_ai.client.operation.duration" }]],
  agents: [
    [{ metric: "gen_ai.invoke_agent.duration" }],
    [{ metric: "gen_ai.client.operation.duration", counts: operationIs("invoke_agent") }],
  ],
  tools: [
    [{ metric: "gen_ai.execute_tool.duration" }],
    [{ metric: "gen_ai.client.operation.duration", counts: operationIs("execute_tool") }],
  ],
  mcp: [[{ metric: "mcp.client.operation.duration" }]],
  databases: [[{ metric: "db.client.operation.duration", counts: isVector }]],
  "spec requests": ofSpec("gen_ai.total.requests"),
  "spec tokens": ofSpec("gen_ai.usage.total_tokens"),
  "spec prompt tokens": ofSpec("gen_ai.usage.prompt_tokens"),
  "spec completion tokens": ofSpec("gen_ai.usage.completion_tokens"),
  "spec database requests": ofSpec("db.total.requests"),
  "spec cost": ofSpec("gen_ai.usage.cost"),
  "spec cost of all": [[{ metric: "gen_ai.usage.cost", counts: ofSdk }]],
} satisfies Record<string, Source[][]>;

/** The others count calls. */
const amounts = /tokens|^spec cost|^(tokens|cachedTokens|cost)$/;

export function factsOf(call: Call): Fact[] {
  const { process, exportedAt: at } = call;
  if (at === undefined) return [];
  const points = pointsOf(call);
  const factsOfSource = (measure: Measure, { metric, labels, counts = () => true }: Source): Fact[] =>
    points
      .filter((point) => point.metric === metric && counts(point.attributes))
      .map(({ value, attributes }) => ({
        // What is not known counts as nothing.
        ...{ measure, metric, at, value: amounts.test(measure) ? (known(value) ?? 0) : 1, seconds: value },
        labels: { ...labelsOf(process, attributes), ...labels },
        bounds: boundsOf(process.sdk, metric),
      }));
  return (Object.keys(sources) as Measure[]).flatMap((measure) => {
    if ((measure === "gateway requests") !== (sdks[process.sdk].gateway === true)) return [];
    const generations: readonly Source[][] = sources[measure];
    const found = generations.map((generation) => generation.flatMap((source) => factsOfSource(measure, source)));
    return found.find(({ length }) => length > 0) ?? [];
  });
}

function labelsOf({ application, environment }: Process, attributes: Attributes) {
  const text = (...names: string[]) => names.map((name) => attributes[name] as string | undefined).find((found) => found !== undefined);
  return {
    application: text("metadata.user_api_key_alias") ?? (application as string | undefined),
    environment,
    provider: text("gen_ai.provider.name", "gen_ai.system"),
    model: text("gen_ai.request.model", "gen_ai.response.model"),
    operation: text("gen_ai.operation.name", "db.operation.name", "db.operation"),
    type: text("gen_ai.type"),
    error: text("error.type"),
    tokenType: text("gen_ai.token.type"),
    agent: text("gen_ai.agent.name"),
    tool: text("gen_ai.tool.name"),
    method: text("mcp.method.name"),
    system: text("db.system.name", "db.system"),
  };
}
