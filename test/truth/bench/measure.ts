/** Loads a dashboard's queries as a browser does, and measures the cost. */
import type { Query } from "./queries";

/** The cost of one load. */
export interface Cost {
  /** CPU time of the server, which other work of the machine affects least. */
  cpuSeconds: number;
  /** Samples read, each once: Prometheus' `samplesRead`. */
  read: number;
  /** Maximum samples in memory, of all queries: `query.max-samples` limits it. */
  peak: number;
}

/** What a query returned. */
type Result = { metric: Record<string, string>; values?: [number, string][] }[];

/** A browser's connections to one server by HTTP/1.1. */
const connections = 6;

async function loadOnce(server: string, queries: readonly Query[]): Promise<Cost> {
  const cost: Cost = { cpuSeconds: 0, read: 0, peak: 0 };
  const waiting = queries[Symbol.iterator]();
  const before = await cpuSeconds(server);
  const work = async () => {
    for (const query of waiting) {
      const { samples } = await ask(server, query);
      cost.read += samples.samplesRead;
      cost.peak = Math.max(cost.peak, samples.peakSamples);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  cost.cpuSeconds = (await cpuSeconds(server)) - before;
  return cost;
}

/** The costs of several loads. Each round measures all of them, so that other work of the machine affects all of them. */
export async function loadInTurns(
  server: string,
  loads: ReadonlyMap<string, readonly Query[]>,
  rounds: number,
): Promise<Map<string, Cost[]>> {
  const costs = new Map([...loads.keys()].map((name): [string, Cost[]] => [name, []]));
  // The first round does not count: files are not in memory yet.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, queries] of loads) {
      const cost = await loadOnce(server, queries);
      if (round > 0) costs.get(name)?.push(cost);
    }
  }
  return costs;
}

/** The result of a query and its cost. */
export async function ask(server: string, { path, parameters }: Query) {
  const response = await fetch(`${server}${path}`, { method: "POST", body: new URLSearchParams({ ...parameters, stats: "all" }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`Prometheus responded with ${response.status}: ${text}\n${parameters.query}`);
  const { stats, result } = JSON.parse(text).data as {
    stats: { samples: { samplesRead: number; peakSamples: number } };
    result: Result;
  };
  if (stats.samples.samplesRead === undefined) throw new Error("This Prometheus does not report samplesRead. Use 3.13 or newer.");
  return { samples: stats.samples, result };
}

const cpuSeconds = (server: string) => metric(server, "process_cpu_seconds_total");

/** A metric of the server's own `/metrics`. */
export async function metric(server: string, name: string): Promise<number> {
  const text = await (await fetch(`${server}/metrics`)).text();
  const found = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "m").exec(text)?.[1];
  if (found === undefined) throw new Error(`Prometheus does not report ${name}`);
  return Number(found);
}
