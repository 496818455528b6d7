/**
 * Gateways and the SDKs behind them report the same calls: of recorded exports of both, one side counts, and the other one is coverage. The numbers are those of the
 * ledger of the provider that answered; what a source does not send is said.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTelemetryCoverage } from "../../src/signals/opentelemetry";
import type { Gateways } from "../../src/signals/opentelemetry-rules";
import { queryInstant } from "../view/reading/client";
import { recordHistory } from "./history";
import { type RunningPrometheus, startPrometheus } from "./servers";
import { pushRecorded, recording, retimed } from "./telemetry/recorded";
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
}

const [litellm, envoy] = ["gateway-litellm-1.108.7", "gateway-envoy-c217da8"];
const cases: Case[] = [
  {
    // All requests of the applications with an SDK. Streams without usage have no tokens.
    ...{ recording: litellm, gateways: { names: ["litellm"], countedBy: "sdks" }, requests: 90, failed: 24 },
    ...{ applications: { "checkout-assistant": 45, "support-bot": 45 }, tokens: [33_163, 5074], seenBySdks: 90 / 102 },
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

const now = Math.floor((Date.now() - 2 * minute) / hour) * hour;
const endOf = (index: number) => now - index * 5 * hour;

let server: RunningPrometheus;

beforeAll(async () => {
  server = await startPrometheus();
  for (const [index, each] of cases.entries()) {
    const end = endOf(index);
    await pushRecorded(retimed(recording(each.recording), end), server);
    const window = { from: end - 5 * minute, to: end + 2 * minute };
    await recordHistory(server, window, window, each.gateways);
  }
}, 180_000);

afterAll(() => server?.stop());

it.each(cases.map((each, index) => ({ ...each, end: endOf(index) })))(
  "$recording, counted by $gateways.countedBy",
  async ({ end, gateways, ...expected }) => {
    const ask = async (query: string, by = "") => {
      const { result } = await queryInstant(server.prometheus, query, end + 2 * minute);
      return Object.fromEntries(
        (result as { metric: Record<string, string>; value: [number, string] }[]).map(({ metric, value }) => [
          metric[by] ?? "",
          Number(value[1]),
        ]),
      );
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
    if (expected.cost) expect(Math.round((await total("cost", 'source="measured"')) * 1e6)).toBe(expected.cost);
    const { share } = openTelemetryCoverage(gateways.countedBy);
    const query = share.query.replace(/\w+=~"\$\w+",?/g, "").replaceAll("$__range", "10m");
    expect((await ask(query))[""]).toBeCloseTo(expected.seenBySdks, 9);
  },
);
