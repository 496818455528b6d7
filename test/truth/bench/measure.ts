/** Loads a dashboard's queries as a browser does, and measures the cost. */
import type { Request } from "../requests";

/** The cost of one load. */
export interface Cost {
  /** CPU time of the server, which other work of the machine affects least. */
  cpuSeconds: number;
  /** Samples read, each once: Prometheus' `samplesRead`. */
  read: number;
  /** Maximum samples in memory, of all queries: `query.max-samples` limits it. */
  peak: number;
}

/** A browser's connections to one server by HTTP/1.1. */
const connections = 6;

export async function loadOnce(server: string, queries: readonly Request[]): Promise<Cost> {
  const cost: Cost = { cpuSeconds: 0, read: 0, peak: 0 };
  const waiting = queries[Symbol.iterator]();
  const before = await metric(server, "process_cpu_seconds_total");
  const work = async () => {
    for (const query of waiting) {
      const { samplesRead, peakSamples } = await samplesOf(server, query);
      cost.read += samplesRead;
      cost.peak = Math.max(cost.peak, peakSamples);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  cost.cpuSeconds = (await metric(server, "process_cpu_seconds_total")) - before;
  return cost;
}

async function samplesOf(server: string, { path, parameters }: Request) {
  const response = await fetch(`${server}${path}`, { method: "POST", body: new URLSearchParams({ ...parameters, stats: "all" }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`Prometheus responded with ${response.status}: ${text}\n${parameters.query}`);
  return JSON.parse(text).data.stats.samples as { samplesRead: number; peakSamples: number };
}

/** A metric of the server's own `/metrics`. */
export async function metric(server: string, name: string): Promise<number> {
  const text = await (await fetch(`${server}/metrics`)).text();
  const found = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "m").exec(text)?.[1];
  if (found === undefined) throw new Error(`Prometheus does not report ${name}`);
  return Number(found);
}
