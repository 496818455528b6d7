/** Signals of "GenAI Observability (OpenTelemetry)" from spans, failed ones included: SDKs that follow the conventions leave the status of a success unset. */
import { environmentAttributes, none } from "./identity";
import { conventions, inferenceOperations } from "./names/conventions";
import { vectorDatabases } from "./opentelemetry-measures";
import type { Contents, TraceSignal } from "./signal";

const { attributes } = conventions;

const oneOf = (values: readonly string[]) => `\`${values.join("|")}\``;

const isRequest = `span.${attributes.operation} =~ ${oneOf(inferenceOperations)}`;

/** A query of all requests to models. */
export const openTelemetrySpans = () => `{ ${isRequest} }`;

/** Attributes of spans that the tables show, as columns. */
export const spanAttributes = {
  application: "service.name",
  operation: attributes.operation,
  model: attributes.model,
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  cost: "gen_ai.usage.cost",
  error: attributes.error,
  databaseSystem: attributes.databaseSystem,
  databaseOperation: attributes.databaseOperation,
  databaseCollection: attributes.databaseCollection,
} as const;

/** Attributes by which the variables filter, which the tables do not show. */
export const filterAttributes = [...environmentAttributes, attributes.provider, attributes.system, attributes.responseModel] as const;

/** Attributes with the text of users and the answers of models: those of the conventions, and the former ones. */
export const messageAttributes = {
  prompt: ["gen_ai.input.messages", "gen_ai.content.prompt"],
  completion: ["gen_ai.output.messages", "gen_ai.content.completion"],
} as const;

/** @param contents whether prompts and completions are read */
export function openTelemetryTraceSignals(contents: Contents = "show") {
  const { prompt, completion } = messageAttributes;
  const { application, model, inputTokens, outputTokens, cost, error, databaseOperation, databaseCollection } = spanAttributes;
  const shown = contents === "show";
  const shared = [`resource.${application}`, "status", `span.${error}`];
  const calculation = "At most 20 spans, newest first.";

  return {
    genaiTraces: {
      description:
        "Requests to models with tokens, cost, duration and status, failed ones included. The trace of a request is behind the link in its last column. " +
        (shown
          ? "SDKs send prompts and completions only if this is switched on; they may contain personal data: restrict who can view this dashboard."
          : "The setting contents leaves out prompts and completions."),
      calculation,
      spans: `spans with ${attributes.operation} ${inferenceOperations.join(", ")}`,
      query: traceql(
        [
          isRequest,
          selected("provider", `span.${attributes.provider}`, `span.${attributes.system}`),
          selected("model", `span.${attributes.model}`, `span.${attributes.responseModel}`),
        ],
        [
          ...shared,
          ...[model, inputTokens, outputTokens, cost].map((name) => `span.${name}`),
          ...(shown ? [...prompt, ...completion].map((name) => `span.${name}`) : []),
        ],
      ),
    },
    databaseTraces: {
      description:
        "Requests to vector databases with duration and status, failed ones included. The trace of a request is behind the link in its last column.",
      calculation,
      spans: `spans with ${attributes.databaseSystem} ${vectorDatabases.join(", ")}`,
      query: traceql(
        [`span.${attributes.databaseSystem} =~ ${oneOf(vectorDatabases)}`],
        [...shared, ...[databaseOperation, databaseCollection].map((name) => `span.${name}`)],
      ),
    },
  } satisfies Record<string, TraceSignal>;
}

/** Without `most_recent`, Tempo returns any 20 spans. */
function traceql(conditions: readonly string[], fields: readonly string[]): string {
  const all = [
    ...conditions,
    "resource.service.name =~ `${application:regex}`",
    selected("environment", `resource.${environmentAttributes[0]}`, `resource.${environmentAttributes[1]}`),
  ];
  return `{ ${all.join(" && ")} } | select(${fields.join(", ")}) with (most_recent=true)`;
}

/**
 * A condition: one of the attributes has a value that is selected in a dashboard variable, or none of them has a value and "(none)" is selected. Both are
 * true with All. Raw literals: Grafana's format `regex` writes single backslashes. Tempo finds a missing attribute of the resource only by the negation of
 * several conditions: not by `= nil`, nor by that of one.
 */
function selected(variable: string, ...fields: readonly [string, string, ...string[]]): string {
  const value = `\`\${${variable}:regex}\``;
  const any = (pattern: string) => fields.map((field) => `${field} =~ ${pattern}`).join(" || ");
  return `(${any(value)} || (!(${any("`.+`")}) && "${none}" =~ ${value}))`;
}
