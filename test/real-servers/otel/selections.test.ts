/** Tempo breaks some queries of more than 1,024 bytes. The tables of spans show the right rows for selections of any length up to 400 bytes. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTelemetry } from "../../../src/dashboards/opentelemetry";
import { queryTempo } from "../../../src/view/reading/client";
import { type Panel, variablesOf } from "../../../src/view/reading/panel";
import { show } from "../../../src/view/reading/show";
import { type Choice, expand, pipe } from "../../support/expand";
import { byTitle } from "../panels";
import { type RunningServers, startServers } from "../servers";
import { otlpTraces, push } from "../telemetry/push";
import { untilFound } from "../telemetry/traces";

const now = Math.floor(Date.now() / 1000) * 1000;
const window = { from: now - 60_000, to: now };

const tables = { "GenAI Requests": { "gen_ai.operation.name": "chat" }, "VectorDB Requests": { "db.system.name": "qdrant" } };
const [service, model, old, current] = [
  "service.name",
  "gen_ai.request.model",
  "deployment.environment",
  "deployment.environment.name",
] as const;

// Each differs from the others in what can be selected. Newest first.
const spans: { [service]: string; [model]?: string; [old]?: string; [current]?: string }[] = ["shop", "web"].flatMap((name) => [
  { [service]: name },
  { [service]: name, [model]: "gpt", [old]: "prod" },
  { [service]: name, [model]: "claude", [old]: "dev" },
  { [service]: name, [model]: "claude", [current]: "prod" },
  { [service]: name, [model]: "gpt", [old]: "prod", [current]: "prod" },
]);

const idOf = (index: number) => `${index}`.padStart(16, "a");
const attributes = (values: object) => Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }));
const resourceSpans = Object.values(tables).flatMap((kind, table) =>
  spans.map(({ [model]: requested, ...resource }, index) => {
    const [traceId, start] = [`${table}${index}`.padStart(32, "a"), `${now - 1000 - index}000000`];
    const times = { startTimeUnixNano: start, endTimeUnixNano: start };
    const own = attributes({ ...kind, ...(requested && { [model]: requested }) });
    return {
      resource: { attributes: attributes(resource) },
      scopeSpans: [{ spans: [{ traceId, spanId: idOf(index), ...times, attributes: own }] }],
    };
  }),
);

let servers: RunningServers;

beforeAll(async () => {
  servers = await startServers();
  await push(JSON.stringify({ resourceSpans }), otlpTraces(servers), { "Content-Type": "application/json" });
  await untilFound(servers, { query: "{ }", ...window }, resourceSpans.length);
}, 180_000);

afterAll(() => servers?.stop());

const known = { application: "shop", environment: "prod", model: "gpt" };
const names = ["application", "environment", "model"] as const;
const cases = (["direct", "recorded"] as const).flatMap((mode) => Object.keys(tables).map((table) => ({ mode, table })));

it.each(cases)("$mode: $table", async ({ mode, table }) => {
  const dashboard = openTelemetry({ uid: "otel", prometheusUid: "prometheus", tempoUid: "tempo", mode });
  const panel = byTitle(dashboard).get(`${table}, table`) as Panel;
  const expanded = (choice: (name: string) => Choice) => expand(panel.targets?.[0]?.query ?? "", variablesOf(dashboard), choice, pipe);
  const all = { all: true as const, values: [] };
  expect(expanded(() => all).length).toBeLessThanOrEqual(600);

  // Grafana writes (prod|xxx).
  const selection = (name: keyof typeof known, length: number) =>
    length < 8 ? ["x".repeat(length)] : [known[name], "x".repeat(length - known[name].length - 3)];
  const alone = names.flatMap((name) => Array.from({ length: 400 }, (_, index) => ({ of: [name], length: index + 1 })));
  const together = Array.from({ length: 160 }, (_, index) => ({ of: [...names], length: index + 1 }));
  const pending = [...alone, ...together][Symbol.iterator]();
  const parse = async () => {
    for (const { of, length } of pending) {
      const query = expanded((name) => {
        const found = of.find((each) => each === name);
        return found ? { values: selection(found, length) } : all;
      });
      // Without traces in the time range, Tempo only parses. It reads 1,024 bytes at a time: of shorter queries, some will do.
      if (query.length > 1000 || length % 20 === 0) await queryTempo(servers.tempo, query, { from: 1_000_000, to: 1_060_000 }, {});
    }
  };
  await Promise.all([parse(), parse(), parse(), parse()]);

  for (const name of names)
    for (const selected of [[], [known[name]], ...[3, 30, 250, 400].map((length) => selection(name, length))]) {
      const passes = (span: (typeof spans)[number]) => {
        if (name === "model") return table !== "GenAI Requests" || !span[model] || selected.includes(span[model]);
        const of = { application: [service], environment: mode === "direct" ? [old] : [old, current] } as const;
        return of[name].some((attribute) => selected.includes(span[attribute] ?? ""));
      };
      const wanted = spans.flatMap((span, index) => (selected.length === 0 || passes(span) ? [idOf(index)] : []));
      const shown = await show(panel, dashboard, { ...window, selected: { [name]: selected } }, servers);
      expect(shown.kind === "table" ? shown.rows.map(({ Trace: trace }) => trace?.value) : [], `${name}: ${selected}`).toEqual(wanted);
    }
});
