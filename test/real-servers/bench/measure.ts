/** Loads a dashboard's queries as a browser does, and measures the cost. */
import type { Query } from "./queries";

/** The cost of one load. */
export interface Cost {
  seconds: number;
  /** CPU time of the server, which other work of the machine affects least. */
  cpuSeconds: number;
  /** Samples read, each once: Prometheus' `samplesRead`. */
  read: number;
  /** Maximum samples in memory, of all queries: `query.max-samples` limits it. */
  peak: number;
}

/** What a query returned. */
export type Result = { metric: Record<string, string>; value?: [number, string]; values?: [number, string][] }[];

/** Several loads of the same queries. */
export interface Turns {
  costs: Cost[];
  /** The results of the first one. */
  results: Result[];
}

/** A browser's connections to one server by HTTP/1.1. */
const connections = 6;

async function loadOnce(server: string, queries: readonly Query[]): Promise<{ cost: Cost; results: Result[] }> {
  const cost: Cost = { seconds: 0, cpuSeconds: 0, read: 0, peak: 0 };
  const results: Result[] = [];
  const waiting = queries.entries();
  const before = await cpuSeconds(server);
  const start = process.hrtime.bigint();
  const work = async () => {
    for (const [index, query] of waiting) {
      const { samples, result } = await ask(server, query);
      cost.read += samples.samplesRead;
      cost.peak = Math.max(cost.peak, samples.peakSamples);
      results[index] = result;
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  cost.seconds = Number(process.hrtime.bigint() - start) / 1e9;
  cost.cpuSeconds = (await cpuSeconds(server)) - before;
  return { cost, results };
}

/** The costs of several loads. Each round measures all of them, so that other work of the machine affects all of them. */
export async function loadInTurns(
  server: string,
  loads: ReadonlyMap<string, readonly Query[]>,
  rounds: number,
): Promise<Map<string, Turns>> {
  const turns = new Map<string, Turns>();
  // The first round does not count: files are not in memory yet.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, queries] of loads) {
      const { cost, results } = await loadOnce(server, queries);
      if (round === 0) turns.set(name, { costs: [], results });
      else turns.get(name)?.costs.push(cost);
    }
  }
  return turns;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] as number) : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** The result of a query and its cost. */
export async function ask(server: string, { path, parameters }: Pick<Query, "path" | "parameters">) {
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
