/** Loads a dashboard's queries as a browser does, and measures the cost. */
import type { Query } from "./queries";
import type { Values } from "./recorded";

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

/** Several loads of the same queries. */
export interface Turns {
  costs: Cost[];
  /** What the queries returned in the first round. */
  values: Values[];
  /** The server's reason, if it rejected a query for its size or time. The load was not measured. */
  rejected?: string;
}

/** The server rejected a query because it needs too many samples in memory, or too much time. */
class Rejected extends Error {}

/** A browser's connections to one server by HTTP/1.1. */
const connections = 6;

export async function loadOnce(server: string, queries: readonly Query[]): Promise<{ cost: Cost; values: Values[] }> {
  const cost: Cost = { read: 0, loaded: 0, peak: 0, seconds: 0, cpuSeconds: 0 };
  const values: Values[] = [];
  const waiting = [...queries.entries()];
  const before = await cpuSeconds(server);
  const start = process.hrtime.bigint();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, query] = next;
        const answer = await ask(server, query).catch((error: unknown) => {
          // The other connections do not start further queries.
          waiting.length = 0;
          throw error;
        });
        const { samplesRead, totalQueryableSamples, peakSamples } = answer.samples;
        cost.read += samplesRead;
        cost.loaded += totalQueryableSamples;
        cost.peak = Math.max(cost.peak, peakSamples);
        values[index] = answer.values;
      }
    }),
  );
  cost.seconds = Number(process.hrtime.bigint() - start) / 1e9;
  cost.cpuSeconds = (await cpuSeconds(server)) - before;
  return { cost, values };
}

/** The costs of several loads. Each round measures all of them, so that other work of the machine affects all of them. */
export async function loadInTurns<Name extends string>(
  server: string,
  loads: Record<Name, readonly Query[]>,
  rounds: number,
): Promise<Record<Name, Turns>> {
  const names = Object.keys(loads) as Name[];
  const turns = Object.fromEntries(names.map((name): [Name, Turns] => [name, { costs: [], values: [] }])) as Record<Name, Turns>;
  // The first round does not count: files are not in memory yet.
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names.filter((name) => turns[name].rejected === undefined)) {
      try {
        const { cost, values } = await loadOnce(server, loads[name]);
        if (round === 0) turns[name].values = values;
        else turns[name].costs.push(cost);
      } catch (error) {
        if (!(error instanceof Rejected)) throw error;
        turns[name] = { costs: [], values: [], rejected: error.message };
      }
    }
  }
  return turns;
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

/** What Prometheus rejects by its limits `query.max-samples` and `query.timeout`. */
const limits = /too many samples|timed out/;

/**
 * The result of a query and its cost.
 *
 * @throws Rejected
 */
export async function ask(
  server: string,
  { path, parameters }: Pick<Query, "path" | "parameters">,
): Promise<{ samples: Samples; values: Values }> {
  const response = await fetch(`${server}${path}`, { method: "POST", body: new URLSearchParams({ ...parameters, stats: "all" }) });
  const text = await response.text();
  if (!response.ok) {
    const message = `Prometheus responded with ${response.status}: ${text}\n${parameters.query}`;
    throw limits.test(text) ? new Rejected((JSON.parse(text) as { error: string }).error) : new Error(message);
  }
  const { stats, result } = JSON.parse(text).data as { stats: { samples: Samples }; result: Result };
  if (stats.samples.samplesRead === undefined) throw new Error("This Prometheus does not report samplesRead. Use 3.13 or newer.");
  return { samples: stats.samples, values: valuesOf(result) };
}

type Result = { metric: Record<string, string>; value?: [number, string]; values?: [number, string][] }[];

/** Values by labels, the name of the series left out, and by time. */
function valuesOf(result: Result): Values {
  return new Map(
    result.flatMap(({ metric: { __name__, ...labels }, value, values = value ? [value] : [] }) => {
      const key = Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1));
      return values.map(([time, number]): [string, number] => [`${JSON.stringify(key)} ${time}`, Number(number)]);
    }),
  );
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
