/** The made-up company's day, and its telemetry in parts. */
import { JsonMetricsSerializer } from "@opentelemetry/otlp-transformer";
import type { ResourceMetrics } from "@opentelemetry/sdk-metrics";
import { describe, expect, it } from "vitest";
import { SdkLedger, ServiceLedger } from "../ledger";
import { companyWorld } from "./company";
import { processMetrics } from "./sdk-metrics";
import { spansOf } from "./sdk-spans";
import { serviceLines, serviceSeries } from "./service";
import { callsBetween, createWorld, hour, type LlmCall, minute, type World } from "./world";

const day = 24 * hour;
const sdkName = "openlit";
const everything = { applications: [], environments: [] };

/** Half past nine in the evening of 2026-03-10. */
const now = Date.UTC(2026, 2, 10, 21, 30);
const world = companyWorld(now);
const lastDay = { from: now - day, to: now };

const countBy = <T>(values: readonly T[], name: (value: T) => string | number) => {
  const counts = new Map<string | number, number>();
  for (const value of values) counts.set(name(value), (counts.get(name(value)) ?? 0) + 1);
  return counts;
};

/** Everything about the calls, with times relative to `now`. */
const relative = ({ llm, database, now }: World) =>
  [...llm, ...database].map(({ process, start, end, exportedAt, ...call }) => {
    const times = [process.start, start, end, exportedAt ?? now].map((time) => Math.round(time - now));
    return { ...call, instance: process.instance, times };
  });

describe("the company's day", () => {
  const { llm, database } = callsBetween(world, lastDay.from, lastDay.to);

  it.each([1, 5, 7, 31])("is the same %d days later", (days) => {
    expect(relative(companyWorld(now + days * day))).toEqual(relative(world));
  });

  it.each([0, 5.5, 9.7, 12, 14.3, 23.9])("has the same size at each time of the day: %d h", (hours) => {
    const at = Date.UTC(2026, 2, 10) + hours * hour;
    const part = callsBetween(companyWorld(at), at - day, at);
    expect(part.llm.length).toBeGreaterThan(1500);
    expect(part.llm.length).toBeLessThan(3000);
    expect(part.database.length).toBeGreaterThan(650);
    expect(part.database.length).toBeLessThan(1000);
  });

  it("has all applications, environments, providers and databases", () => {
    expect([...countBy(llm, ({ process }) => process.application).keys()].sort()).toEqual([
      "doc-search",
      "invoice-reader",
      "sales-copilot",
      "support-bot",
    ]);
    expect([...countBy(llm, ({ process }) => process.environment).keys()].sort()).toEqual(["development", "production", "staging"]);
    expect([...countBy(llm, ({ operation }) => operation.platform).keys()].sort()).toEqual(["anthropic", "cohere", "openai"]);
    expect([...countBy(database, (call) => call.database.system).keys()].sort()).toEqual(["chroma", "pinecone", "qdrant"]);
    expect([...countBy(database, (call) => call.database.operation).keys()].sort()).toEqual(["delete", "query", "upsert"]);
  });

  it("is quiet at night, and has a dip at noon", () => {
    const regular = llm.filter(({ process }) => !/batch|load-test/.test(process.instance));
    const calls = countBy(regular, ({ end }) => Math.floor((end / hour) % 24));
    const at = (hourOfDay: number) => calls.get(hourOfDay) ?? 0;
    expect(at(3) * 5).toBeLessThan(at(10));
    expect(at(12)).toBeLessThan(at(10) * 0.85);
    expect(at(12)).toBeLessThan(at(15) * 0.85);
  });

  it("has half an hour without the application that is down", () => {
    const down = { from: Date.UTC(2026, 2, 10, 14, 6), to: Date.UTC(2026, 2, 10, 14, 36) };
    const during = callsBetween(world, down.from, down.to).llm.filter(({ process }) => process.environment === "production");
    expect(during.filter(({ process }) => process.application === "sales-copilot")).toEqual([]);
    expect(during.length).toBeGreaterThan(20);
  });

  it("has a cost for each call, by the prices of the tokens", () => {
    for (const { cost, operation, promptTokens = 0, completionTokens = 0 } of llm) {
      if (Array.isArray(operation.cost)) expect(cost).toBeGreaterThanOrEqual(operation.cost[0]);
      else expect(cost).toBeCloseTo((promptTokens * operation.cost.prompt + completionTokens * (operation.cost.completion ?? 0)) / 1e6, 12);
    }
  });

  it("has texts without names in braces, and a completion exactly with completion tokens", () => {
    for (const { prompt, completion, completionTokens } of llm) {
      expect(`${prompt}${completion ?? ""}`).not.toMatch(/\{\w+\}/);
      expect(completion === undefined).toBe(completionTokens === undefined);
    }
    expect(new Set(llm.map(({ prompt }) => prompt)).size).toBeGreaterThan(100);
  });

  it("has the calls up to now, whatever follows", () => {
    const ahead = companyWorld(now, 2);
    expect(ahead.llm.some(({ end }) => end > now + hour)).toBe(true);
    const counts = countBy(callsBetween(ahead, now, now + minute).llm, ({ process }) => process.instance);
    expect(counts.get("support-bot-load-test")).toBeGreaterThan(0);
  });
});

