/** What SDKs send by their published source, of which there is no recording: the recording rules by Prometheus' own tool. */
import { it } from "vitest";
import { recordedBy } from "./promtool";

const expectRecorded = recordedBy(/^application:gen_ai_(requests_count|tokens):increase1m$/);
const [requestsSeries, tokensSeries] = ["application:gen_ai_requests_count:increase1m", "application:gen_ai_tokens:increase1m"] as const;

/** What each series counts in a minute. */
type Counted = Record<string, number>;

const sent = (name: string, labels: string) => `gen_ai_client_${name}{job="a",${labels}}`;
const call = (operation: string) => `gen_ai_operation_name="${operation}",gen_ai_request_model="m"`;
const duration = (labels: string) => sent("operation_duration_seconds_count", labels);
const milliseconds = (labels: string) => sent("operation_duration_milliseconds_count", labels);
const operations = (...names: string[]): Counted => Object.fromEntries(names.map((name) => [duration(call(name)), 1]));

const identity = 'application="a",environment="(none)",model="m",provider="(none)"';
const requests = (source: string, operation = "chat", more = "") =>
  `${requestsSeries}{${identity},source="${source}",gen_ai_operation_name="${operation}"${more}}`;
const tokens = (source: string, type: string) => `${tokensSeries}{${identity},source="${source}",gen_ai_token_type="${type}"}`;

it.each<[what: string, sent: Counted, recorded: Counted]>([
  [
    "operations that generate nothing, of SDKs and Envoy AI Gateway, are no requests; others are",
    {
      ...operations("create_conversation", "list_conversation_items", "fetch_response", "run_guardrail"),
      ...operations("count_tokens", "responses_input_tokens", "tokenize", "responses", "messages", "execute_event_loop_cycle"),
    },
    { [requests("durations", "responses")]: 1, [requests("durations", "messages")]: 1 },
  ],
  [
    "OpenLLMetry for Agno: durations of agents, workflows and tools are no requests",
    { [duration('gen_ai_system="agno",traceloop_span_kind="agent"')]: 1, [duration(call("chat"))]: 2 },
    { [requests("durations")]: 2 },
  ],
  [
    "Azure's SDK for AI Foundry: the type of output is completion, beside a former release's in the same process",
    {
      [sent("token_usage_sum", `${call("chat")},gen_ai_token_type="output"`)]: 60,
      [sent("token_usage_sum", `${call("chat")},gen_ai_token_type="input"`)]: 600,
      [sent("token_usage_sum", `${call("chat")},gen_ai_token_type="completion"`)]: 1200,
    },
    { [tokens("usage", "input")]: 600, [tokens("usage", "output")]: 1260 },
  ],
  [
    "Quarkus LangChain4j, scraped: error.type is none or missing, tokens are a counter, cached ones are a part of the input",
    {
      [duration(`${call("chat")},error_type="none"`)]: 1,
      [duration(call("chat"))]: 2,
      [duration(`${call("chat")},error_type="timeout"`)]: 1,
      [sent("token_usage_total", `${call("chat")},gen_ai_token_type="input"`)]: 600,
      [sent("token_usage_total", `${call("chat")},gen_ai_token_type="cache_read"`)]: 60,
    },
    { [requests("durations")]: 3, [requests("durations", "chat", ',error_type="timeout"')]: 1, [tokens("spring", "input")]: 600 },
  ],
  [
    "LangChain4j, scraped: the label error has the name of a class, in others it has true or false",
    {
      [duration(`${call("chat")},error="none",outcome="SUCCESS"`)]: 9,
      [duration(`${call("chat")},error="RateLimitException",outcome="ERROR"`)]: 1,
      [duration(`${call("embeddings")},error="false"`)]: 4,
      [duration(`${call("embeddings")},error="False"`)]: 3,
      [duration(`${call("embeddings")},error="true"`)]: 2,
      [duration(`${call("rerank")},error_type="None"`)]: 1,
    },
    {
      ...{ [requests("durations")]: 9, [requests("durations", "chat", ',error_type="RateLimitException"')]: 1 },
      ...{ [requests("durations", "embeddings")]: 7, [requests("durations", "embeddings", ',error_type="true"')]: 2 },
      [requests("durations", "rerank")]: 1,
    },
  ],
  [
    "LangChain4j's listener for metrics: only tokens, whose unit is in the name",
    {
      [sent("token_usage_tokens_count", `${call("chat")},gen_ai_token_type="input"`)]: 5,
      [sent("token_usage_tokens_count", `${call("chat")},gen_ai_token_type="output"`)]: 5,
      [sent("token_usage_tokens_sum", `${call("chat")},gen_ai_token_type="input"`)]: 600,
    },
    { [requests("tokens")]: 5, [tokens("usage", "input")]: 600 },
  ],
  ...(
    [
      ["of another operation", duration, "durations"],
      ["in milliseconds", milliseconds, "spring"],
      ["by Spring's name", (labels: string) => sent("operation_seconds_count", labels), "spring"],
    ] as const
  ).map(([what, lasting, source]): [string, Counted, Counted] => [
    `with durations ${what}, as of two instrumentations of the same calls, tokens count no requests`,
    {
      [sent("token_usage_tokens_count", `${call("chat")},gen_ai_token_type="input"`)]: 3,
      [lasting(call("generate_content"))]: 3,
    },
    { [requests(source, "generate_content")]: 3 },
  ]),
  [
    "LangChain4j by Micrometer's OTLP, in milliseconds",
    { [milliseconds(`${call("chat")},error="none"`)]: 3, [milliseconds(`${call("chat")},error="LimitException"`)]: 1 },
    { [requests("spring")]: 3, [requests("spring", "chat", ',error_type="LimitException"')]: 1 },
  ],
])("%s", async (_what, counted, recorded) => {
  const series = Object.fromEntries(Object.entries(counted).map(([name, count]) => [name, `0+${count}x20`]));
  const afterTenMinutes = (name: string) => ({
    10: Object.fromEntries(Object.entries(recorded).filter(([each]) => each.startsWith(`${name}{`))),
  });
  await expectRecorded(series, { [requestsSeries]: afterTenMinutes(requestsSeries), [tokensSeries]: afterTenMinutes(tokensSeries) });
});
