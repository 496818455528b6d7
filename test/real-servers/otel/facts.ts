/**
 * What a platform can know of a call from the metrics of the application's SDK, in the words of the dashboard, without the names of metrics and attributes. Read
 * directly, it is less: only what the SDK sends by the names that most SDKs have.
 */
import type { CounterMode } from "../../../src/signals/counters";
import { chunk, type Sdk, type SdkName, sdks } from "./sdks";
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
  sdk: SdkName;
  /** What the counter increases by. */
  value: number;
  /** Of calls: for percentiles and means. */
  seconds?: number;
  labels: Labels;
  /** What else distinguishes the series in which the SDK counts it. */
  series: string;
}

const secondsOf = ({ start, end }: Call) => (end - start) / 1000;

export function factsOf(call: Call, mode: CounterMode): Fact[] {
  const { application, environment, sdk } = call.process;
  const { agents, labelled } = sdks[sdk];
  // The resource is not read.
  const labels: Labels = { application, environment: mode === "recorded" || labelled ? environment : undefined, error: call.error ?? "" };
  if (call.kind === "model") return modelFacts(call, labels, mode);
  const counted = (measure: Measure, more: Partial<Labels>): Fact[] =>
    agents === "nothing" ? [] : [{ measure, sdk, value: 1, seconds: secondsOf(call), labels: { ...labels, ...more }, series: "" }];
  const hidden = mode === "direct" && agents === "operations";
  switch (call.kind) {
    case "agent":
      return hidden ? [] : counted("agents", { agent: call.agent.name });
    case "tool":
      return hidden ? [] : counted("tools", { tool: call.tool });
    case "mcp":
      return counted("mcp", { method: call.method });
    case "database":
      return call.database.vector ? counted("databases", { system: call.database.system, operation: call.database.operation }) : [];
  }
}

/** Whether the SDK sends the measure by a name that is read. */
function sends({ names, parts, cost, firstToken }: Sdk, measure: Measure, mode: CounterMode): boolean {
  const latest = mode === "recorded" && names.includes("inference");
  switch (measure) {
    case "cost":
      return cost === true;
    case "cachedTokens":
      return latest || parts === true;
    case "firstToken":
      return latest || (mode === "direct" ? firstToken.includes(chunk) : firstToken.length > 0);
    default:
      return latest || names.includes("operation");
  }
}

function modelFacts(call: ModelCall, process: Labels, mode: CounterMode): Fact[] {
  const { model, error, firstToken, inputTokens, outputTokens, cachedTokens, cost } = call;
  const sdk = sdks[call.process.sdk];
  if (error && sdk.failed === "nothing") return [];
  const named = !error || sdk.failed === "all";
  const answered = mode === "recorded" ? model.answeredBy : undefined;
  const labels: Labels = {
    ...process,
    provider: named ? model.provider : undefined,
    model: named ? (sdk.model === "requested" ? model.model : answered) : undefined,
    operation: named ? model.operation : undefined,
  };
  const fact = (measure: Measure, value: number | undefined, more: Partial<Labels> = {}, seconds?: number): Fact[] => {
    if (value === undefined || !sends(sdk, measure, mode)) return [];
    const series = firstToken === undefined ? "" : "streamed";
    return [
      { measure, sdk: call.process.sdk, value, labels: { ...labels, ...more }, series, ...(seconds === undefined ? {} : { seconds }) },
    ];
  };
  const counted = [...fact("requests", 1, {}, secondsOf(call)), ...fact("cost", error ? 0 : cost)];
  if (error) return counted;
  const known = firstToken === undefined || sdk.streamedTokens;
  return [
    ...counted,
    ...(known ? [...fact("tokens", inputTokens, { tokenType: "input" }), ...fact("tokens", outputTokens, { tokenType: "output" })] : []),
    ...fact("cachedTokens", cachedTokens),
    ...fact("firstToken", firstToken === undefined ? undefined : 1, {}, firstToken),
  ];
}
