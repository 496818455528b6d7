/** Columns of the tables of spans. Prompts and completions share the width that the others leave. */
import { TableCellDisplayMode } from "@grafana/grafana-foundation-sdk/common";
import { MappingType } from "@grafana/grafana-foundation-sdk/dashboard";
import { environmentAttributes } from "../signals/identity";
import { costAttributes, messageAttributes, spanAttributes } from "../signals/opentelemetry-traces";
import { failedColor, neutral } from "./colors";

/** A column of a table of spans: its name in Tempo's response, and its properties. */
export interface Column {
  name: string;
  /** The title, if it differs from the name. */
  title?: string;
  /** Pixels. Columns without a width share the rest. */
  width?: number;
  /** Others, by Grafana's ids. */
  properties?: Readonly<Record<string, unknown>>;
}

/** Long text is broken into lines, since Grafana 12.2; older releases show its beginning. Without a minimum, a column has 150 pixels or more. */
const longText = { "custom.wrapText": true, "custom.minWidth": 95 };

/** Shows a part of a text. The cell's value stays whole. */
const shortened = (pattern: string) => ({
  mappings: [{ type: MappingType.RegexToText, options: { pattern, result: { text: "$1", index: 0 } } }],
});

/** Numbers, which up to Grafana 12.3 are text: units and decimals apply to both. A conversion would make a missing one 0, up to 13.0. */
const numeric = { "custom.align": "right" };

/**
 * Columns of all tables, as narrow as their texts: beside Grafana's docked menu, a window of 1280 pixels has 930 for a table. The year is that of the time
 * range. The link to the trace is the span's id, of which the beginning is enough.
 */
const timeColumn: Column = { name: "Start time", title: "Time", width: 94, properties: { unit: "time:MM-DD HH:mm" } };
const durationColumn: Column = { name: "Duration", width: 76 };
const traceColumn: Column = { name: "Span ID", title: "Trace", width: 56, properties: shortened("/^(.{4}).*$/") };
/** Names break into lines at hyphens. */
const applicationColumn = (name: string, width = 120): Column => ({ name, title: "Application", width, properties: longText });
const modelColumn = (name: string): Column => ({ name, title: "Model", width: 96, properties: longText });

/** The cost of a request: an embedding costs some millionths of a dollar. */
const costColumn = (name: string): Column => ({
  name,
  title: "Cost",
  width: 88,
  properties: { ...numeric, unit: "currencyUSD", decimals: 6 },
});

/** The status of a span: a failed one is marked. The conventions leave the status of a success unset. */
const statuses = {
  error: { text: "failed", color: failedColor, index: 0 },
  ok: { text: "ok", color: neutral, index: 1 },
  unset: { text: "ok", color: neutral, index: 2 },
};
const statusColumn: Column = {
  name: "status",
  title: "Status",
  width: 60,
  properties: {
    "custom.cellOptions": { type: TableCellDisplayMode.ColorText },
    mappings: [{ type: MappingType.ValueToText, options: statuses }],
  },
};

/** Of "GenAI Observability": the spec's. */
export const specColumns: readonly Column[] = [
  timeColumn,
  applicationColumn("gen_ai.application_name"),
  modelColumn("gen_ai.request.model"),
  { name: "Name", title: "Operation" },
  { name: "gen_ai.content.prompt", title: "Prompt", properties: longText },
  { name: "gen_ai.content.completion", title: "Completion", properties: longText },
  costColumn("gen_ai.usage.cost"),
  durationColumn,
  { name: "gen_ai.environment", title: "Environment", width: 106 },
  traceColumn,
];

/** Columns that are the same in all rows, by the filters of its queries. */
export const specFilterColumns = ["gen_ai.type", "status", "telemetry.sdk.name"];

const { application, operation, model, inputTokens, outputTokens, error, databaseSystem, databaseOperation, databaseCollection } =
  spanAttributes;

/** Types of errors without the module of Python, which some SDKs write: openai.RateLimitError. */
const errorColumn: Column = {
  name: error,
  title: "Error",
  width: 120,
  properties: { ...longText, ...shortened("/^(?:\\w+\\.)+(\\w+)$/") },
};

const tokens = (name: string, title: string, width: number): Column => ({
  name,
  title,
  width,
  properties: { ...numeric, unit: "locale", decimals: 0, "custom.wrapHeaderText": true },
});

/** The text of the last message in the JSON of messages, `[{"role":"user","parts":[{"type":"text","content":"…"}]}]`. Other texts stay as they are. */
const lastMessage = shortened('/^\\[\\{[\\s\\S]*"content": ?"((?:[^"\\\\]|\\\\.)*)[\\s\\S]*$/');

const message = (name: string, title: string): Column => ({ name, title, properties: { ...longText, ...lastMessage } });

/** Of requests to models. */
export const requestColumns: readonly Column[] = [
  timeColumn,
  applicationColumn(application, 90),
  modelColumn(model),
  message(messageAttributes.prompt, "Prompt"),
  message(messageAttributes.completion, "Completion"),
  tokens(inputTokens, "Tokens in", 66),
  tokens(outputTokens, "Tokens out", 60),
  ...costAttributes.map(costColumn),
  durationColumn,
  statusColumn,
  traceColumn,
];

/** Of requests to vector databases. */
export const databaseColumns: readonly Column[] = [
  timeColumn,
  applicationColumn(application),
  { name: databaseSystem, title: "System", properties: longText },
  { name: databaseOperation, title: "Operation", properties: longText },
  { name: databaseCollection, title: "Collection", properties: longText },
  durationColumn,
  statusColumn,
  errorColumn,
  traceColumn,
];

/** Columns of the queries' filters, and the span's name, which repeats others. */
export const filterColumns: readonly string[] = ["Name", operation, ...environmentAttributes];
