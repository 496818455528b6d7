/**
 * Recorded SDKs whose provider counted each call: the totals that panels show. An SDK counts what it measures: Spring AI's 33 calls, two of them with a second round
 * for a tool, contain 47 requests with retries; OpenLLMetry measures no failed request; OpenTelemetry's also count a timeout, and cached tokens as input.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Panel, show } from "../../view/reading/show";
import { recordHistory } from "../history";
import { otel } from "../panels";
import { type RunningServers, startServers } from "../servers";
import { pushRecorded, recording, retimed } from "../telemetry/recorded";
import { hour, minute } from "../world/world";

const now = Math.floor((Date.now() - 2 * minute) / hour) * hour;

const recordings: Record<string, { requests: number; failed: number; tokens: number; p95: [from: number, to: number] | undefined }> = {
  "spring-ai-2.0.1": { requests: 35, failed: 6, tokens: 2385 + 470, p95: undefined },
  "spring-ai-percentiles-histogram-2.0.1": { requests: 35, failed: 6, tokens: 2385 + 470, p95: [3.579, 4.295] },
  "openllmetry-bedrock-0.62.4": { requests: 29, failed: 0, tokens: 1881 + 470, p95: [0, 10] },
  "genai-bedrock-1.3b0": { requests: 34 + 1, failed: 5 + 1, tokens: 1881 + 470, p95: [0.32, 0.64] },
  "genai-anthropic-1.3b0": { requests: 29 + 1, failed: 5 + 1, tokens: 1730 + 300 + 120 + 430, p95: [0.32, 0.64] },
};
const all = Object.entries(recordings).map(([name, expected], index) => ({ name, expected, end: now - index * 4 * hour }));
const windowOf = (end: number) => ({ from: end - 5 * minute, to: end + 2 * minute });

let servers: RunningServers;

beforeAll(async () => {
  servers = await startServers();
  for (const { name, end } of all) await pushRecorded(retimed(recording(name), end), servers);
  await recordHistory(
    servers,
    all.map(({ end }) => windowOf(end)),
  );
}, 180_000);

afterAll(() => servers?.stop());

it.each(all)("$name", async ({ expected: { requests, failed, tokens, p95 }, end }) => {
  const numberOf = async (title: string) => {
    const shown = await show(otel.panels.get(title) as Panel, otel.model, { ...windowOf(end), selected: {} }, servers);
    return shown.kind === "values" ? shown.values[0]?.value : undefined;
  };
  expect(await numberOf("Requests")).toBe(requests);
  expect(await numberOf("Error Rate")).toBeCloseTo(failed / requests, 9);
  expect(await numberOf("Tokens")).toBeCloseTo(tokens, 6);
  const seconds = await numberOf("p95 Latency");
  if (!p95) expect(seconds).toBeUndefined();
  else expect(seconds && seconds > p95[0] && seconds <= p95[1], `${seconds} s`).toBe(true);
});
