/**
 * What rules would have done in the last days, by the Prometheus or Mimir behind a datasource: asked through Grafana, in pieces, one after
 * the other.
 */
import { type GrafanaAccess, isGrafanaResponse, isRefusal, messageOf, requestGrafana, secretsOf } from "../network/grafana";
import { recordedBudget, recordedPrice } from "../signals/costs";
import { redactText } from "../text/redact";
import { type Alert, type Evaluations, type Labels, type ReplayedRule, type Ruler, replay, type Values } from "./replay";
import { dateOf, limit } from "./words";

/** The alerts of a rule, and notes about what is not known, such as the first value of a series. */
export type Past = { alerts: readonly Alert[]; notes: readonly string[] };

/** Evaluations of a request. Prometheus allows 11,000, but its samples, its time, and the 20 MB and 15 s of a response end before. */
const mostSteps = 720;
const hour = 3600;

type Body = { data?: { result: { metric: Labels; values: [number, string][] }[] }; error?: string };

/** The names of the series in a query: recorded ones have a colon, others a selector. */
const namesIn = (query: string) => [
  ...new Set(query.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/(?<![\w:])([a-z_]\w*(:\w+)+|[a-z_]\w*(?=[[{]))/gi)),
];

/** Replaces recorded budgets by the query that records them, to replay other budgets. */
export const withBudgets = <R extends ReplayedRule>(rule: R, query: string | undefined): R =>
  query === undefined ? rule : { ...rule, query: rule.query.replaceAll(recordedBudget, `(${query})`) };

/** `replayed` throws an error with the reason of Grafana or of the server, or if the limit is reached. `used` says what was asked. */
export function openPast(access: GrafanaAccess, datasource: string, days: number, ruler: Ruler) {
  const start = Date.now();
  let requests = 0;
  const seconds = () => Math.ceil((Date.now() - start) / 1000);
  const evaluations = (step: number): Evaluations => {
    const to = Math.floor(start / 1000 / step) * step;
    return { from: to - days * 24 * hour, to, step };
  };

  async function read(query: string, { from, to, step }: Evaluations): Promise<readonly Values[]> {
    const all = new Map<string, { labels: Labels; values: [number, number][] }>();
    for (let first = from; first <= to; first += mostSteps * step) {
      if (requests >= limit.requests || seconds() > limit.seconds)
        throw new Error(`not asked: the limit is reached, ${limit.text}. Take fewer days or values.`);
      requests += 1;
      const end = Math.min(to, first + (mostSteps - 1) * step);
      const parameters = new URLSearchParams({ query, start: `${first}`, end: `${end}`, step: `${step}` });
      const path = `/api/datasources/proxy/uid/${encodeURIComponent(datasource)}/api/v1/query_range?${parameters}`;
      const response = await requestGrafana(access, path);
      const { data, error } = (response.body ?? {}) as Body;
      if (!isGrafanaResponse(response)) throw new Error(`Grafana returned ${response.status} without JSON`);
      const reason = error ? `${response.status}: ${redactText(error, secretsOf(access))}` : messageOf(response, access);
      if (isRefusal(response.status)) throw new Error(`${reason}. Is grafanaAuth valid, and has its token datasources:query?`);
      if (response.status !== 200 || !data) throw new Error(reason);
      for (const { metric, values } of data.result) {
        const series = all.get(JSON.stringify(metric)) ?? { labels: metric, values: [] };
        all.set(JSON.stringify(metric), series);
        for (const [time, value] of values) series.values.push([time, Number(value.replace("Inf", "Infinity"))]);
      }
    }
    return [...all.values()];
  }

  /** Replays a rule at its own interval; undefined without data. For more than a week, evaluations are at least five minutes apart. */
  async function replayed(rule: ReplayedRule): Promise<Past | undefined> {
    const minutes = days > 7 ? Math.max(5, rule.everyMinutes) : rule.everyMinutes;
    const coarse = minutes > rule.everyMinutes ? [`evaluated each ${minutes} min instead of ${rule.everyMinutes}`] : [];
    const at = evaluations(60 * minutes);
    const { gaps, values } = await dataOf(rule.query, at);
    return gaps && { alerts: replay(rule, values, at, ruler), notes: [...coarse, ...gaps] };
  }

  let last: { key: string; names: string; gaps: string[] | undefined; values: readonly Values[] } | undefined;
  /** Two rules one after the other that differ in limits have one query, or at least the same series. */
  async function dataOf(query: string, at: Evaluations) {
    const key = `${at.step} ${query}`;
    if (last?.key === key) return last;
    const names = namesIn(query);
    const gaps = last?.names === `${names}` ? last.gaps : await gapsOf(names);
    last = { key, names: `${names}`, gaps, values: gaps ? await read(query, at) : [] };
    return last;
  }

  /** What the data of a query lack, by the hour; undefined if there are none. */
  async function gapsOf(names: readonly string[]): Promise<string[] | undefined> {
    if (names.length === 0) return [];
    const at = evaluations(hour);
    const selector = `{__name__=~"${[...names, recordedPrice].join("|")}"}`;
    const found = await read(`count by (__name__) (last_over_time(${selector}[1h]))`, at);
    const hours = found.map(({ labels: { __name__: name = "" }, values }) => ({ name, first: values[0]?.[0] ?? 0, count: values.length }));
    const begins = hours.filter(({ name }) => names.includes(name));
    if (begins.length === 0) return undefined;
    const late = [...new Set(begins.map(({ first }) => first))].filter((first) => first > at.from + hour);
    const namesAt = (begin: number) => begins.filter(({ first }) => first === begin).map(({ name }) => name);
    const gaps = late.map((begin) => `no values of ${namesAt(begin).join(", ")} before ${dateOf(begin)}`);
    if (names.includes(recordedBudget) && !begins.some(({ name }) => name === recordedBudget)) gaps.push(`no values of ${recordedBudget}`);
    // Rules record prices all the time, and other series while applications send. Only recorded names have a colon.
    const prices = hours.find(({ name }) => name === recordedPrice);
    const missed = prices ? (at.to - prices.first) / hour + 1 - prices.count : 0;
    if (missed > 0 && names.some((name) => name.includes(":"))) gaps.push(`nothing was recorded in ${missed} h`);
    return gaps;
  }

  return { replayed, used: () => `${requests} requests in ${seconds()} s, of ${limit.text}.` };
}
