/** The rules of costs by Prometheus' own tool: measured or computed, never both; a price that changes; cached tokens; a model without a price. */
import { it } from "vitest";
import { expand, pipe } from "../support/expand";
import { variablesOf } from "../view/reading/panel";
import { otel } from "./panels";
import { recordedBy } from "./promtool";

/** Prices are input: they change here. */
const expectRecorded = recordedBy(/gen_ai_(cost|priced_requests|unpriced_tokens):increase1m$/);

const recorded = (name: string, model: string, more = "") =>
  `application:gen_ai_${name}:increase1m{application="shop",environment="prod",provider="openai",model="${model}"${more}}`;
const ofType = (type: string, answered: string) => `,gen_ai_token_type="${type}",gen_ai_response_model="${answered}"`;
const tokens = (model: string, type: "input" | "output", answered = "") => recorded("tokens", model, ofType(type, answered));
const cached = (model: string, type: "cached" | "written" = "cached") => recorded("cached_tokens", model, ofType(type, ""));
const measured = (model: string, error = "") => recorded("cost_sum", model, error && `,error_type="${error}"`);
const price = (kind: string, name = "gpt-4o") =>
  `model:gen_ai_price:usd_per_million_tokens{priced_as="${name}",gen_ai_token_type="${kind}"}`;
const requests = (model: string, error = "") => recorded("requests_count", model, error && `,error_type="${error}"`);
const cost = (model: string, source: "measured" | "computed") => recorded("cost", model, `,source="${source}"`);
const priced = (model: string) => recorded("priced_requests", model);
const tokenRequests = (model: string) => recorded("token_requests_count", model);
const unpriced = (model: string) => recorded("unpriced_tokens", model);

const expectWithoutTokens = recordedBy(/gen_ai_requests_without_tokens:increase1m$/);

it("successful requests without tokens: streams without usage; not if costs are measured, nor if tokens are counters, which count no requests", async () => {
  const series = {
    ...{ [requests("streams")]: "10x20", [requests("streams", "timeout")]: "4x20", [tokenRequests("streams")]: "7x20" },
    ...{ [requests("all")]: "10x20", [tokenRequests("all")]: "10x20", [tokens("all", "input")]: "70x20" },
    ...{ [requests("none")]: "6x20", [requests("broken")]: "NaN ".repeat(20), [tokenRequests("broken")]: "1x20" },
    ...{ [requests("measured")]: "10x20", [measured("measured")]: "0.02x20", [tokenRequests("measured")]: "7x20" },
    ...{ [requests("counters")]: "10x20", [tokens("counters", "input")]: "70x20", [requests("failed", "timeout")]: "4x20" },
  };
  const query = "sum by (model) (application:gen_ai_requests_without_tokens:increase1m)";
  await expectWithoutTokens(series, { [query]: { 5: { '{model="streams"}': 3, '{model="all"}': 0, '{model="none"}': 6 } } });
});

it("the share of cached tokens is one of the input: none, if a gateway counts them beside it, as Anthropic does", async () => {
  const target = otel.panels.get("By $by")?.targets?.find(({ expr }) => expr?.includes("cached_tokens"))?.expr ?? "";
  const query = expand(
    target.replaceAll("$__range", "10m").replaceAll("$by", "model"),
    variablesOf(otel.model),
    () => ({ all: true, values: [] }),
    pipe,
  );
  const series = {
    ...{ [tokens("within", "input")]: "1000x20", [cached("within")]: "400x20" },
    ...{ [tokens("beside", "input")]: "7x20", [cached("beside")]: "10000x20" },
  };
  await expectWithoutTokens(series, { [query]: { 15: { '{model="within"}': 0.4 } } });
});

const nan = "NaN ".repeat(20);
const prices = { [price("input")]: "2.5x400", [price("output")]: "10x400", [price("cached")]: "1.25x400" };

