/** Signals of "GenAI Observability" (spec 2.3) from spans. */
import type { Contents, TraceSignal } from "./signal";

/** The spans of requests that succeeded: `ok`, as the spec says, or `any` but an error. OpenTelemetry's own SDKs leave the status unset. */
export type SpanStatus = "ok" | "any";

export interface TraceOptions {
  /** Defaults to `show`. */
  contents?: Contents;
  /** Defaults to `ok`. */
  spanStatus?: SpanStatus;
}

/** Attributes with the text of users and the answers of models. */
export const contentAttributes = ["gen_ai.content.prompt", "gen_ai.content.completion"] as const;

const statuses: Record<SpanStatus, { condition: string; words: string }> = {
  ok: { condition: "status = ok", words: "with status ok and" },
  any: { condition: "status != error", words: "without an error and with" },
};

/** A search of the spans that the dashboard shows with All selected. Those of later releases of OpenLIT lack the attributes of the variables. */
export const sdkSpans = (sdkName: string, spanStatus: SpanStatus = "ok") =>
  `{ ${conditionsOf(sdkName, statuses[spanStatus].condition, { application: ".+", environment: ".+" }).join(" && ")} }`;

export function genaiTraceSignals(sdkName: string, { contents = "show", spanStatus = "ok" }: TraceOptions = {}) {
  const { condition, words } = statuses[spanStatus];
  // A description is Markdown with Grafana's variables: any other name could contain either.
  const sdk = isPlain(sdkName) ? `telemetry.sdk.name "${sdkName}"` : "the telemetry.sdk.name of the setting sdkName";
  const spans = `spans ${words} ${sdk}`;
  const query = (type?: string, fields?: readonly string[]) => traceql(sdkName, condition, type, fields);
  const shown = contents === "show";

  return {
    durations: {
      description: "Durations of requests to LLM providers and vector databases.",
      calculation: "The durations of at most 20 spans.",
      spans,
      query: query(),
    },
    genaiTraces: {
      description: shown
        ? "Requests to LLM providers with prompt, completion and cost. Prompts and completions may contain personal data: restrict who can view this dashboard."
        : "Requests to LLM providers with their cost.",
      calculation: "At most 20 spans, newest first.",
      spans: `${spans}, except those with gen_ai.type "vectordb"`,
      query: query('(span.gen_ai.type != "vectordb" || span.gen_ai.type = nil)', [
        "name",
        "span.gen_ai.request.model",
        ...(shown ? contentAttributes.map((attribute) => `span.${attribute}`) : []),
        "span.gen_ai.usage.cost",
      ]),
    },
    databaseTraces: {
      description: "Requests to vector databases.",
      calculation: "At most 20 spans, newest first.",
      spans: `${spans}, only those with gen_ai.type "vectordb"`,
      query: query('span.gen_ai.type = "vectordb"', ["name"]),
    },
  } satisfies Record<string, TraceSignal>;
}

/** What is selected in the variables. */
const selected = { application: "${application:regex}", environment: "${environment:regex}" };

/**
 * Spans of the SDK with a status. Attributes have the scope `span`, since most SDKs set another `telemetry.sdk.name` in the resource. A span without an
 * application or environment passes no filter, like a series without the label.
 *
 * @param patterns regular expressions of applications and environments
 */
const conditionsOf = (sdkName: string, status: string, patterns: typeof selected): string[] => [
  equalsExactly("span.telemetry.sdk.name", sdkName),
  status,
  // Raw literals: Grafana's format `regex` writes single backslashes.
  `span.gen_ai.application_name =~ \`${patterns.application}\``,
  `span.gen_ai.environment =~ \`${patterns.environment}\``,
];

/** Without `most_recent`, Tempo returns any 20 spans. */
function traceql(sdkName: string, status: string, type?: string, fields: readonly string[] = []): string {
  const conditions = [...conditionsOf(sdkName, status, selected), ...(type ? [type] : [])];
  const selection = fields.length > 0 ? ` | select(${fields.join(", ")})` : "";
  return `{ ${conditions.join(" && ")} }${selection} with (most_recent=true)`;
}

/**
 * A condition: the attribute has this value. TraceQL's literals have no escapes for line breaks or for the signs of Grafana's variables. A value with
 * one of these becomes a regular expression, which has such escapes.
 */
function equalsExactly(attribute: string, value: string): string {
  if (!/\$|\[\[|\p{C}/u.test(value)) return `${attribute} = ${JSON.stringify(value)}`;
  const pattern = [...value].map((sign) => (/\w/.test(sign) ? sign : `\\x{${sign.codePointAt(0)?.toString(16)}}`));
  return `${attribute} =~ \`${pattern.join("")}\``;
}

const isPlain = (name: string) => /^(?=.{1,40}$)[a-z0-9]+([_-][a-z0-9]+)*$/i.test(name);
