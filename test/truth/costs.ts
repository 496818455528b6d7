/** What recording rules make of tokens, by hand: what an SDK measured of a model, else tokens by the list price, and the tokens that have neither. */
import type { Fact, Measure } from "./facts";
import { countsCachedBeside } from "./world/programs";
import { hour, minute } from "./world/world";

/** USD per million tokens, as src/prices/list.json has them, by each name that calls have. */
const gpt4o = { input: 2.5, output: 10, cached: 1.25 };
const gpt4oMini = { input: 0.15, output: 0.6, cached: 0.075 };
const claude = { input: 3, output: 15, cached: 0.3 };
const prices: Readonly<Record<string, { input: number; output?: number; cached?: number }>> = {
  "gpt-4o": gpt4o,
  "gpt-4o-2024-08-06": gpt4o,
  "gpt-4o-mini": gpt4oMini,
  "gpt-4o-mini-2024-07-18": gpt4oMini,
  "claude-sonnet-4": claude,
  "claude-sonnet-4-20250514": claude,
  "gemini-2.5-flash": { input: 0.3, output: 2.5, cached: 0.03 },
  "command-r": { input: 0.15, output: 0.6 },
  "text-embedding-3-small": { input: 0.02 },
  "embed-english-v3.0": { input: 0.1 },
};

/** A model of an application, as rules tell them apart. */
export const costGroup = ({ labels: { application, environment, provider, model } }: Fact) =>
  [application, environment, provider, model].map((value) => value || "(none)").join("\n");

/**
 * @param facts by measure
 * @param second the second of a minute in which the rules record the last full one, in milliseconds
 */
export function costsOf(facts: (measure: Measure) => readonly Fact[], second: number) {
  const [tokens, counted] = [facts("tokens"), facts("token requests")];
  const minuteOf = ({ at }: Fact) => Math.ceil((at - second) / minute) * minute;
  const costs = facts("cost").filter(({ value }) => value > 0);
  const times = new Map<string, Fact[]>();
  for (const cost of costs) times.set(costGroup(cost), [...(times.get(costGroup(cost)) ?? []), cost]);
  const isMeasured = (fact: Fact) =>
    times.get(costGroup(fact))?.some((cost) => minuteOf(cost) <= minuteOf(fact) && minuteOf(cost) > minuteOf(fact) - 3 * hour) ?? false;
  const computed = [...tokens, ...facts("cachedTokens")].flatMap((fact): Fact[] => {
    const price = prices[fact.labels.model ?? ""];
    if (!price || isMeasured(fact)) return [];
    const { input, output = 0, cached = input } = price;
    // Cached tokens are among the input, or beside it.
    const ofInput = fact.labels.application === countsCachedBeside ? 0 : input;
    const perToken = fact.measure === "cachedTokens" ? cached - ofInput : fact.labels.tokenType === "output" ? output : input;
    return [{ ...fact, measure: "cost", value: (fact.value * perToken) / 1e6 }];
  });
  const unpriced = tokens.filter((fact) => !prices[fact.labels.model ?? ""] && !isMeasured(fact));
  // Counters of tokens do not tell how many requests have some.
  const [withTokens, withCounts] = [tokens, counted].map((some) => new Set(some.map(costGroup))) as [Set<string>, Set<string>];
  const tells = (fact: Fact) => !isMeasured(fact) && (withCounts.has(costGroup(fact)) || !withTokens.has(costGroup(fact)));
  const succeeded = facts("requests").filter(({ labels }) => labels.error === undefined);
  const untold = [...succeeded, ...counted.map((fact) => ({ ...fact, value: -fact.value }))].filter(tells);
  const byTime = (left: Fact, right: Fact) => left.at - right.at;
  const all = [...costs, ...computed].sort(byTime);
  // A model has a cost from its first one on: at night, requests without tokens can come before it.
  const first = new Map([...all].reverse().map((cost) => [costGroup(cost), minuteOf(cost)]));
  const priced = succeeded.filter((fact) => minuteOf(fact) >= (first.get(costGroup(fact)) ?? Number.POSITIVE_INFINITY));
  return {
    costs: all,
    priced: priced.map((fact): Fact => ({ ...fact, measure: "priced requests" })),
    unpriced: unpriced.map((fact): Fact => ({ ...fact, measure: "tokens without cost" })),
    untold: untold.map((fact): Fact => ({ ...fact, measure: "requests without tokens" })).sort(byTime),
  };
}
