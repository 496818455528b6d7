/**
 * Gateways and the SDKs behind them report the same calls: of recorded exports of both, one side counts, and the other one is coverage. The numbers are those of the
 * ledger of the provider that answered; what a source does not send is said.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Prices, pricesOf } from "../../src/prices/prices";
import { settingsKeys } from "../../src/settings/keys";
import { coverage } from "../../src/signals/opentelemetry";
import type { Gateways } from "../../src/signals/opentelemetry-rules";
import { expectTable } from "../support/readme";
import { recordHistory } from "./history";
import { recordedBy } from "./promtool";
import { samplesOf } from "./samples";
import { server, usePrometheus } from "./set-up";
import { metricsPath, pushRecorded, recording, retimed } from "./telemetry/recorded";
import { hour, minute } from "./world/world";

interface Case {
  recording: string;
  gateways: Gateways;
  /** Of 94 requests with 24 failures, and of 96 with 24, by two applications. */
  requests: number;
  failed: number;
  applications: Readonly<Record<string, number>>;
  /** Input and output: 46,542 and 7,190; 48,542 and 7,590. */
  tokens: readonly [input: number, output: number];
  cached?: number;
  /** In millionths of a USD: 73,687, and 74,167. */
  cost?: number;
  seenBySdks: number;
  prices?: Prices;
  /** By these prices, in millionths of a USD. */
  computed?: number;
}

const [litellm, envoy] = ["gateway-litellm-1.108.7", "gateway-envoy-c217da8"] as const;
/** The rows of the table in dashboards/gateways.md, by recording. The provider counted the numbers of the first ones. */
const rows: Record<string, string[]> = {
  [litellm]: ["LiteLLM 1.108 | the provider | 94 | 24 | 46,542 | 7,190 | 16,600 | $0.073687"],
  [envoy]: ["Envoy AI Gateway c217da8 | the provider | 96 | 24 | 48,542 | 7,590 | 17,400 | $0.074167"],
};
/** The setting `prices` with the models of LiteLLM's `config.yaml`: SDKs know only its own names. */
const pricesOfLitellm = settingsKeys.prices.parse(
  JSON.stringify({
    ...{ "fast-model": "openai/gpt-4o-mini", "smart-model": "openai/gpt-4o", "think-model": "openai/o4-mini" },
    ...{ "claude-model": "anthropic/claude-sonnet-4-5", "embed-model": "openai/text-embedding-3-small" },
  }),
);
const cases: Case[] = [
  {
    // All requests of the applications with an SDK. Streams without usage have no tokens.
    ...{ recording: litellm, gateways: { names: ["litellm"], countedBy: "sdks" }, requests: 90, failed: 24 },
    ...{ applications: { "checkout-assistant": 45, "support-bot": 45 }, tokens: [33_163, 5074], seenBySdks: 90 / 102 },
    prices: pricesOf(pricesOfLitellm),
    // By hand: (16,000 × 0.15 + 3,200 × 0.6) + (8,000 × 2.5 + 800 × 10) + (600 × 1.1 + 180 × 4.4) + (7,500 × 3 + 720 × 15) + 256 × 0.02.
    computed: 67_077,
  },
  {
    // 103 tries but one; retried ones are failures. It estimates the tokens of streams without usage, and prices cached ones itself.
    ...{ recording: litellm, gateways: { names: ["other", "litellm"], countedBy: "gateways" }, requests: 102, failed: 32 },
    ...{
      applications: { "checkout-assistant-key": 51, "support-bot-key": 51 },
      tokens: [44_260, 6786],
      cost: 73_225,
      seenBySdks: 90 / 102,
    },
  },
  {
    ...{ recording: envoy, gateways: { names: ["aigw"], countedBy: "sdks" }, requests: 86, failed: 24 },
    ...{ applications: { "checkout-assistant": 43, "support-bot": 43 }, tokens: [27_614, 4732], seenBySdks: 86 / 90 },
  },
  {
    // Without unknown models, aborted streams, and the tokens of those without usage.
    ...{ recording: envoy, gateways: { names: ["aigw"], countedBy: "gateways" }, requests: 90, failed: 20 },
    ...{ applications: { "checkout-assistant": 45, "support-bot": 45 }, tokens: [40_114, 5932], cached: 14_200, seenBySdks: 86 / 90 },
  },
];

