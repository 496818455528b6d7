/** Loads a dashboard's queries as a browser does, and measures the cost. */
import type { Query } from "./queries";

/** The cost of one load. */
export interface Cost {
  /** Samples read, each once: Prometheus' `samplesRead`. */
  read: number;
  /** Samples of all windows at each step: `totalQueryableSamples`. */
  loaded: number;
  /** Maximum samples in memory, of all queries: `query.max-samples` limits it. */
  peak: number;
  seconds: number;
  /** CPU time of the server. */
  cpuSeconds: number;
}

/** A browser's connections to one server by HTTP/1.1. */
const connections = 6;

export async function loadOnce(server: string, queries: readonly Query[]): Promise<Cost> {
  const cost: Cost = { read: 0, loaded: 0, peak: 0, seconds: 0, cpuSeconds: 0 };
  const waiting = [...queries];
  const before = await cpuSeconds(server);
  const start = process.hrtime.bigint();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let query = waiting.shift(); query; query = waiting.shift()) {
        const { samplesRead, totalQueryableSamples, peakSamples } = await samplesOf(server, query);
        cost.read += samplesRead;
        cost.loaded += totalQueryableSamples;
        cost.peak = Math.max(cost.peak, peakSamples);
      }
    }),
  );
  cost.seconds = Number(process.hrtime.bigint() - start) / 1e9;
  cost.cpuSeconds = (await cpuSeconds(server)) - before;
  return cost;
}

/** The costs of several loads. Each round measures all of them, so that other work of the machine affects all of them. */
export async function loadInTurns<T extends Record<string, readonly Query[]>>(
  server: string,
  loads: T,
  rounds: number,
): Promise<Record<keyof T, Cost[]>> {
  const costs = Object.fromEntries(Object.keys(loads).map((name) => [name, [] as Cost[]])) as unknown as Record<keyof T, Cost[]>;
  // The first round does not count: files are not in memory yet.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, queries] of Object.entries(loads)) {
      const cost = await loadOnce(server, queries);
      if (round > 0) costs[name as keyof T].push(cost);
    }
  }
  return costs;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] as number) : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** The median of the ratios of each round. */
export function pairedRatio(dividends: readonly number[], divisors: readonly number[]): number {
  return median(dividends.map((value, round) => value / (divisors[round] as number)));
}

interface Samples {
  samplesRead: number;
  totalQueryableSamples: number;
  peakSamples: number;
}

export async function samplesOf(server: string, { path, parameters }: Query): Promise<Samples> {
  const response = await fetch(`${server}${path}`, { method: "POST", body: new URLSearchParams({ ...parameters, stats: "all" }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`Prometheus responded with ${response.status}: ${text}\n${parameters.query}`);
  const { samples } = JSON.parse(text).data.stats as { samples: Samples };
  if (samples.samplesRead === undefined) throw new Error("This Prometheus does not report samplesRead. Use 3.13 or newer.");
  return samples;
}

/** One number. */
export async function value(server: string, query: string, at: number): Promise<number> {
  const response = await fetch(`${server}/api/v1/query`, { method: "POST", body: new URLSearchParams({ query, time: `${at}` }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`Prometheus responded with ${response.status}: ${text}\n${query}`);
  return Number(JSON.parse(text).data.result[0]?.value[1] ?? 0);
}

const cpuSeconds = (server: string) => metric(server, "process_cpu_seconds_total");

/** A metric of the server's own `/metrics`. */
export async function metric(server: string, name: string): Promise<number> {
  const text = await (await fetch(`${server}/metrics`)).text();
  const found = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "m").exec(text)?.[1];
  if (found === undefined) throw new Error(`Prometheus does not report ${name}`);
  return Number(found);
}