const cases: Record<string, { series: Record<string, string>; expected: Record<number, Record<string, number>> }> = {
  "by the price of the name without its date; a new price counts from its minute on, and the past keeps its own": {
    series: { ...prices, [tokens("openai/gpt-4o-2024-08-06", "output")]: "1000x20", [price("output")]: "10x9 8x400" },
    expected: {
      9: { [cost("openai/gpt-4o-2024-08-06", "computed")]: 0.01 },
      10: { [cost("openai/gpt-4o-2024-08-06", "computed")]: 0.008 },
      20: { [cost("openai/gpt-4o-2024-08-06", "computed")]: 0.008 },
    },
  },
  "cached tokens at their price, among the input; beside it, if they are more, as Anthropic counts them": {
    series: {
      ...prices,
      ...{ [tokens("gpt-4o", "input")]: "1000x20", [tokens("gpt-4o", "output")]: "100x20", [cached("gpt-4o")]: "400x9 2000x20" },
    },
    expected: {
      5: { [cost("gpt-4o", "computed")]: (600 * 2.5 + 400 * 1.25 + 100 * 10) / 1e6 },
      10: { [cost("gpt-4o", "computed")]: (1000 * 2.5 + 2000 * 1.25 + 100 * 10) / 1e6 },
    },
  },
  "beside the input, too, in a minute with fewer of them, if they were more in three hours": {
    series: { ...prices, [tokens("gpt-4o", "input")]: "1000x400", [cached("gpt-4o")]: "9000x9 400x400" },
    expected: {
      5: { [cost("gpt-4o", "computed")]: (1000 * 2.5 + 9000 * 1.25) / 1e6 },
      15: { [cost("gpt-4o", "computed")]: (1000 * 2.5 + 400 * 1.25) / 1e6 },
      300: { [cost("gpt-4o", "computed")]: (600 * 2.5 + 400 * 1.25) / 1e6 },
    },
  },
  "what is written to a cache at its price, also if all input is read from it or written to it": {
    series: {
      ...{ ...prices, [price("written")]: "3.125x400", [tokens("gpt-4o", "input")]: "1000x20" },
      ...{ [cached("gpt-4o")]: "400x9 700.0000001x20", [cached("gpt-4o", "written")]: "300x20" },
    },
    expected: {
      5: { [cost("gpt-4o", "computed")]: (300 * 2.5 + 400 * 1.25 + 300 * 3.125) / 1e6 },
      15: { [cost("gpt-4o", "computed")]: (-1e-7 * 2.5 + 700.0000001 * 1.25 + 300 * 3.125) / 1e6 },
    },
  },
  "by the price of the model that answered, else of the requested one; of a version, never that of another": {
    series: {
      ...prices,
      ...{ [price("output", "gpt-4")]: "60x400", [price("output", "gpt-4o-mini")]: "0.6x400", [price("output", "azure/gpt-4o")]: "11x400" },
      ...{ [tokens("gpt-4", "output", "gpt-4o-mini-2024-07-18")]: "1000x20", [tokens("gpt-4", "output", "new")]: "1000x20" },
      ...{ [tokens("prod-chat", "output", "gpt-4o-2024-08-06")]: "1000x20", [tokens("azure/gpt-4o", "output")]: "1000x20" },
      ...{ [tokens("gpt-4-0613", "output")]: "1000x20", [tokens("new", "output", "newer")]: "1000x20" },
    },
    expected: {
      5: {
        ...{
          [cost("gpt-4", "computed")]: 0.0006 + 0.06,
          [cost("prod-chat", "computed")]: 0.01,
          [cost("azure/gpt-4o", "computed")]: 0.011,
        },
        ...{ [unpriced("gpt-4-0613")]: 1000, [unpriced("new")]: 1000 },
      },
    },
  },
  "a value that is no number counts as none": {
    series: {
      ...prices,
      ...{ [measured("measured")]: "0.02x20", [measured("measured", "timeout")]: nan, [measured("gpt-4o", "timeout")]: "Inf ".repeat(20) },
      ...{ [tokens("gpt-4o", "input")]: nan, [tokens("gpt-4o", "output")]: "1000x20", [cached("gpt-4o")]: nan },
      ...{ [tokens("new", "input")]: nan, [tokens("new", "output")]: "30x20" },
    },
    expected: { 5: { [cost("measured", "measured")]: 0.02, [cost("gpt-4o", "computed")]: 0.01, [unpriced("new")]: 30 } },
  },
  "measured, and not computed for three hours after that; costs of 0 are none": {
    series: {
      ...prices,
      ...{ [tokens("gpt-4o", "output")]: "1000x400", [measured("gpt-4o")]: "0.02x9 0x400", [measured("gpt-4o", "timeout")]: "0x400" },
    },
    expected: { 5: { [cost("gpt-4o", "measured")]: 0.02 }, 100: {}, 195: { [cost("gpt-4o", "computed")]: 0.01 } },
  },
  "of a model without a price, its tokens instead, unless it is measured; with the price 0, none": {
    series: {
      ...prices,
      ...{ [tokens("new", "input")]: "70x20", [tokens("new", "output")]: "30x20", [tokens("local", "input")]: "70x20" },
      ...{ [price("input", "local")]: "0x20", [tokens("own", "input")]: "70x20", [measured("own")]: "1x20" },
    },
    expected: { 5: { [unpriced("new")]: 100, [cost("local", "computed")]: 0, [cost("own", "measured")]: 1 } },
  },
  "successful requests to models with a cost": {
    series: {
      ...prices,
      ...{ [tokens("gpt-4o", "output")]: "1000x20", [requests("gpt-4o")]: "3x20", [requests("gpt-4o", "timeout")]: "2x20" },
      ...{ [measured("own")]: "1x20", [requests("own")]: "5x20", [tokens("new", "input")]: "70x20", [requests("new")]: "7x20" },
    },
    expected: {
      5: {
        ...{ [cost("gpt-4o", "computed")]: 0.01, [cost("own", "measured")]: 1, [unpriced("new")]: 70 },
        ...{ [priced("gpt-4o")]: 3, [priced("own")]: 5 },
      },
    },
  },
  "only once the prices are recorded, as in the history, whose rules are evaluated one after the other": {
    series: {
      ...{ [price("input")]: "_x10 2.5x400", [price("output")]: "_x10 10x400" },
      ...{ [tokens("gpt-4o", "output")]: "1000x20", [tokens("new", "input")]: "70x20" },
    },
    expected: { 9: {}, 10: { [cost("gpt-4o", "computed")]: 0.01, [unpriced("new")]: 70 } },
  },
};

