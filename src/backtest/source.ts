/** The past values of a query: from the Prometheus or Mimir behind a datasource, through Grafana, in pieces, one after the other. */
import { type GrafanaAccess, isRefusal, messageOf, requestGrafana, secretsOf } from "../network/grafana";
import { redactText } from "../text/redact";
import type { Evaluations, Labels, Values } from "./replay";

/** Of all queries of a command. */
export const limits = { seconds: 120, requests: 400 } as const;

/** Evaluations of a request. Prometheus allows 11,000, but its samples, its time, and the 20 MB and 15 s of a response end before. */
const mostSteps = 720;

/** `read` throws an error with the reason of Grafana or of the server, or if the limit is reached. `used` says what was asked. */
export function openSource(access: GrafanaAccess, datasource: string) {
  const start = Date.now();
  let requests = 0;
  let last: { key?: string; series: Values[] } = { series: [] };
  const seconds = () => (Date.now() - start) / 1000;

  async function piece(query: string, first: number, end: number, step: number) {
    if (requests >= limits.requests || seconds() > limits.seconds)
      throw new Error(`the limit of ${limits.requests} requests in ${limits.seconds} s is reached`);
    requests += 1;
    const parameters = new URLSearchParams({ query, start: `${first}`, end: `${end}`, step: `${step}` });
    const response = await requestGrafana(access, `/api/datasources/proxy/uid/${datasource}/api/v1/query_range?${parameters}`);
    const { data, error } = (response.body ?? {}) as {
      data?: { result?: { metric: Labels; values: [number, string][] }[] };
      error?: string;
    };
    if (response.status === 200 && data?.result) return data.result;
    const reason = error ? `${response.status}: ${redactText(error, secretsOf(access))}` : messageOf(response, access);
    throw new Error(isRefusal(response.status) ? `${reason}. The token of grafanaAuth requires datasources:query.` : reason);
  }

  async function read(query: string, { from, to, step }: Evaluations): Promise<Values[]> {
    // A rule with another limit has the same query.
    const key = `${from} ${to} ${step} ${query}`;
    if (last.key === key) return last.series;
    const all = new Map<string, { labels: Labels; values: [number, number][] }>();
    for (let first = from; first <= to; first += mostSteps * step) {
      for (const { metric, values } of await piece(query, first, Math.min(to, first + (mostSteps - 1) * step), step)) {
        const name = JSON.stringify(Object.entries(metric).sort());
        const series = all.get(name) ?? { labels: metric, values: [] };
        all.set(name, series);
        for (const [time, value] of values) series.values.push([time, Number(value)]);
      }
    }
    last = { key, series: [...all.values()] };
    return last.series;
  }

  const used = () => `${requests} requests in ${Math.ceil(seconds())} s, of at most ${limits.requests} in ${limits.seconds} s.`;
  return { read, used };
}

export type Source = ReturnType<typeof openSource>;