/** Of LiteLLM's first integration, there is a recording of its Python package, which the proxy runs: its application is the gateway here. */
const first: Case = {
  ...{
    recording: "litellm-1.106.2",
    gateways: { names: ["litellm-metrics"], countedBy: "gateways" },
    requests: 26,
    failed: 0,
    seenBySdks: 0,
  },
  ...{ applications: { "litellm-metrics": 26 }, tokens: [23 * 100 + 3 * 7, 23 * 20] },
};

const now = Math.floor((Date.now() - 2 * minute) / hour) * hour;
const endOf = (index: number) => now - index * 5 * hour;

usePrometheus(180_000, async () => {
  for (const [index, each] of [...cases, first].entries()) {
    const end = endOf(index);
    const metrics = retimed(recording(each.recording), end).filter(({ path }) => path === metricsPath);
    await pushRecorded(metrics, server);
    const window = { from: end - 5 * minute, to: end + 2 * minute };
    await recordHistory(server, window, window, each);
  }
});

it.each([...cases, first].map((each, index) => ({ ...each, end: endOf(index) })))(
  "$recording, counted by $gateways.countedBy",
  async ({ end, gateways, ...expected }) => {
    const ask = async (query: string, by = "") => {
      const samples = await samplesOf(server.prometheus, query, end + 2 * minute);
      return Object.fromEntries(samples.map(({ metric, value }) => [metric[by] ?? "", value]));
    };
    const total = async (name: string, filters = "") =>
      Math.round((await ask(`1e6 * sum(sum_over_time(application:gen_ai_${name}:increase1m{${filters}}[10m]))`))[""] ?? 0) / 1e6;
    const applications = await ask(
      "round(sum by (application) (sum_over_time(application:gen_ai_requests_count:increase1m[10m])))",
      "application",
    );
    expect(applications).toEqual(expected.applications);
    expect(await total("requests_count")).toBe(expected.requests);
    expect(await total("requests_count", 'error_type!=""')).toBe(expected.failed);
    expect([await total("tokens", 'gen_ai_token_type="input"'), await total("tokens", 'gen_ai_token_type="output"')]).toEqual(
      expected.tokens,
    );
    expect(await total("cached_tokens", 'gen_ai_token_type="cached"')).toBe(expected.cached ?? 0);
    if (expected.computed) expect(Math.round((await total("cost", 'source="computed"')) * 1e6)).toBe(expected.computed);
    if (expected.cost) expect(Math.round((await total("cost", 'source="measured"')) * 1e6)).toBe(expected.cost);
    const { share } = coverage(gateways.countedBy);
    const counts = [expected.requests, expected.failed, ...expected.tokens, await total("cached_tokens", 'gen_ai_token_type="cached"')];
    const cost = await ask("sum by (source) (sum_over_time(application:gen_ai_cost:increase1m[10m]))", "source");
    const costs = Object.entries(cost).map(([source, usd]) => `$${usd.toFixed(6)} (${source})`);
    const texts = ["", `\`${gateways.countedBy}\``, ...counts.map((count) => count.toLocaleString("en")), costs.join(", ")];
    rows[expected.recording]?.push(texts.join(" | "));
    const query = share.query.replace(/\w+=~"\$\w+",?/g, "").replaceAll("$__range", "10m");
    expect((await ask(query))[""]).toBeCloseTo(expected.seenBySdks, 9);
  },
);

it("the document has these numbers", ({ skip }) => {
  const all = Object.values(rows).flat();
  if (all.length < 6) skip("a case failed");
  const head = "| Gateway | Counted by | Requests | Failed | Input tokens | Output tokens | Cached tokens | Cost |";
  const table = [head, `|${"---|".repeat(8)}`, ...all.map((row) => `| ${row} |`)].join("\n");
  expectTable("gateways", table, "dashboards/gateways.md");
});

const counted = /gen_ai_(requests_count|requests_bucket|tokens|cached_tokens|cost_sum|cost|price|uncounted_requests_count|processes):/;
const ofGateway = (names: string[]): Gateways => ({ names, countedBy: "gateways" });
const expectOfLitellm = recordedBy(counted, { gateways: ofGateway(["litellm"]) });
const expectOfAgentgateway = recordedBy(counted, { gateways: ofGateway(["agentgateway"]) });

const sums = (name: string, by: string) => `round(sum by (${by}) (sum_over_time(application:gen_ai_${name}:increase1m[30m])), 1e-6)`;

