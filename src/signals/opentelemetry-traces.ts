/**
 * Signals of "GenAI Observability (OpenTelemetry)" from spans of all statuses: SDKs that follow the conventions leave the status of a
 * successful request unset.
 */
import { environmentAttributes } from "./identity";
import { conventions, otherOperations } from "./names/conventions";
import type { Gateways } from "./opentelemetry-rules";
import { vectorDatabases } from "./opentelemetry-sources";
import { literally, quote } from "./promql";
import type { Contents, TraceSignal } from "./signal";

const { attributes } = conventions;

/** The condition is false for a span without an operation. OpenTelemetry for OpenAI Agents calls the turn above a request `unknown`. */
const isRequest = `span.${attributes.operation} !~ \`${otherOperations}|unknown\``;
const isOfDatabase = `span.${attributes.databaseSystem} =~ \`${vectorDatabases.join("|")}\``;

/**
 * Leaves out a span whose parent is a `chat` or `embeddings` span: the SDK of a provider, a second instrumentation or a layer of the same
 * SDK has written the call again. A prefix of a query.
 */
const notChildOfChatOrEmbeddings = `{span.${attributes.operation}=~\`chat|emb.*\`} !> `;

/** A query of all requests to models. */
export const openTelemetrySpans = `{ ${isRequest} }`;

/** Attributes that the tables show as columns. */
export const spanAttributes = {
  ...attributes,
  application: "service.name",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
} as const;

/** Attributes with the texts of users and the answers of models. */
export const messageAttributes = { prompt: "gen_ai.input.messages", completion: "gen_ai.output.messages" } as const;

/** Attributes with the cost, by who sends them. The conventions have none. */
export const costAttributes = { openlit: "gen_ai.usage.cost", litellm: "gen_ai.cost.total_cost", pydanticAi: "operation.cost" } as const;

/** A column has one type: a span with tokens as text would break the table for all applications, so tables leave it out. */
const tokenAttributes: readonly string[] = [spanAttributes.inputTokens, spanAttributes.outputTokens];

/** The variable with the duration from which a request is slow. */
export const slowVariable = "slow";

/** The message of a failed span. TraceQL has it as a field, not as an attribute. */
export const statusMessage = "statusMessage";

/**
 * @param gateways if SDKs count, the tables leave out the spans of gateways, which show the same requests again. If gateways count, the
 *   application is also that of their spans.
 */
export function openTelemetryTraceSignals(contents: Contents, gateways?: Gateways) {
  const applications = applicationsOf(gateways);
  const withoutGateways =
    gateways?.countedBy === "sdks" ? [`resource.${spanAttributes.application} !~ ${quote(gateways.names.map(literally).join("|"))}`] : [];
  const { prompt, completion } = messageAttributes;
  const { model, inputTokens, outputTokens, error, databaseOperation, databaseCollection } = spanAttributes;
  const ofGateways = withoutGateways.length > 0 ? ", and those of gateways" : "";
  const link = "The link in the last column opens the trace of a request in Explore, which Viewers do not have.";
  const calculation = "At most 20 spans, newest first. Spans without an environment are shown only if All are selected";
  const unfiltered = "The provider does not filter. A span whose parent is a chat or embeddings span is left out.";
  const requests = (which: string, sentence: string, conditions: readonly string[], columns: readonly string[]): TraceSignal => ({
    description: `${sentence} ${link}`,
    calculation: `${calculation}, those without a model always. ${unfiltered}`,
    spans: `spans with ${attributes.operation}${which}, except steps of agents, tools, workflows and retrieval${ofGateways}`,
    query:
      notChildOfChatOrEmbeddings +
      traceql(applications, [isRequest, ...withoutGateways, ...conditions, ofModels("regex")], [model, ...columns]),
  });

  return {
    failed: requests(" and the status error", "Failed requests to models.", ["status = error"], [error, statusMessage]),
    slow: requests(
      " that take longer than the variable Slow from",
      "Requests to models that take longer than the variable selects.",
      [`duration > \${${slowVariable}}`],
      [inputTokens, outputTokens],
    ),
    newest: requests(
      "",
      `Requests to models with tokens, cost, duration and status, failed ones included. ${
        contents === "show"
          ? "SDKs send prompts and completions only if this is switched on; they may contain personal data: restrict who can view this " +
            "dashboard."
          : "The setting contents leaves out prompts and completions."
      }`,
      [],
      [inputTokens, outputTokens, ...Object.values(costAttributes), ...(contents === "show" ? [prompt, completion] : [])],
    ),
    databases: {
      description: `Requests to vector databases with duration and status, failed ones included. ${link}`,
      calculation: `${calculation}.`,
      spans: `spans with ${attributes.databaseSystem} ${vectorDatabases.join(", ")}`,
      query: traceql(applications, [isOfDatabase], [error, databaseOperation, databaseCollection]),
    },
  } satisfies Record<string, TraceSignal>;
}

