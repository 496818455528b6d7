/** What SDKs send by their published source, of which there is no recording: the recording rules by Prometheus' own tool. */
import { it } from "vitest";
import { recordedBy } from "./promtool";

const expectRecorded = recordedBy(/^application:gen_ai_(requests_count|tokens):increase1m$/);

const [duration, milliseconds] = ["gen_ai_client_operation_duration_seconds_count", "gen_ai_client_operation_duration_milliseconds_count"];
const usage = "gen_ai_client_token_usage";
const model = 'gen_ai_request_model="m"';
/** Each of these is sent every minute. */
const each = (count: number) => `0+${count}x20`;
const operations = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [`${duration}{job="a",gen_ai_operation_name="${name}",${model}}`, each(1)]));
const identity = 'application="a",environment="(none)"';
const requests = (source: string, others: string) =>
  `application:gen_ai_requests_count:increase1m{${identity},${others},model="m",provider="(none)",source="${source}"}`;
const tokens = (source: string, type: string) =>
  `application:gen_ai_tokens:increase1m{${identity},gen_ai_token_type="${type}",model="m",provider="(none)",source="${source}"}`;
const operation = (name: string) => `gen_ai_operation_name="${name}"`;

const cases: Record<string, { series: Record<string, string>; expected: Record<string, number> }> = {
  "operations that generate nothing, of Azure's SDK, OpenTelemetry's and Envoy AI Gateway, are no requests; others are": {
    series: {
      ...operations("create_conversation", "list_conversation_items", "fetch_response", "run_guardrail"),
      ...operations("count_tokens", "responses_input_tokens", "tokenize"),
      ...operations("responses", "messages"),
    },
    expected: { [requests("durations", operation("responses"))]: 1, [requests("durations", operation("messages"))]: 1 },
  },
  "OpenLLMetry for Agno: durations of agents, workflows and tools are no requests": {
    series: {
      [`${duration}{job="a",gen_ai_system="agno",traceloop_span_kind="agent"}`]: each(1),
      [`${duration}{job="a",gen_ai_operation_name="chat",${model}}`]: each(2),
    },
    expected: { [requests("durations", operation("chat"))]: 2 },
  },
  "Azure's SDK for AI Foundry: the type of output is completion": {
    series: {
      [`${usage}_sum{job="a",gen_ai_operation_name="responses",gen_ai_token_type="input",${model}}`]: each(600),
      [`${usage}_sum{job="a",gen_ai_operation_name="responses",gen_ai_token_type="completion",${model}}`]: each(1200),
    },
    expected: { [tokens("usage", "input")]: 600, [tokens("usage", "output")]: 1200 },
  },
  "Quarkus LangChain4j, scraped: error.type is none, tokens are a counter": {
    series: {
      [`${duration}{job="a",gen_ai_operation_name="chat",error_type="none",${model}}`]: each(3),
      [`${duration}{job="a",gen_ai_operation_name="chat",error_type="timeout",${model}}`]: each(1),
      [`${usage}_total{job="a",gen_ai_operation_name="chat",gen_ai_token_type="input",${model}}`]: each(700),
      [`${usage}_total{job="a",gen_ai_operation_name="chat",gen_ai_token_type="cache_read",${model}}`]: each(100),
    },
    expected: {
      [requests("durations", operation("chat"))]: 3,
      [requests("durations", `error_type="timeout",${operation("chat")}`)]: 1,
      [tokens("spring", "input")]: 700,
    },
  },
  "LangChain4j by Micrometer's OTLP, in milliseconds": {
    series: {
      [`${milliseconds}{job="a",gen_ai_operation_name="chat",error="none",outcome="SUCCESS",${model}}`]: each(3),
      [`${milliseconds}{job="a",gen_ai_operation_name="chat",error="RateLimitException",outcome="ERROR",${model}}`]: each(1),
    },
    expected: {
      [requests("spring", operation("chat"))]: 3,
      [requests("spring", `error_type="RateLimitException",${operation("chat")}`)]: 1,
    },
  },
};

it.each(Object.entries(cases))("%s", async (_what, { series, expected }) => {
  const names = ["requests_count", "tokens"].map((name) => `application:gen_ai_${name}:increase1m`);
  const of = (name: string) => Object.fromEntries(Object.entries(expected).filter(([labels]) => labels.startsWith(name)));
  await expectRecorded(series, Object.fromEntries(names.map((name) => [name, { 10: of(name) }])));
});
