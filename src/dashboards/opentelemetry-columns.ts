/** Columns of the tables of "GenAI Observability (OpenTelemetry)". Prompts and completions share the width that the others leave. */
import { environmentsOf, messageAttributes, type SpanReading, spanAttributes } from "../signals/opentelemetry-traces";
import {
  applicationColumn,
  type Column,
  costColumn,
  durationColumn,
  longText,
  modelColumn,
  numeric,
  shortened,
  statusColumn,
  timeColumn,
  traceColumn,
} from "./trace-panels";

const { application, operation, model, inputTokens, outputTokens, error } = spanAttributes;
const { databaseSystem, databaseOperation, databaseCollection } = spanAttributes;

/** Types of errors without the module of Python, which some SDKs write: openai.RateLimitError. */
const errorColumn: Column = { name: error, title: "Error", width: 120, properties: [...longText, shortened("/^(?:\\w+\\.)+(\\w+)$/")] };

const tokens = (name: string, title: string, width: number): Column => ({
  name,
  title,
  width,
  properties: [numeric, { id: "unit", value: "locale" }, { id: "decimals", value: 0 }, { id: "custom.wrapHeaderText", value: true }],
});

/** The text of the last message in the JSON of messages, `[{"role":"user","parts":[{"type":"text","content":"…"}]}]`. Other texts stay as they are. */
const lastMessage = shortened('/^\\[\\{[\\s\\S]*"content": ?"((?:[^"\\\\]|\\\\.)*)[\\s\\S]*$/');

const message = (name: string, title: string): Column => ({ name, title, properties: [...longText, lastMessage] });

/** Of requests to models. */
export const requestColumns: readonly Column[] = [
  timeColumn,
  applicationColumn(application, 90),
  modelColumn(model),
  ...messageAttributes.prompt.map((name) => message(name, "Prompt")),
  ...messageAttributes.completion.map((name) => message(name, "Completion")),
  tokens(inputTokens, "Tokens in", 66),
  tokens(outputTokens, "Tokens out", 60),
  costColumn,
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
export const filterColumns = (reading: SpanReading): readonly string[] => ["Name", operation, ...environmentsOf(reading)];
