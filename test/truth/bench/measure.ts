/** Loads a dashboard's queries as a browser does, and measures the cost. */
import type { Request } from "../requests";

/** The cost of one load. */
export interface Cost {
  /** Until the last query is answered. */
  seconds: number;
  /** CPU time of the server, which other work of the machine affects least. */
  cpuSeconds: number;
  /** Maximum samples in memory, of all queries: `query.max-samples` limits it. */
  peak: number;
}

/** A browser's connections to one server by HTTP/1.1. */
const connections = 6;

/** A server that is measured. */
export interface Target {
  /** The base address of `/api/v1/query` and `/metrics`, which a Mimir has at different ones. */
  api: string;
  own: string;
  headers?: Record<string, string>;
}

/**
 * @param refused gets the queries that the server refuses, for example by a limit, with its answer; by default they are an error
 * @param answered gets the data of the others
 */
export async function loadOnce(
  target: Target,
  queries: readonly Request[],
  refused = ({ parameters: { query } }: Request, answer: string): void => {
    throw new Error(`The server responded with ${answer}\n${query}`);
  },
  answered = (_data: unknown): void => undefined,
): Promise<Cost> {
  const cost: Cost = { seconds: 0, cpuSeconds: 0, peak: 0 };
  const waiting = queries[Symbol.iterator]();
  const [before, began] = [await metric(target.own, "process_cpu_seconds_total"), performance.now()];
  const work = async () => {
    for (const request of waiting) {
      const { status, text } = await send(target, request);
      if (status !== 200) refused(request, `${status}: ${text}`);
      else {
        const { data } = JSON.parse(text);
        answered(data);
        cost.peak = Math.max(cost.peak, data.stats?.samples?.peakSamples ?? 0);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  cost.seconds = (performance.now() - began) / 1000;
  cost.cpuSeconds = (await metric(target.own, "process_cpu_seconds_total")) - before;
  return cost;
}

async function send({ api, headers = {} }: Target, { path, parameters }: Request) {
  // Totals: Mimir refuses "all", which adds those of each step.
  const body = new URLSearchParams({ ...parameters, stats: "true" });
  const response = await fetch(`${api}${path}`, { method: "POST", headers, body });
  return { status: response.status, text: await response.text() };
}

/** A metric of the server's own `/metrics`. */
export async function metric(server: string, name: string): Promise<number> {
  const text = await (await fetch(`${server}/metrics`)).text();
  const found = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "m").exec(text)?.[1];
  if (found === undefined) throw new Error(`Prometheus does not report ${name}`);
  return Number(found);
}
