/** Columns of the tables of spans. Prompts and completions share the width that the others leave. */
import { TableCellDisplayMode } from "@grafana/grafana-foundation-sdk/common";
import { MappingType } from "@grafana/grafana-foundation-sdk/dashboard";
import { environmentAttributes } from "../signals/identity";
import { costAttributes, messageAttributes, spanAttributes, statusMessage } from "../signals/opentelemetry-traces";
import { failedColor, neutral } from "./colors";

/** A column of a table of spans: its name in Tempo's response, and its properties. */
export interface Column {
  name: string;
  /** The title, if it differs from the name. */
  title?: string;
  /** Pixels. Columns without a width share the rest. */
  width?: number | undefined;
  /** Other properties, by Grafana's ids. */
  [id: string]: unknown;
}

/** Grafana breaks long text into lines, since 12.2; older releases show its beginning. The default minimum width is 150 pixels. */
const longText = { "custom.wrapText": true, "custom.minWidth": 84 };

/** Shows a part of a text. The cell's value stays whole. */
const shortened = (pattern: string) => ({
  mappings: [{ type: MappingType.RegexToText, options: { pattern, result: { text: "$1", index: 0 } } }],
});

/**
 * Numbers are text up to Grafana 12.3. A unit formats numbers and texts. A conversion to numbers would show a missing number as 0, up to
 * 13.0.
 */
const numeric = { "custom.align": "right" };

/**
 * Columns are as narrow as their texts: beside Grafana's docked menu, a window of 1280 pixels has 930 for a table. The time range shows the
 * year. The link to the trace shows the beginning of the span's id.
 */
const timeColumn: Column = { name: "Start time", title: "Time", width: 94, unit: "time:MM-DD HH:mm" };
/** On call, seconds matter. */
const secondsColumn: Column = { ...timeColumn, width: 112, unit: "time:MM-DD HH:mm:ss" };
const durationColumn: Column = { name: "Duration", width: 76 };
/** The icon that inspects a value would cover the link. */
const traceColumn: Column = { name: "Span ID", title: "Trace", width: 56, ...shortened("/^(.{4}).*$/"), "custom.inspect": false };
/** Names break into lines at hyphens. */
const applicationColumn = (name: string, width = 120): Column => ({ name, title: "Application", width, ...longText });
/** Without the path and the region of `bedrock/eu.anthropic.claude-sonnet-4`. Lines break only after a hyphen. */
const modelColumn = (name: string, width = 136): Column => ({
  name,
  title: "Model",
  width,
  ...longText,
  ...shortened("/^(?:.+\\/)?(?:[a-z-]+\\.(?=[a-z]+\\.))?([^/]+)$/"),
});

/** The cost of a request, without fixed decimals: an embedding costs some millionths of a dollar. */
const costColumn = (name: string, title = "Cost"): Column => ({ name, title, width: 104, ...numeric, unit: "currencyUSD" });

/** The status of a span. The conventions leave the status of a success unset. */
const statuses = {
  error: { text: "failed", color: failedColor, index: 0 },
  ok: { text: "ok", color: neutral, index: 1 },
  unset: { text: "ok", color: neutral, index: 2 },
};
const statusColumn: Column = {
  name: "status",
  title: "Status",
  width: 60,
  "custom.cellOptions": { type: TableCellDisplayMode.ColorText },
  mappings: [{ type: MappingType.ValueToText, options: statuses }],
};

/** Columns of "GenAI Observability". */
export const specColumns: readonly Column[] = [
  timeColumn,
  applicationColumn("gen_ai.application_name"),
  modelColumn("gen_ai.request.model"),
  { name: "Name", title: "Operation" },
  { name: "gen_ai.content.prompt", title: "Prompt", ...longText },
  { name: "gen_ai.content.completion", title: "Completion", ...longText },
  costColumn("gen_ai.usage.cost"),
  durationColumn,
  { name: "gen_ai.environment", title: "Environment", width: 106 },
  traceColumn,
];

/** Hidden columns of "GenAI Observability": its queries filter by them, so they are the same in all rows. */
export const hiddenSpecColumns = ["gen_ai.type", "status", "telemetry.sdk.name"];

