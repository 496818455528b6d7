/** Searches traces in Tempo, which finds spans some seconds after their arrival. */
import { setTimeout } from "node:timers/promises";
import type { RunningServers } from "../servers";

/** A search. Times are milliseconds. */
export interface TraceSearch {
  /** TraceQL. */
  query: string;
  from: number;
  to: number;
  /** Defaults to more traces than any test sends. */
  limit?: number;
}

const [attempts, pause] = [120, 500];

/** Waits until the search finds this number of traces, for a minute at most. */
export async function untilFound(servers: Pick<RunningServers, "tempo">, search: TraceSearch, traces: number): Promise<void> {
  let found = 0;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    found = await foundTraces(servers, search);
    if (found === traces) return;
    await setTimeout(pause);
  }
  throw new Error(`Tempo finds ${found} of ${traces} traces`);
}

/** The number of traces that the search finds. */
export async function foundTraces({ tempo }: Pick<RunningServers, "tempo">, search: TraceSearch): Promise<number> {
  const { query: q, from, to, limit = 100_000 } = search;
  const range = { start: String(Math.floor(from / 1000)), end: String(Math.ceil(to / 1000)) };
  const response = await fetch(`${tempo}/api/search?${new URLSearchParams({ q, limit: String(limit), spss: "1", ...range })}`);
  if (!response.ok) throw new Error(`Tempo responded with ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { traces?: unknown[] }).traces?.length ?? 0;
}
