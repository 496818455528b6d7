/**
 * Columns of the tables of "GenAI Observability (OpenTelemetry)". A window of 1280 pixels has 1230 for a table: all columns of fixed width fit, and texts share
 * the rest. Names break into lines, since Grafana 12.2; older releases cut them.
 */
import { MappingType } from "@grafana/grafana-foundation-sdk/dashboard";
import { filterAttributes, messageAttributes, spanAttributes } from "../signals/opentelemetry-traces";
import { type Column, costColumn, durationColumn, longText, statusColumn, timeColumn, traceColumn } from "./trace-panels";

const { application, operation, model, inputTokens, outputTokens, error } = spanAttributes;
const { databaseSystem, databaseOperation, databaseCollection } = spanAttributes;

// The year is that of the time range.
const time: Column = { ...timeColumn, width: 120, properties: [{ id: "unit", value: "time:MM-DD HH:mm:ss" }] };
const applicationColumn: Column = { name: application, title: "Application", width: 110, properties: longText };
const cost: Column = { ...costColumn, width: 85 };
const duration: Column = { ...durationColumn, width: 82 };
const status: Column = { ...statusColumn, width: 65 };
const errorColumn: Column = { name: error, title: "Error", width: 110, properties: longText };

/** The link to the trace, with the beginning of the span's id. */
const trace: Column = {
  ...traceColumn,
  width: 90,
  properties: [
    { id: "mappings", value: [{ type: MappingType.RegexToText, options: { pattern: "/^(.{8}).*$/", result: { text: "$1", index: 0 } } }] },
  ],
};

const tokens = (name: string, title: string): Column => ({
  name,
  title,
  width: 70,
  number: true,
  properties: [
    { id: "unit", value: "locale" },
    { id: "decimals", value: 0 },
    { id: "custom.wrapHeaderText", value: true },
  ],
});

/** A prompt or a completion. Columns without a width have at least 150 pixels by default. */
const message = (name: string, title: string): Column => ({
  name,
  title,
  properties: [...longText, { id: "custom.minWidth", value: 95 }],
});

/** Of requests to models. */
export const requestColumns: readonly Column[] = [
  time,
  applicationColumn,
  { name: operation, title: "Operation", width: 100, properties: longText },
  { name: model, title: "Model", width: 130, properties: longText },
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
export const filterColumns: readonly string[] = ["Name", ...filterAttributes];
