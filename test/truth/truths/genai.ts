/** The expected values of each panel of "GenAI Observability", by its title. A panel without a title has its row's title and its type. */
import type { Labels, Measure } from "../facts";
import { specContents, specSpanName } from "../telemetry/spec-sdk";
import type { Call } from "../world/world";
import { graph, known, maxSpans, one, type PanelTruth, type Row, sumOf, topModels, type View, values } from "./expected";
import { usd, whole } from "./texts";

const increase = (measure: Measure, label?: keyof Labels, text = whole, top?: number) =>
  values((ledger, window, selected) => ledger.increase(measure, window, selected, label), text, top);

const mean = (sum: Measure, count: Measure, ...[ledger, window, selected]: View) => {
  const values = ledger.facts(sum, window, selected).map(({ value }) => value);
  return sumOf(values) / ledger.facts(count, window, selected).length;
};

const rows =
  (kind: Call["kind"], cells: (call: Call) => Row): PanelTruth =>
  (ledger, window, selected) => ({
    kind: "rows",
    rows: ledger.specSpans([kind], window, selected, maxSpans).map((call) => ({
      Time: call.start,
      Duration: (call.end - call.start) * 1_000_000,
      Application: call.process.application,
      Environment: call.process.environment,
      ...cells(call),
    })),
  });

export const genai: Record<string, PanelTruth> = {
  "Total Successful GenAI Requests": increase("spec requests"),
  "Total Successful VectorDB Requests": increase("spec database requests"),
  "Total Usage Tokens": increase("spec tokens"),
  "Total Usage Cost": increase("spec cost", undefined, usd(2)),
  "Avg Usage Cost": values((...view) => one("", mean("spec cost", "spec cost", ...view)), usd()),
  "Request Duration Distribution": (ledger, window, selected) => ({
    kind: "durations",
    durations: ledger.specSpans(["model", "database"], window, selected, maxSpans).map(({ start, end }) => (end - start) / 1000),
  }),
  "Top GenAI Models by Usage": increase("spec requests", "model", whole, topModels),
  "GenAI Requests by Platform": increase("spec requests", "provider"),
  "GenAI Requests by Type": increase("spec requests", "type"),
  "GenAI Requests by Environment": increase("spec requests", "environment"),
  "GenAI Requests by Application": increase("spec requests", "application"),
  "VectorDB Usage by System": increase("spec database requests", "system"),
  "DB Requests by Operation": increase("spec database requests", "operation"),
  "Average Token Consumption vs. Average Usage Cost Comparison": graph(
    (ledger, step, selected) =>
      new Map([
        ...one("Avg Prompt Tokens", mean("spec prompt tokens", "spec requests", ledger, step, selected)),
        // The spec filters these two by the SDK only: costs of its later releases are among them.
        ...one("Avg Completion Tokens", mean("spec completion tokens", "spec requests", ledger, step, {})),
        ...one("Avg Cost", mean("spec cost of all", "spec cost of all", ledger, step, {})),
      ]),
    whole,
    { "Avg Cost": usd(4) },
  ),
  "GenAI Requests, table": rows("model", (call) => {
    const contents = specContents(call);
    const cost = call.kind === "model" ? known(call.cost) : undefined;
    return {
      Model: (call.kind === "model" && call.model.model) || undefined,
      Prompt: contents["gen_ai.content.prompt"],
      Completion: contents["gen_ai.content.completion"],
      Cost: cost === undefined ? undefined : usd()(cost),
    };
  }),
  "VectorDB Requests, table": rows("database", (call) => ({ Operation: specSpanName(call) })),
};
