/** The expected values of each panel of "LLM Monitoring", by its title. */
import { grouped, type Named } from "../ledger";
import type { Line, metrics } from "../telemetry/service";
import type { ModelCall } from "../world/world";
import { graph, one, type PanelTruth, sumOf, topModels, type View, values } from "./expected";
import { time, usd, whole } from "./texts";

type Metric = keyof typeof metrics;

/** Grafana's maximum number of log lines. */
const maxLines = 1000;

/** The service's names of providers in the spec. Others keep theirs. */
const providers: Record<string, string> = { openai: "OpenAI", cohere: "Cohere", anthropic: "Anthropic" };

const samples = (metric: Metric, ...[ledger, window, selected]: View) => ledger.samples(metric, window, selected);
const total = (metric: Metric, ...view: View) => sumOf(samples(metric, ...view).map(({ value }) => value));
const mean = (metric: Metric, ...view: View) => total(metric, ...view) / samples(metric, ...view).length;

/** Without samples, there is no value. */
const some = (name: string, value: number): Named => (value === 0 ? new Map() : one(name, value));
const count = (...view: View) => samples("requestDuration", ...view).length;

const countBy =
  (name: (call: ModelCall) => string) =>
  (...view: View) =>
    grouped(samples("requestDuration", ...view).map(({ call }) => ({ name: name(call), value: 1 })));
const totalBy =
  (metric: Metric, name: (call: ModelCall) => string) =>
  (...view: View) =>
    grouped(samples(metric, ...view).map(({ call, value }) => ({ name: name(call), value })));

const meanOf = (metric: Metric, text = whole) => values((...view) => one("", mean(metric, ...view)), text);
const modelOf = ({ model }: ModelCall) => model.model || "(none)";
const lines =
  (type: Line["type"]): PanelTruth =>
  (ledger, window, selected) => ({ kind: "logs", lines: ledger.newestLines(type, window, selected, maxLines) });

export const llmMonitoring: Record<string, PanelTruth> = {
  "Total Requests": values((...view) => some("", count(...view))),
  "Avg Request Duration": meanOf("requestDuration", time),
  "Avg Tokens per Request": meanOf("totalTokens"),
  "Avg Cost / Request": meanOf("usageCost", usd()),
  "Total Cost": values((...view) => some("", total("usageCost", ...view)), usd(2)),
  "Total Requests overtime": graph((...view) => some("Requests", count(...view))),
  "Usage by Category": values(countBy(({ model }) => model.category)),
  "Usage cost by Provider": values(
    totalBy("usageCost", ({ model: { provider } }) => providers[provider] ?? provider),
    usd(),
  ),
  "Usage cost by Application": values(
    totalBy("usageCost", ({ process }) => process.application),
    usd(),
  ),
  "Usage cost by Environment": values(
    totalBy("usageCost", ({ process }) => process.environment ?? ""),
    usd(),
  ),
  "Avg Prompt Tokens / Request": meanOf("promptTokens"),
  "Avg Completion Tokens / Request": meanOf("completionTokens"),
  "Token usage overtime": graph(
    (...view) =>
      new Map([...one("Completion Tokens", mean("completionTokens", ...view)), ...one("Prompt Tokens", mean("promptTokens", ...view))]),
  ),
  "Top models by usage": values(countBy(modelOf), whole, topModels),
  "Token usage by model": graph(totalBy("totalTokens", modelOf)),
  Prompts: lines("prompt"),
  Responses: lines("response"),
};