const { application, operation, model, inputTokens, outputTokens, error, databaseSystem, databaseOperation, databaseCollection } =
  spanAttributes;

/** The type of an error. Some SDKs write the module of Python, too, which is left out: openai.RateLimitError. */
const errorColumn: Column = { name: error, title: "Error", width: 120, ...longText, ...shortened("/^(?:\\w+\\.)+(\\w+)$/") };

const tokens = (name: string, title: string, width: number): Column => {
  return { name, title, width, ...numeric, unit: "locale", decimals: 0, "custom.wrapHeaderText": true };
};

/**
 * Shows the last message of a role. Messages are JSON: `[{"role":"user","parts":[{"type":"text","content":"…"}]}]`. By default, Tempo cuts
 * an attribute after 2,048 bytes: a text of one line then ends with "…". Other texts stay as they are.
 */
function lastMessageOf(role: string) {
  const start = `"role": ?"${role}", ?"parts": ?\\[\\{(?:"type": ?"text", ?)?"content": ?"`;
  const upToLastMessage = `^\\[\\{[\\s\\S]*${start}`;
  const line = `((?:[^"\\\\]|\\\\(?!n)[\\s\\S])*)`;
  const texts = {
    [`/${upToLastMessage}${line}"[\\s\\S]*\\]\\s*$/`]: "$1",
    [`/${upToLastMessage}${line}(?:"[\\s\\S]*|\\\\)?$/`]: "$1 …",
    // Several lines: it matches each of the first ones, with line breaks, which JSON writes as two characters. Grafana's rows are as high
    // as the JSON would be: empty lines are left out.
    [`/(?!$)(?:${upToLastMessage}|(?<=${start}[\\s\\S]{0,2000}\\\\n))${line}(?:(?:\\\\n)+|"[\\s\\S]*$|\\\\?$)/g`]: "$1\n",
    "/^\\[\\{[\\s\\S]*[^\\]]$/": "… (cut by Tempo)",
  };
  return {
    mappings: Object.entries(texts).map(([pattern, text], index) => ({
      type: MappingType.RegexToText,
      options: { pattern, result: { text, index } },
    })),
  };
}

const message = (name: string, title: string, role: string): Column => ({ name, title, ...longText, ...lastMessageOf(role) });

export const requestColumns: readonly Column[] = [
  timeColumn,
  applicationColumn(application, 110),
  modelColumn(model),
  message(messageAttributes.prompt, "Prompt", "user"),
  message(messageAttributes.completion, "Completion", "assistant"),
  tokens(inputTokens, "Tokens in", 66),
  tokens(outputTokens, "Tokens out", 60),
  // Two columns with the same title would show one value.
  costColumn(costAttributes.openlit),
  costColumn(costAttributes.litellm, "Cost (LiteLLM)"),
  costColumn(costAttributes.pydanticAi, "Cost (Pydantic AI)"),
  durationColumn,
  statusColumn,
  traceColumn,
];

export const failedColumns: readonly Column[] = [
  secondsColumn,
  applicationColumn(application),
  modelColumn(model, 170),
  errorColumn,
  { name: statusMessage, title: "Message", ...longText },
  durationColumn,
  traceColumn,
];

export const slowColumns: readonly Column[] = [
  secondsColumn,
  applicationColumn(application),
  { ...modelColumn(model), width: undefined },
  tokens(inputTokens, "Tokens in", 80),
  tokens(outputTokens, "Tokens out", 80),
  durationColumn,
  statusColumn,
  traceColumn,
];

export const databaseColumns: readonly Column[] = [
  timeColumn,
  applicationColumn(application),
  { name: databaseSystem, title: "System", ...longText },
  { name: databaseOperation, title: "Operation", ...longText },
  { name: databaseCollection, title: "Collection", ...longText },
  durationColumn,
  statusColumn,
  errorColumn,
  traceColumn,
];

/** Hidden columns of "GenAI Observability (OpenTelemetry)": attributes of filters, and the span's name, which repeats other columns. */
export const hiddenColumns: readonly string[] = ["Name", operation, ...environmentAttributes];
