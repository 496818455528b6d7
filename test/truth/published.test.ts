/** What SDKs send by their published source, of which there is no recording: the recording rules by Prometheus' own tool. */
import { it } from "vitest";
import { recordedBy } from "./promtool";

const expectRecorded = recordedBy(/^application:gen_ai_(requests_count|tokens):increase1m$/);
const [duration, usage] = ["gen_ai_client_operation_duration", "gen_ai_client_token_usage"];

/** Series of one application, each with what it counts in a minute. Their labels follow the name; most are requests of a model. */
type Counted = Record<string, number>;
const chat = 'gen_ai_operation_name="chat",gen_ai_request_model="m"';
const operations = (...names: string[]) => names.map((name) => `${duration}_seconds_count|${chat.replace("chat", name)}`);
const each = (...series: string[]): Counted => Object.fromEntries(series.map((one) => [one, 1]));
const requests = (source: string, error?: string, operation = "chat") =>
  `requests_count|${error ? `error_type="${error}",` : ""}gen_ai_operation_name="${operation}",source="${source}"`;
const tokens = (source: string, type: string) => `tokens|gen_ai_token_type="${type}",source="${source}"`;

it.each<[what: string, sent: Counted, recorded: Counted]>([
  [
    "operations that generate nothing, of Azure's SDK, OpenTelemetry's and Envoy AI Gateway, are no requests; others are",
    each(
      ...operations("create_conversation", "list_conversation_items", "fetch_response", "run_guardrail"),
      ...operations("count_tokens", "responses_input_tokens", "tokenize", "responses", "messages"),
    ),
    each(requests("durations", undefined, "responses"), requests("durations", undefined, "messages")),
  ],
  [
    "OpenLLMetry for Agno: durations of agents, workflows and tools are no requests",
    { [`${duration}_seconds_count|gen_ai_system="agno",traceloop_span_kind="agent"`]: 1, [`${duration}_seconds_count|${chat}`]: 2 },
    { [requests("durations")]: 2 },
  ],
  [
    "Azure's SDK for AI Foundry: the type of output is completion",
    { [`${usage}_sum|${chat},gen_ai_token_type="input"`]: 600, [`${usage}_sum|${chat},gen_ai_token_type="completion"`]: 1200 },
    { [tokens("usage", "input")]: 600, [tokens("usage", "output")]: 1200 },
  ],
  [
    "Quarkus LangChain4j, scraped: error.type is none, tokens are a counter, cached ones are a part of the input",
    {
      ...{ [`${duration}_seconds_count|${chat},error_type="none"`]: 3, [`${duration}_seconds_count|${chat},error_type="timeout"`]: 1 },
      ...{ [`${usage}_total|${chat},gen_ai_token_type="input"`]: 600, [`${usage}_total|${chat},gen_ai_token_type="cache_read"`]: 60 },
    },
    { [requests("durations")]: 3, [requests("durations", "timeout")]: 1, [tokens("spring", "input")]: 600 },
  ],
  [
    "LangChain4j by Micrometer's OTLP, in milliseconds",
    { [`${duration}_milliseconds_count|${chat},error="none"`]: 3, [`${duration}_milliseconds_count|${chat},error="LimitException"`]: 1 },
    { [requests("spring")]: 3, [requests("spring", "LimitException")]: 1 },
  ],
])("%s", async (_what, sent, recorded) => {
  const series = Object.entries(sent).map(([text, count]) => [`${text.replace("|", '{job="a",')}}`, `0+${count}x20`]);
  const of = (name: string) => {
    const found = Object.entries(recorded).filter(([text]) => text.startsWith(`${name}|`));
    const identity = 'application="a",environment="(none)",model="m",provider="(none)"';
    return Object.fromEntries(
      found.map(([text, count]) => [`application:gen_ai_${text.replace("|", `:increase1m{${identity},`)}}`, count]),
    );
  };
  const queries = ["requests_count", "tokens"].map((name) => [`application:gen_ai_${name}:increase1m`, { 10: of(name) }]);
  await expectRecorded(Object.fromEntries(series), Object.fromEntries(queries));
});
