/** What a rule would have done in the last days. */
import { type Alert, type Evaluations, type ReplayedRule, type Ruler, replay } from "./replay";
import type { Source } from "./source";
import { dateOf } from "./words";

/** @param notes what limits it, such as the begin of a series */
export type Past = { alerts: readonly Alert[]; notes: readonly string[] };

const hour = 3600;

/** The names of the series in a query: recorded ones have a colon, others a selector. */
const namesIn = (query: string) => [...new Set(query.replace(/"[^"]*"/g, "").match(/(?<![\w:])([a-z_]\w*(:\w+)+|[a-z_]\w*(?=[[{]))/gi))];

/** Evaluates a rule at its own interval, for more than a week at five minutes or more. @throws Error if the source does not answer */
export async function pastOf(rule: ReplayedRule, source: Source, days: number, ruler: Ruler): Promise<Past> {
  const evaluations = (step: number): Evaluations => {
    const to = Math.floor(Date.now() / 1000 / step) * step;
    return { from: to - days * 24 * hour, to, step };
  };
  const known = `count by (__name__) (last_over_time({__name__=~"${namesIn(rule.query).join("|")}"}[1h]))`;
  const begins = (await source.read(known, evaluations(hour))).map(({ labels, values }) => ({
    name: labels.__name__,
    at: values[0]?.[0] ?? 0,
  }));
  if (begins.length === 0) return { alerts: [], notes: ["no data"] };
  const step = 60 * (days > 7 ? Math.max(5, rule.everyMinutes) : rule.everyMinutes);
  const late = begins.filter(({ at }) => at > evaluations(hour).from + hour);
  const coarse = step > 60 * rule.everyMinutes ? [`evaluated each ${step / 60} min instead of ${rule.everyMinutes}`] : [];
  const at = evaluations(step);
  const alerts = replay(rule, await source.read(rule.query, at), at, ruler);
  return { alerts, notes: [...coarse, ...late.map(({ name, at }) => `${name} begins ${dateOf(at)}`)] };
}
