/**
 * What a platform can know of a call from the metrics of the application's SDK, in the words of the dashboard: by SDK, without the names of metrics and
 * attributes. `sdks.ts` has those.
 */
import type { SdkName } from "./sdks";
import type { Call, ModelCall } from "./world";

export const measures = ["requests", "tokens", "cachedTokens", "cost", "firstToken", "agents", "tools", "mcp", "databases"] as const;
export type Measure = (typeof measures)[number];

/** Undefined if the SDK does not say. A label that is not here is none of the measure's. */
export interface Labels {
  application: string;
  environment: string | undefined;
  provider?: string | undefined;
  model?: string | undefined;
  operation?: string | undefined;
  /** Empty for calls that succeeded. */
  error?: string;
  tokenType?: string;
  agent?: string;
  tool?: string;
  method?: string;
  system?: string;
}

/** A number that counts, with the time of a call if the measure is one of calls. */
export interface Fact {
  measure: Measure;
  /** What the counter increases by. */
  value: number;
  /** Of calls: for percentiles and means. */
  seconds?: number;
  labels: Labels;
  /** What else distinguishes the series in which the SDK counts it. */
  series: string;
}

/** What the metrics of an SDK say of calls to models. */
interface Knowledge {
  /** `nothing`: failed calls are not counted. `error`: only that they failed, not what was called. */
  failed: "all" | "error" | "nothing";
  model: "requested" | "answered";
  tokens: "all" | "not streamed";
  cached: boolean;
  cost: boolean;
  firstToken: boolean;
}

const most: Knowledge = { failed: "all", model: "requested", tokens: "all", cached: false, cost: false, firstToken: true };

export const knowledge: Record<SdkName, Knowledge> = {
  openlit: { ...most, cost: true },
  "openlit-node": { ...most, cost: true, failed: "nothing" },
  contrib: { ...most, tokens: "not streamed", firstToken: false },
  openllmetry: { ...most, failed: "error", model: "answered" },
  inference: { ...most, cached: true },
  both: { ...most, cached: true },
  agento11y: { ...most, cached: true },
};

const secondsOf = ({ start, end }: Call) => (end - start) / 1000;

export function factsOf(call: Call): Fact[] {
  const { application, environment, sdk } = call.process;
  const labels: Labels = { application, environment, error: call.error ?? "" };
  if (call.kind === "model") return modelFacts(call, labels);
  // OpenLIT for Node.js records none of the others.
  if (sdk === "openlit-node") return [];
  const counted = (measure: Measure, more: Partial<Labels>): Fact[] => [
    { measure, value: 1, seconds: secondsOf(call), labels: { ...labels, ...more }, series: "" },
  ];
  switch (call.kind) {
    case "agent":
      return counted("agents", { agent: call.agent.name });
    case "tool":
      return counted("tools", { tool: call.tool });
    case "mcp":
      return counted("mcp", { method: call.method });
    case "database":
      return call.database.vector ? counted("databases", { system: call.database.system, operation: call.database.operation }) : [];
  }
}

function modelFacts(call: ModelCall, process: Labels): Fact[] {
  const { model, error, firstToken, inputTokens, outputTokens, cachedTokens, cost } = call;
  const known = knowledge[call.process.sdk];
  if (error && known.failed === "nothing") return [];
  const named = !error || known.failed === "all";
  const labels: Labels = {
    ...process,
    provider: named ? model.provider : undefined,
    model: named ? (known.model === "requested" ? model.model : model.answeredBy) : undefined,
    operation: named ? model.operation : undefined,
  };
  const fact = (measure: Measure, value: number, more: Partial<Labels> = {}, seconds?: number): Fact => ({
    ...{ measure, value, labels: { ...labels, ...more }, series: firstToken === undefined ? "" : "streamed" },
    ...(seconds === undefined ? {} : { seconds }),
  });
  const facts = [fact("requests", 1, {}, secondsOf(call))];
  if (known.cost) facts.push(fact("cost", error ? 0 : cost));
  if (error) return facts;
  if (known.tokens === "all" || firstToken === undefined) {
    facts.push(fact("tokens", inputTokens, { tokenType: "input" }));
    if (outputTokens !== undefined) facts.push(fact("tokens", outputTokens, { tokenType: "output" }));
  }
  if (known.cached) facts.push(fact("cachedTokens", cachedTokens));
  if (known.firstToken && firstToken !== undefined) facts.push(fact("firstToken", 1, {}, firstToken));
  return facts;
}
