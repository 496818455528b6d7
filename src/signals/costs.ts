/**
 * What requests cost, recorded each minute: what the SDK measures, else tokens by the price of the model, never both. The prices are series, too: the past
 * keeps its price. The rules read what the ones before them in their group have just recorded.
 */
import { type Kind, kinds, type Prices } from "../prices/prices";
import { type RecordingRule, recordedIncrease } from "./counters";
import { modelIdentity } from "./identity";
import { tokenTypes } from "./names/conventions";
import { conventionLabel, measures, recordedName } from "./opentelemetry-measures";
import { type Duration, equals, finite, indent, literally, quote, relabel, select, sum, withLabel } from "./promql";

/** The cost in USD, by `modelIdentity` and `source`: `measured` by the SDK, or `computed`. */
export const recordedCost = recordedName("gen_ai_cost");
/** The successful requests to models with a cost, by `modelIdentity`. */
export const recordedPriced = recordedName("gen_ai_priced_requests");
/** Input and output tokens of models without a price, whose cost is not measured either, by `modelIdentity`. */
export const recordedUnpriced = recordedName("gen_ai_unpriced_tokens");
/** The budget of a day in USD, by application. */
export const recordedBudget = "application:gen_ai_budget:usd_per_day";
/** The prices, by `pricedAs` and type of token. */
export const recordedPrice = "model:gen_ai_price:usd_per_million_tokens";

/** The name under which a model has its price: without the paths, regions, dates and versions that providers add to it. */
const pricedAs = "priced_as";
const dates = "[0-9]{2}-20[0-9]{2}|20[0-9]{2}-?[0-9]{2}-?[0-9]{2}|[0-9]{4}|00[1-9]|latest";
const shortened =
  "(?:.+/)?(?:(?:[a-z-]+[.])?(?:amazon|anthropic|cohere|deepseek|meta|mistral)[.])?" +
  `(.+?)(?:-preview)?(?:[-@](?:${dates}))?(?:-v[0-9](?::[0-9])?)?`;

/** The name without additions, as the rules write it. */
export const shortName = (model: string) => model.replace(new RegExp(`^(?:${shortened})$`), "$1");

/** Days are those of UTC. The sample at midnight is that of the day that ends. */
const day = 'count_values("day", floor(vector((time() - 1) / 86400)))';

const step = "5m";

/** The cost since midnight (UTC), by labels, in steps of five minutes, of the cost of a window by these labels. The label `day` keeps the days apart. */
export const costOfDay = (cost: (window: Duration) => string, ...by: readonly string[]) =>
  sum(
    `\n  sum_over_time((\n${indent(indent(`${cost(step)}\n* on () group_left (day) ${day}`))}\n  )[1d:${step}])\n  and on (day) ${day}\n`,
    ...by,
  );

/** The part of an application's budget that is used today. */
export const usedBudget = () =>
  `${costOfDay((window) => recordedIncrease({ recorded: recordedCost }, window, [], "application"), "application")}\n/ on (application) ${recordedBudget}`;

/** The rule that records budgets; none without them. */
export const budgetRules = (budgets: Readonly<Record<string, number>>): RecordingRule[] => {
  const lines = Object.entries(budgets).map(([application, usd]) => withLabel(`vector(${usd})`, "application", application));
  return lines.length > 0 ? [rule(recordedBudget, "The budgets of a day.", lines.join("\nor "))] : [];
};

const tokenType = conventionLabel("tokenType");

const rule = (name: string, comment: string, query: string): RecordingRule => ({
  ...{ name, comment, query },
  reads: measures.tokens.recorded,
  always: false,
});

const namesIn = (prices: Prices) => Object.keys(prices).sort();

