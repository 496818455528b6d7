/** The recorded exports of the SDK that the spec's names come from, as they arrive now, are in every panel of "GenAI Observability". */
import { expect, it } from "vitest";
import { type Panel, type Shown, show } from "../../view/reading/show";
import { spec } from "../panels";
import { servers, useServers } from "../set-up";
import { allTraces } from "../telemetry/push";
import { pushRecorded, recording, retimed, specRecording } from "../telemetry/recorded";
import { untilFound } from "../telemetry/traces";
import { minute } from "../world/world";
import { numbersOf } from "./summaries";

const { model, panels } = spec.samples;
const now = Date.now();
useServers(180_000, async () => {
  const traces = await pushRecorded(retimed(recording(specRecording), now), servers);
  await untilFound(servers, allTraces(now - 15 * minute, now), traces);
});

/** Counters are read at full minutes of the clock: the next one has all that was sent. */
function shown(title: string): Promise<Shown> {
  const view = { from: now - 15 * minute, to: Math.ceil(now / minute) * minute, selected: { application: ["shop"] } };
  return show(panels.get(title) as Panel, model, view, servers);
}

const valuesIn = async (title: string) => Object.fromEntries(numbersOf(await shown(title)));

/** Rows of a table, newest first. */
async function rowsOf(title: string): Promise<Record<string, string>[]> {
  const found = await shown(title);
  const rows = found.kind === "table" ? found.rows : [];
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([column, { text }]) => [column, text])));
}

it("the tables have its spans, without the failed call", async () => {
  const rows = await rowsOf("GenAI Requests, table");
  expect(rows.map(({ Model, Prompt, Completion, Cost }) => [Model, Prompt, Completion, Cost])).toEqual([
    ["text-embedding-3-small", "x", "–", "$1e-7"],
    ["gpt-3.5-turbo", 'user: hello "quoted"\nnewline', "Four.", "$0.0000100"],
    ["gpt-4o", "user: 2+2?", "Four.", "$0.000100"],
  ]);
  expect((await rowsOf("VectorDB Requests, table")).map(({ Operation }) => Operation)).toEqual(["chroma.query", "chroma.add"]);
});

it("the other panels have its calls", async () => {
  expect(await valuesIn("Top GenAI Models by Usage")).toEqual({ "gpt-4o": 1, "gpt-3.5-turbo": 1, "text-embedding-3-small": 1 });
  expect(await valuesIn("GenAI Requests by Platform")).toEqual({ openai: 3 });
  expect(await valuesIn("GenAI Requests by Type")).toEqual({ chat: 2, embedding: 1 });
  expect(await valuesIn("GenAI Requests by Environment")).toEqual({ prod: 3 });
  expect(await valuesIn("VectorDB Usage by System")).toEqual({ chroma: 2 });
  expect(await valuesIn("DB Requests by Operation")).toEqual({ add: 1, query: 1 });
  expect(await valuesIn("Total Usage Tokens")).toEqual({ Tokens: 33 });
  expect(await valuesIn("Total Usage Cost")).toEqual({ Cost: expect.closeTo(1.101e-4, 10) });
  // A graph needs more exports.
  const titles = [...panels].filter(([, { type }]) => type !== "timeseries").map(([title]) => title);
  for (const title of titles) expect((await shown(title)).kind, title).not.toBe("nothing");
});
