/** Waits for traces in Tempo, which finds spans some seconds after their arrival. */
import { setTimeout } from "node:timers/promises";
import { queryTempo } from "../../view/reading/client";
import type { Window } from "../ledger";
import type { RunningServers } from "../servers";

const [attempts, pause] = [120, 500];

/** Waits until a query finds this number of traces, for a minute at most. */
export async function untilFound(
  { tempo }: Pick<RunningServers, "tempo">,
  { query, ...window }: Window & { query: string },
  traces: number,
): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if ((await queryTempo(tempo, query, window, { limit: traces, spss: 1 })).length === traces) return;
    await setTimeout(pause);
  }
  throw new Error(`Tempo does not find ${traces} traces of ${query}`);
}
