/** Signals of "GenAI Observability" (spec 2.3) from spans. */
import type { Contents, TraceSignal } from "./signal";

/** Defaults to `show`. */
export interface TraceOptions {
  contents?: Contents;
}

/** Attributes with the text of users and the answers of models. */
export const contentAttributes = ["gen_ai.content.prompt", "gen_ai.content.completion"] as const;

/**
 * Spans of the SDK with the status ok, as the spec requires. Attributes have the scope `span`, since most SDKs set another `telemetry.sdk.name` in the resource. A span without an
 * application or environment passes no filter, like a series without the label. Raw literals: Grafana's format `regex` writes single backslashes.
 *
 * @param application a regular expression, as `environment` is
 */
const spansOf = (sdkName: string, application: string, environment: string) =>
  `span.telemetry.sdk.name = "${sdkName}" && status = ok && ` +
  `span.gen_ai.application_name =~ \`${application}\` && span.gen_ai.environment =~ \`${environment}\``;

/** A search of the spans that the dashboard shows with All selected. Those of later releases of OpenLIT lack the attributes of the variables. */
export const sdkSpans = (sdkName: string) => `{ ${spansOf(sdkName, ".+", ".+")} }`;

export function genaiTraceSignals(sdkName: string, { contents = "show" }: TraceOptions = {}) {
  const spans = `spans with status ok and telemetry.sdk.name "${sdkName}"`;
  const selected = spansOf(sdkName, "${application:regex}", "${environment:regex}");
  // Without `most_recent`, Tempo returns any 20 spans.
  const query = (condition = "", ...fields: string[]) =>
    `{ ${selected}${condition} }${fields.length > 0 ? ` | select(${fields.join(", ")})` : ""} with (most_recent=true)`;
  const texts = contents === "show" ? contentAttributes.map((attribute) => `span.${attribute}`) : [];
  const calculation = "At most 20 spans, newest first.";

  return {
    durations: {
      description: "Durations of requests to LLM providers and vector databases.",
      calculation: "The durations of at most 20 spans.",
      spans,
      query: query(),
    },
    genaiTraces: {
      description:
        contents === "show"
          ? "Requests to LLM providers with prompt, completion and cost. Prompts and completions may contain personal data: restrict who can view this dashboard."
          : "Requests to LLM providers with their cost.",
      calculation,
      spans: `${spans}, except those with gen_ai.type "vectordb"`,
      query: query(
        ' && (span.gen_ai.type != "vectordb" || span.gen_ai.type = nil)',
        ...["name", "span.gen_ai.request.model", ...texts, "span.gen_ai.usage.cost"],
      ),
    },
    databaseTraces: {
      description: "Requests to vector databases.",
      calculation,
      spans: `${spans}, only those with gen_ai.type "vectordb"`,
      query: query(' && span.gen_ai.type = "vectordb"', "name"),
    },
  } satisfies Record<string, TraceSignal>;
}