describe("telemetry in parts", () => {
  const whole = createWorld(now, 20);
  const cuts = [Number.NEGATIVE_INFINITY, now - 20 * hour, now - 3 * hour, now - 3 * hour + 1, now - 7000, Number.POSITIVE_INFINITY];
  const parts = cuts.slice(1).map((until, index) => callsBetween(whole, cuts[index] as number, until));

  it("has each call once", () => {
    const ids = (calls: readonly { spanId: string }[]) => calls.map(({ spanId }) => spanId).sort();
    expect(ids(parts.flatMap(({ llm }) => llm))).toEqual(ids(whole.llm));
    expect(ids(parts.flatMap(({ database }) => database))).toEqual(ids(whole.database));
  });

  it("excludes the start of a part and includes its end", () => {
    const { end, spanId } = whole.llm[100] as LlmCall;
    const has = (part: World) => part.llm.some((call) => call.spanId === spanId);
    expect([has(callsBetween(whole, end - 1, end)), has(callsBetween(whole, end, end + 1))]).toEqual([true, false]);
  });

  it("has the same samples and lines of the service", () => {
    const samples = (worlds: readonly World[]) =>
      worlds
        .flatMap((part) => serviceSeries(part, "llmobs"))
        .flatMap(({ labels, samples }) => samples.map((sample) => JSON.stringify([labels, sample])))
        .sort();
    expect(samples(parts)).toEqual(samples([whole]));
    expect(parts.flatMap(serviceLines)).toHaveLength(serviceLines(whole).length);
  });

  it("has the same metrics of the SDK", async () => {
    const process = whole.processes.find(({ instance }) => instance === "assistant-1");
    if (!process) throw new Error("No such process");
    const json = (exports: readonly ResourceMetrics[]) =>
      exports.map((each) => Buffer.from(JsonMetricsSerializer.serializeRequest(each) ?? []).toString());
    const [atOnce, inParts] = [processMetrics(process, whole, sdkName), processMetrics(process, whole, sdkName)];
    const exports: ResourceMetrics[] = [];
    for (const until of cuts.slice(1)) exports.push(...(await inParts.exportsUntil(until)));
    expect(exports.length).toBeGreaterThan(300);
    expect(json(exports)).toEqual(json(await atOnce.exportsUntil(Number.POSITIVE_INFINITY)));
  });
});

describe("the OpenTelemetry SDK", () => {
  it("counts what the ledger expects, at the times of the exports", async () => {
    for (const process of world.processes) {
      const clock = Date.now();
      const exports = await processMetrics(process, world, sdkName).exportsUntil(Number.POSITIVE_INFINITY);
      expect(Math.abs(Date.now() - clock)).toBeLessThan(60_000);
      const last = exports.at(-1)?.scopeMetrics[0]?.metrics.find(({ descriptor }) => descriptor.name === "gen_ai.total.requests");
      const points = last?.dataPoints.filter(({ attributes }) => attributes["telemetry.sdk.name"] === sdkName) ?? [];
      const counted = world.llm.filter((call) => call.process === process && call.exportedAt !== undefined);
      expect(points.reduce((sum, { value }) => sum + (value as number), 0)).toBe(counted.length);
      expect(points.map(({ endTime }) => endTime[0])).toEqual(points.map(() => Math.floor((process.exports.at(-1) as number) / 1000)));
    }
  });

  it("records spans with the times and ids of the calls", () => {
    const call = world.llm.find(({ status }) => status === "ok") as LlmCall;
    const [span] = spansOf(call.process, [call], sdkName);
    expect(span?.spanContext()).toMatchObject({ traceId: call.traceId, spanId: call.spanId });
    expect([span?.startTime, span?.endTime].map((time) => (time?.[0] ?? 0) * 1000 + (time?.[1] ?? 0) / 1e6)).toEqual([
      call.start,
      call.end,
    ]);
    expect(span?.attributes["gen_ai.content.prompt"]).toBe(call.prompt);
  });

  it("is in both ledgers", () => {
    const requests = new SdkLedger(world).increase("requests", lastDay, everything, "gen_ai.application_name");
    expect([...requests.keys()].sort()).toEqual(["doc-search", "invoice-reader", "sales-copilot", "support-bot"]);
    expect(new ServiceLedger(world).count(lastDay, everything)?.value).toBeGreaterThan(1200);
  });
});
