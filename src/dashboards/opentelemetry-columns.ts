/**
 * Columns of the tables of "GenAI Observability (OpenTelemetry)". A window of 1280 pixels has 1230 for a table: all columns of fixed width fit, and texts share
 * the rest. Names break into lines, since Grafana 12.2; older releases cut them.
 */
import { MappingType } from "@grafana/grafana-foundation-sdk/dashboard";
import { environmentsOf, messageAttributes, type SpanReading, spanAttributes } from "../signals/opentelemetry-traces";
import { type Column, costColumn, durationColumn, longText, numeric, statusColumn, timeColumn, traceColumn } from "./trace-panels";

const { application, operation, model, inputTokens, outputTokens, error } = spanAttributes;
const { databaseSystem, databaseOperation, databaseCollection } = spanAttributes;

// The year is that of the time range.
const time: Column = { ...timeColumn, width: 120, properties: [{ id: "unit", value: "time:MM-DD HH:mm:ss" }] };
const applicationColumn: Column = { name: application, title: "Application", width: 105, properties: longText };
const cost: Column = { ...costColumn, width: 92 };
const duration: Column = { ...durationColumn, width: 82 };
const status: Column = { ...statusColumn, width: 65 };

/** Shows a part of a text. The cell's value stays whole. */
const shortened = (pattern: string) => ({
  id: "mappings",
  value: [{ type: MappingType.RegexToText, options: { pattern, result: { text: "$1", index: 0 } } }],
});

/** Types of errors without the module of Python, which some SDKs write: openai.RateLimitError. */
const errorColumn: Column = { name: error, title: "Error", width: 120, properties: [...longText, shortened("/^(?:\\w+\\.)+(\\w+)$/")] };

/** The link to the trace, with the beginning of the span's id. */
const trace: Column = { ...traceColumn, width: 90, properties: [shortened("/^(.{8}).*$/")] };

const tokens = (name: string, title: string): Column => ({
  name,
  title,
  width: 70,
  properties: [numeric, { id: "unit", value: "locale" }, { id: "decimals", value: 0 }, { id: "custom.wrapHeaderText", value: true }],
});

/** The text of the last message in the JSON of messages, `[{"role":"user","parts":[{"type":"text","content":"…"}]}]`. Other texts stay as they are. */
const lastMessage = shortened('/^\\[\\{[\\s\\S]*"content": ?"((?:[^"\\\\]|\\\\.)*)[\\s\\S]*$/');

/** A prompt or a completion. Columns without a width have at least 150 pixels by default. */
const message = (name: string, title: string): Column => ({
  name,
  title,
  properties: [...longText, lastMessage, { id: "custom.minWidth", value: 95 }],
});

/** Of requests to models. */
export const requestColumns: readonly Column[] = [
  time,
  applicationColumn,
  { name: operation, title: "Operation", width: 96, properties: longText },
  { name: model, title: "Model", width: 125, properties: longText },
  ...messageAttributes.prompt.map((name) => message(name, "Prompt")),
  ...messageAttributes.completion.map((name) => message(name, "Completion")),
  tokens(inputTokens, "Tokens in"),
  tokens(outputTokens, "Tokens out"),
  cost,
  duration,
  status,
  errorColumn,
  trace,
];

/** Of requests to vector databases. */
export const databaseColumns: readonly Column[] = [
  time,
  applicationColumn,
  { name: databaseSystem, title: "System" },
  { name: databaseOperation, title: "Operation" },
  { name: databaseCollection, title: "Collection" },
  duration,
  status,
  errorColumn,
  trace,
];

/** Columns by which the variables filter, and the span's name, which repeats others. */
export const filterColumns = (reading: SpanReading): readonly string[] => ["Name", ...environmentsOf(reading)];
