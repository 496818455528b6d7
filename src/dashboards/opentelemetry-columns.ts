/** Columns of the tables of "GenAI Observability (OpenTelemetry)". */
import { filterAttributes, messageAttributes, spanAttributes } from "../signals/opentelemetry-traces";
import { type Column, costColumn, durationColumn, longText, statusColumn, timeColumn, traceColumn } from "./trace-panels";

const { application, operation, model, inputTokens, outputTokens, error } = spanAttributes;
const { databaseSystem, databaseOperation, databaseCollection } = spanAttributes;

const applicationColumn: Column = { name: application, title: "Application", width: 130 };
const errorColumn: Column = { name: error, title: "Error", width: 120 };
const tokens = (name: string, title: string): Column => ({
  name,
  title,
  width: 90,
  number: true,
  properties: [
    { id: "unit", value: "locale" },
    { id: "decimals", value: 0 },
  ],
});

/** Of requests to models. */
export const requestColumns: readonly Column[] = [
  timeColumn,
  applicationColumn,
  { name: operation, title: "Operation", width: 105 },
  { name: model, title: "Model", width: 160 },
  ...messageAttributes.prompt.map((name) => ({ name, title: "Prompt", properties: longText })),
  ...messageAttributes.completion.map((name) => ({ name, title: "Completion", properties: longText })),
  tokens(inputTokens, "Tokens in"),
  tokens(outputTokens, "Tokens out"),
  costColumn,
  durationColumn,
  statusColumn,
  errorColumn,
  traceColumn,
];

/** Of requests to vector databases. */
export const databaseColumns: readonly Column[] = [
  timeColumn,
  applicationColumn,
  { name: databaseSystem, title: "System" },
  { name: databaseOperation, title: "Operation" },
  { name: databaseCollection, title: "Collection" },
  durationColumn,
  statusColumn,
  errorColumn,
  traceColumn,
];

/** Columns by which the variables filter, and the span's name, which repeats others. */
export const filterColumns: readonly string[] = ["Name", ...filterAttributes];
