/** Tempo breaks some queries of more than 1,024 bytes. The tables of spans show the right rows for selections of any length up to 400 bytes. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTelemetry } from "../../src/dashboards/opentelemetry";
import { type Choice, expand, pipe } from "../support/expand";
import { queryTempo } from "../view/reading/client";
import { type Panel, variablesOf } from "../view/reading/panel";
import { show } from "../view/reading/show";
import { byTitle } from "./panels";
import { type RunningServers, startServers } from "./servers";
import { otlpTraces, push } from "./telemetry/push";
import { untilFound } from "./telemetry/traces";

const now = Math.floor(Date.now() / 1000) * 1000;
const window = { from: now - 60_000, to: now };
const tables = { "GenAI Requests": { "gen_ai.operation.name": "chat" }, "VectorDB Requests": { "db.system.name": "qdrant" } };
const [old, current] = ["deployment.environment", "deployment.environment.name"] as const;

type Span = { application: string; model?: string; environments?: { [old]?: string; [current]?: string } };
// Each differs from the others in what can be selected. Newest first.
const spans = ["shop", "web"].flatMap((application): Span[] => [
  { application },
  { application, model: "gpt", environments: { [old]: "prod", [current]: "prod" } },
  { application, model: "claude", environments: { [old]: "dev" } },
  { application, model: "claude", environments: { [current]: "prod" } },
]);

const idOf = (index: number) => `${index}`.padStart(16, "a");
const attributes = (of: object) => ({ attributes: Object.entries(of).map(([key, stringValue]) => ({ key, value: { stringValue } })) });
const resourceSpans = Object.values(tables).flatMap((kind, table) =>
  spans.map(({ application, model, environments }, index) => {
    const [traceId, startTimeUnixNano] = [`${table}${index}`.padStart(32, "a"), `${now - 1000 - index}000000`];
    const own = attributes({ ...kind, ...(model && { "gen_ai.request.model": model }) });
    const span = { traceId, spanId: idOf(index), startTimeUnixNano, endTimeUnixNano: startTimeUnixNano, ...own };
    return { resource: attributes({ "service.name": application, ...environments }), scopeSpans: [{ spans: [span] }] };
  }),
);

let servers: RunningServers;

beforeAll(async () => {
  servers = await startServers();
  await push(JSON.stringify({ resourceSpans }), otlpTraces(servers), { "Content-Type": "application/json" });
  await untilFound(servers, { query: "{ }", ...window }, resourceSpans.length);
}, 180_000);

afterAll(() => servers?.stop());

const values = { application: "shop", environment: "prod", model: "gpt" };
type Name = keyof typeof values;
const names = Object.keys(values) as Name[];
/** Grafana writes (prod|xxx). */
const selection = (name: Name, length: number) =>
  length < 8 ? ["x".repeat(length)] : [values[name], "x".repeat(length - values[name].length - 3)];

it.each((["direct", "recorded"] as const).flatMap((mode) => Object.keys(tables).map((table) => ({ mode, table }))))(
  "$mode: $table",
  async ({ mode, table }) => {
    const dashboard = openTelemetry({ uid: "otel", prometheusUid: "prometheus", tempoUid: "tempo", mode });
    const panel = byTitle(dashboard).get(`${table}, table`) as Panel;
    const query = (length: number, selected: readonly string[]) => {
      const choice = (name: string): Choice =>
        selected.includes(name) ? { values: selection(name as Name, length) } : { all: true, values: [] };
      return expand(panel.targets?.[0]?.query ?? "", variablesOf(dashboard), choice, pipe);
    };
    expect(query(0, []).length).toBeLessThanOrEqual(600);

    const upTo = (length: number, ...selected: Name[]) => Array.from({ length }, (_, index) => query(index + 1, selected));
    // It reads 1,024 bytes at a time: of shorter queries, some will do. Without traces in the time range, it only parses.
    const all = [...names.flatMap((name) => upTo(400, name)), ...upTo(160, ...names)];
    const pending = all.filter(({ length }, index) => length > 1000 || index % 20 === 0)[Symbol.iterator]();
    const parse = async () => {
      for (const each of pending) await queryTempo(servers.tempo, each, { from: 1_000_000, to: 1_060_000 }, {});
    };
    await Promise.all([parse(), parse(), parse(), parse()]);

    const passes = ({ application, model, environments = {} }: Span, name: Name, selected: string[]) => {
      if (name === "application") return selected.includes(application);
      if (name === "model") return table !== "GenAI Requests" || model === undefined || selected.includes(model);
      return selected.includes(environments[old] ?? "") || (mode === "recorded" && selected.includes(environments[current] ?? ""));
    };
    for (const name of names)
      for (const selected of [[], [values[name]], ...[3, 30, 250, 400].map((length) => selection(name, length))]) {
        const wanted = spans.flatMap((span, index) => (selected.length === 0 || passes(span, name, selected) ? [idOf(index)] : []));
        const shown = await show(panel, dashboard, { ...window, selected: { [name]: selected } }, servers);
        expect(shown.kind === "table" ? shown.rows.map(({ Trace: trace }) => trace?.value) : [], `${name}: ${selected}`).toEqual(wanted);
      }
  },
);