/** One line for each model. */
function priceRule(prices: Prices): RecordingRule {
  const lines = namesIn(prices).map((name) => {
    const { input, cached = input, output } = prices[name] ?? { input: 0 };
    const all: Record<Kind, number | undefined> = { input, output, cached };
    const each = kinds.flatMap((kind) => (all[kind] === undefined ? [] : [withLabel(`vector(${all[kind]})`, tokenType, kind)]));
    return withLabel(each.join(" or "), pricedAs, name);
  });
  return rule(recordedPrice, "Prices: input, output and cached input, which defaults to the price of input.", lines.join("\nor "));
}

/** The prices in the query of that rule, by model. */
export const pricesIn = (query: string): Prices =>
  Object.fromEntries(
    query.split("\n").map((line) => {
      const each = [...line.matchAll(/vector\(([^)]*)\), "\w+", "(\w+)"/g)].map(([, usd, kind]) => [kind, Number(usd)]);
      return [line.match(new RegExp(`"${pricedAs}", "([^"]*)"`))?.[1] ?? "", Object.fromEntries(each)];
    }),
  );

export function costRules(prices: Prices): RecordingRule[] {
  const { measuredCost, tokens, cachedTokens, requests } = measures;
  // Such as gpt-4o-2024-05-13, which has a price of its own.
  const exact = namesIn(prices).filter((name) => shortName(name) !== name);
  const steps = [
    `"${pricedAs}", "$1", "model", "${shortened}"`,
    ...(exact.length > 0 ? [`"${pricedAs}", "$1", "model", ${quote(`(${exact.map(literally).join("|")})`)}`] : []),
  ];
  const same = `on (${modelIdentity.join(", ")})`;
  const measured = (window: Duration) => `${sum(finite(`sum_over_time(${measuredCost.recorded}[${window}])`), ...modelIdentity)} > 0`;
  const computable = `unless ${same} (${measured("3h")})`;
  const last = (series: string, ...by: readonly string[]) => sum(finite(`last_over_time(${series}[1m])`), ...by);
  const all = [...modelIdentity, tokenType];
  const cached = last(cachedTokens.recorded, ...modelIdentity);
  const used = [
    // Cached tokens are among the input. More than that, as Anthropic counts them, are beside it.
    `${last(select(tokens.recorded, equals(tokenType, tokenTypes.input)), ...all)}\n- ${same} group_left () ${cached} >= 0`,
    last(tokens.recorded, ...all),
    withLabel(cached, tokenType, "cached"),
  ];
  const amounts = `${relabel(used.join("\nor "), steps)}\n* on (${pricedAs}, ${tokenType}) group_left () max by (${pricedAs}, ${tokenType}) (${recordedPrice})`;
  const computed = `${sum(`\n${indent(amounts)}\n`, ...modelIdentity)} / 1e6\n${computable}`;
  const unpriced = `${relabel(`${last(tokens.recorded, ...modelIdentity)} > 0`, steps)}\nunless on (${pricedAs}) ${recordedPrice}`;
  const withCost = `${measured("3h")}\nor ${relabel(`last_over_time(${tokens.recorded}[3h])`, steps)}\nand on (${pricedAs}) ${recordedPrice}`;
  return [
    priceRule(prices),
    rule(
      recordedCost,
      "What the SDK measured. Of models whose cost it did not measure in three hours: tokens by the price of a million.",
      `${withLabel(measured("1m"), "source", "measured")}\nor ${withLabel(`\n${indent(computed)}\n`, "source", "computed")}`,
    ),
    rule(
      recordedPriced,
      "Successful requests to models with a cost.",
      `${last(select(requests.recorded, equals(conventionLabel("error"), "")), ...modelIdentity)}\nand ${same} (\n${indent(withCost)}\n)`,
    ),
    rule(
      recordedUnpriced,
      "Tokens of models without a price, whose cost is not measured either.",
      // Without prices, as in the first pass of promtool, nothing is known.
      `${sum(`\n${indent(unpriced)}\n`, ...modelIdentity)}\n${computable}\nand on () ${recordedPrice}`,
    ),
  ];
}