it.each(Object.entries(cases))("%s", async (_what, { series, expected }) => {
  await expectRecorded(series, { '{__name__=~"application:gen_ai_(cost|priced_requests|unpriced_tokens):increase1m"}': expected });
});

/** Of each type in each minute, as counters of an SDK or a gateway. */
const sent = (request: string, answer: string, perMinute: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(perMinute).map(([type, value]) => [
      `gen_ai_client_token_usage_sum{job="shop",gen_ai_operation_name="chat",gen_ai_request_model="${request}",gen_ai_response_model="${answer}",gen_ai_token_type="${type}"}`,
      `0+${value}x60`,
    ]),
  );
const inference = (kind: string) => `gen_ai_client_inference_usage_${kind}_tokens_total{job="other",gen_ai_request_model="claude-opus-5"}`;
const measuredBy = (instance: string) =>
  `gen_ai_usage_cost_USD_sum{job="shop",instance="${instance}",gen_ai_operation_name="chat",gen_ai_request_model="o3"}`;

const expectCosts = recordedBy(/gen_ai_(tokens|cached_tokens|cost|price)(_sum)?:/);

it("the costs of an hour, by what Anthropic and OpenAI list, whichever names the types of tokens have", async () => {
  const series = {
    ...sent("claude-sonnet-4-5", "claude-sonnet-4-5-20250929", { input: 7, cache_read: 10_000, output: 300 }),
    ...sent("claude-haiku-4-5", "", { input: 10_000, cached_input: 8000, cache_creation_input: 1000, output: 100, reasoning: 50 }),
    ...sent("gpt-5", "gpt-5-2025-08-07", { input: 10_000, cached: 9000, output: 100 }),
    ...sent("claude-opus-4-1", "", { input: 100, input_cache_read: 9000, input_cache_write: 500, output: 100 }),
    ...sent("gpt-4o", "", { input: 10_000, cache_read: 9000, output: 100 }),
    ...sent("claude-opus-4-5", "", { input: 10_000, cache_write: 9000, output: 100 }),
    ...sent("gpt-4", "gpt-4o-mini-2024-07-18", { input: 1000, output: 200 }),
    ...sent("prod-chat", "gpt-4o-2024-08-06", { input: 1000, output: 200 }),
    // A correction is no cost.
    ...{ [measuredBy("1")]: "0+2x60", [measuredBy("2")]: "_ -5x60" },
    ...{ [inference("input")]: "0+1000x60", [inference("cache_read_input")]: "0+600x60", [inference("cache_write_input")]: "0+300x60" },
  };
  const costs = {
    "claude-sonnet-4-5": (60 * (7 * 3 + 10_000 * 0.3 + 300 * 15)) / 1e6,
    "claude-haiku-4-5": (60 * (1000 * 1 + 8000 * 0.1 + 1000 * 1.25 + 100 * 5)) / 1e6,
    "gpt-5": (60 * (1000 * 1.25 + 9000 * 0.125 + 100 * 10)) / 1e6,
    "gpt-4o": (60 * (1000 * 2.5 + 9000 * 1.25 + 100 * 10)) / 1e6,
    "claude-opus-4-5": (60 * (1000 * 5 + 9000 * 6.25 + 100 * 25)) / 1e6,
    "claude-opus-4-1": (60 * (100 * 15 + 9000 * 1.5 + 500 * 18.75 + 100 * 75)) / 1e6,
    "gpt-4": (60 * (1000 * 0.15 + 200 * 0.6)) / 1e6,
    "prod-chat": (60 * (1000 * 2.5 + 200 * 10)) / 1e6,
    o3: 60 * 2,
    "claude-opus-5": (60 * (100 * 5 + 600 * 0.5 + 300 * 6.25)) / 1e6,
  };
  const rounded = Object.entries(costs).map(([model, usd]) => [`{model="${model}"}`, Math.round(usd * 1e6)]);
  const query = "round(1e6 * sum by (model) (sum_over_time(application:gen_ai_cost:increase1m[1h])))";
  await expectCosts(series, { [query]: { 60: Object.fromEntries(rounded) } });
});

const names = ["gpt-4o (EU)", "C:\\models\\llama.gguf", "base+lora", "通义-7b", 'a"b', "$1 ${x} [[y]]", "it's"];
const ofNames = Object.fromEntries(names.map((name, index) => [name, index + 1]));
const expectOfNames = recordedBy(/gen_ai_(cost|price|budget):/, {
  prices: Object.fromEntries(Object.entries(ofNames).map(([name, output]) => [name, { input: 0, output }])),
  budgets: ofNames,
});

it("prices and budgets of any name", async () => {
  const series = names.map((name) => [
    `application:gen_ai_tokens:increase1m{application=${JSON.stringify(name)},model=${JSON.stringify(name)},gen_ai_token_type="output"}`,
    "1000000x9",
  ]);
  const query = 'sum by (application) ({__name__=~"application:gen_ai_(cost:increase1m|budget:usd_per_day)"})';
  const expected = names.map((name) => [`{application=${JSON.stringify(name)}}`, 2 * (ofNames[name] ?? 0)]);
  await expectOfNames(Object.fromEntries(series), { [query]: { 5: Object.fromEntries(expected) } });
});