/**
 * The selected requests that have a name: a model, a provider, an application or an environment. The provider does not filter.
 *
 * The query is part of a link, in which the name is a variable. It cannot contain `&`, `#`, `%` and `+`: Grafana's `sanitizeUrl` decodes
 * links.
 */
export function spansOf(name: string, gateways?: Gateways, ...conditions: readonly string[]): string {
  const { model, responseModel, provider, system } = attributes;
  const applications = applicationsOf(gateways);
  const ofSpan = [model, responseModel, provider, system].map((attribute) => `span.${attribute}`);
  const named = [...ofSpan, ...environments, ...applications].map((attribute) => `${attribute} = \`${name}\``).join(" || ");
  const all = [isRequest, ...conditions, named, inEnvironments("pipe"), ofModels("pipe"), isSelected(applications, "pipe")];
  return `${notChildOfChatOrEmbeddings}${all.map((condition) => `{ ${condition} }`).join(" | ")} with (most_recent=true)`;
}

/** The format of a variable: `regex` escapes signs, with single backslashes. In links, whose decoding would break these, it is `pipe`. */
type Format = "regex" | "pipe";

/** The selected values of a variable, as a raw literal. */
const values = (variable: string, format: Format) => `\`\${${variable}:${format}}\``;

const environments = environmentAttributes.map((name) => `resource.${name}`);
/** The attributes with an application. If gateways count, it can be the name of a key, which LiteLLM writes to its spans. */
const applicationsOf = (gateways?: Gateways) => [
  `resource.${spanAttributes.application}`,
  ...(gateways?.countedBy === "gateways" ? ["span.litellm.metadata.user_api_key_alias"] : []),
];
const isSelected = (applications: readonly string[], format: Format) =>
  applications.map((name) => `${name} =~ ${values("application", format)}`).join(" || ");
/** Only All select a span without an environment. */
const inEnvironments = (format: Format) =>
  [...environments, "``"].map((name) => `${name} =~ ${values("environment", format)}`).join(" || ");
/** True for a span without a model. A second condition with the same values would make long selections fail. */
const ofModels = (format: Format) => `!(span.${attributes.model} !~ ${values("model", format)})`;

/**
 * A query of spans with columns. Tempo fails if byte 1,024 of a query is in the name of an attribute. So columns have no scope, and the
 * values of the environment, which are there several times, come after all names. Tempo compares after `select` only what it has read
 * before: a condition that is always true reads the environment. Without `most_recent`, Tempo returns any 20 spans.
 */
function traceql(applications: readonly string[], conditions: readonly string[], columns: readonly string[]): string {
  const numbers = columns.filter((name) => tokenAttributes.includes(name)).map((name) => `!(.${name} =~ \`.*\`)`);
  const ofApplications = isSelected(applications, "regex");
  const selecting = applications.length > 1 ? `(${ofApplications})` : ofApplications;
  const all = [...numbers, ...conditions, selecting, `(${environments.join(" != ")} || true)`];
  // Attributes of any scope have a dot.
  const selected = columns.map((name) => (name === statusMessage ? name : `.${name}`));
  return `{${all.join(" && ")}} | select(status,${selected}) | {${inEnvironments("regex")}} with (most_recent=true)`;
}