it("LiteLLM's page /metrics has the ledger's 94 requests and 24 failures, and the tokens and costs that it sends by OTLP", async () => {
  const lines = readFileSync(join(__dirname, "../recorded/litellm-1.108.7-metrics.txt"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("litellm"));
  const series = Object.fromEntries(
    lines.map((line) => line.replace("{", '{job="litellm",').split(/ (?=\S+$)/)).map(([name, value]) => [name, `_x3 ${value}x9`]),
  );
  await expectOfLitellm(series, {
    [sums("requests_count", "application")]: {
      10: { '{application="checkout-assistant-key"}': 46, '{application="support-bot-key"}': 46, '{application="litellm"}': 2 },
    },
    [sums("requests_count", "error_type")]: {
      10: {
        ...{ "{}": 70, '{error_type="400"}': 4, '{error_type="401"}': 4, '{error_type="404"}': 1, '{error_type="408"}': 2 },
        ...{ '{error_type="429"}': 5, '{error_type="500"}': 8 },
      },
    },
    // It writes "None" for requests that it refuses.
    [sums("requests_count", "provider")]: { 10: { '{provider="openai"}': 81, '{provider="anthropic"}': 10, '{provider="(none)"}': 3 } },
    [sums("tokens", "gen_ai_token_type")]: { 10: { '{gen_ai_token_type="input"}': 44_260, '{gen_ai_token_type="output"}': 6786 } },
    [sums("cached_tokens", "gen_ai_token_type")]: {
      10: { '{gen_ai_token_type="cached"}': 15_800, '{gen_ai_token_type="written"}': 2500 },
    },
    [sums("cost", "source")]: { 10: { '{source="measured"}': 0.073225 } },
    'sum(sum_over_time(application:gen_ai_requests_bucket:increase1m{le="+Inf",model="fast-model"}[30m]))': { 10: { "{}": 24 } },
  });
});

it("agentgateway, as its source says: Anthropic's cached tokens beside the input, by the price of the model that answered", async () => {
  const labels = (more = "") =>
    `{job="agentgateway",gen_ai_operation_name="chat",gen_ai_system="anthropic",gen_ai_request_model="fast",gen_ai_response_model="claude-sonnet-4-5-20250929",route="unknown"${more}}`;
  const tokens = (type: string) => `agentgateway_gen_ai_client_token_usage_sum${labels(`,gen_ai_token_type="${type}"`)}`;
  const series = {
    ...{
      [`agentgateway_gen_ai_server_request_duration_count${labels()}`]: "0+2x10",
      [tokens("input")]: "0+50x10",
      [tokens("output")]: "0+20x10",
    },
    ...{ [tokens("input_cache_read")]: "0+900x10", [tokens("input_cache_write")]: "0+100x10" },
    'gen_ai_client_operation_duration_seconds_count{job="shop",gen_ai_request_model="fast"}': "0+1x10",
  };
  const processes = "application:gen_ai_processes:count1m";
  const usd = (10 * (50 * 3 + 900 * 0.3 + 100 * 3.75 + 20 * 15)) / 1e6;
  await expectOfAgentgateway(series, {
    [sums("requests_count", "application, model")]: { 10: { '{application="agentgateway",model="fast"}': 20 } },
    // The processes are those of the gateway, by the application that calls.
    [processes]: { 10: { [`${processes}{application="agentgateway",environment="(none)"}`]: 1 } },
    [sums("uncounted_requests_count", "application")]: { 10: { '{application="shop"}': 10 } },
    [sums("cost", "source")]: { 10: { '{source="computed"}': Math.round(usd * 1e6) / 1e6 } },
  });
});

const expectBesideGateway = recordedBy(/gen_ai_processes:/, { gateways: { names: ["litellm"], countedBy: "sdks" } });

it("processes without a request that counts are none: agents, and gateways if SDKs count", async () => {
  const series = (job: string, operation: string) =>
    `gen_ai_client_operation_duration_seconds_count{job="${job}",gen_ai_operation_name="${operation}"}`;
  const sent = { [series("shop", "chat")]: "1x10", [series("litellm", "chat")]: "1x10", [series("planner", "invoke_agent")]: "1x10" };
  const processes = "application:gen_ai_processes:count1m";
  await expectBesideGateway(sent, { [processes]: { 10: { [`${processes}{application="shop",environment="(none)"}`]: 1 } } });
});
