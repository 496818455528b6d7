/** Tempo breaks some queries of more than 1,024 bytes. It accepts those of the tables of spans with selections of any length up to 400 bytes. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Choice, expand, pipe } from "../support/expand";
import { queryTempo } from "../view/reading/client";
import { type Panel, variablesOf } from "../view/reading/panel";
import { otel } from "./panels";
import { type RunningServers, startServers } from "./servers";

const tables = ["GenAI Requests", "VectorDB Requests"];
const values = { application: "shop", environment: "prod", model: "gpt" };
type Name = keyof typeof values;
const names = Object.keys(values) as Name[];
/** Grafana writes (prod|xxx). */
const selection = (name: Name, length: number) =>
  length < 8 ? ["x".repeat(length)] : [values[name], "x".repeat(length - values[name].length - 3)];

let servers: RunningServers;

beforeAll(async () => {
  servers = await startServers();
}, 180_000);

afterAll(() => servers?.stop());

it.each((["direct", "recorded"] as const).flatMap((mode) => tables.map((table) => ({ mode, table }))))(
  "$mode: $table",
  async ({ mode, table }) => {
    const { model, panels } = otel[mode];
    const panel = panels.get(`${table}, table`) as Panel;
    const query = (length: number, selected: readonly string[]) => {
      const choice = (name: string): Choice =>
        selected.includes(name) ? { values: selection(name as Name, length) } : { all: true, values: [] };
      return expand(panel.targets?.[0]?.query ?? "", variablesOf(model), choice, pipe);
    };
    expect(query(0, []).length).toBeLessThanOrEqual(600);

    const upTo = (length: number, ...selected: Name[]) => Array.from({ length }, (_, index) => query(index + 1, selected));
    // It reads 1,024 bytes at a time: of shorter queries, some will do. Without traces, it only parses.
    const all = [...names.flatMap((name) => upTo(400, name)), ...upTo(160, ...names)];
    const pending = all.filter(({ length }, index) => length > 1000 || index % 20 === 0)[Symbol.iterator]();
    const parse = async () => {
      for (const each of pending) await queryTempo(servers.tempo, each, { from: 1_000_000, to: 1_060_000 }, {});
    };
    await Promise.all([parse(), parse(), parse(), parse()]);
  },
);
