/**
 * What requests cost, recorded each minute: what the SDK measures, else tokens by the price of the model, never both. The prices are series, too: the past
 * keeps its price. The rules read what the ones before them in their group have just recorded.
 */
import { type Kind, kinds, type Prices } from "../prices/prices";
import { type RecordingRule, recordedIncrease, recordedName } from "./counters";
import { modelIdentity } from "./identity";
import { tokenTypes } from "./names/conventions";
import type { Measure } from "./opentelemetry-measures";
import { type Duration, equals, finite, indent, literally, quote, relabel, select, sum, withLabel } from "./promql";

/** The cost in USD, by `modelIdentity` and `source`: `measured` by the SDK, or `computed`. */
export const recordedCost = recordedName("gen_ai_cost");
/** Input and output tokens of models without a price, whose cost is not measured either, by `modelIdentity`. */
export const recordedUnpriced = recordedName("gen_ai_unpriced_tokens");
/** The budget of a day in USD, by application. */
export const recordedBudget = "application:gen_ai_budget:usd_per_day";
const recordedPrice = (kind: Kind) => `model:gen_ai_${kind}_price:usd_per_million_tokens`;

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
export const budgetRules = (budgets: Readonly<Record<string, number>>, { tokens }: { tokens: Measure }): RecordingRule[] => {
  const lines = Object.entries(budgets).map(([application, usd]) => withLabel(`vector(${usd})`, "application", application));
  return lines.length > 0 ? [{ name: recordedBudget, query: lines.join("\nor "), reads: tokens.series, always: false }] : [];
};

/** The kind of the price that a rule of this name records. */
export const priceKindOf = (name: string) => kinds.find((kind) => recordedPrice(kind) === name);

/** The prices in the query of such a rule, by model. */
export const pricesIn = (query: string) =>
  [...query.matchAll(new RegExp(`vector\\(([^)]*)\\), "${pricedAs}", "([^"]*)"`, "g"))].map(
    ([, price, model = ""]) => [model, Number(price)] as const,
  );

export function costRules({ cost, tokens, cachedTokens }: Record<"cost" | "tokens" | "cachedTokens", Measure>, prices: Prices) {
  const [tokenType = ""] = tokens.labels;
  const names = Object.keys(prices).sort();
  // Such as gpt-4o-2024-05-13, which has a price of its own.
  const exact = names.filter((name) => shortName(name) !== name);
  const steps = [
    `"${pricedAs}", "$1", "model", "${shortened}"`,
    ...(exact.length > 0 ? [`"${pricedAs}", "$1", "model", ${quote(`(${exact.map(literally).join("|")})`)}`] : []),
  ];
  const rule = (name: string, query: string): RecordingRule => ({ name, query, reads: tokens.series, always: false });
  const priceRule = (kind: Kind) => {
    const listed = names.flatMap((name) => {
      const price = prices[name]?.[kind];
      return price === undefined ? [] : [withLabel(`vector(${price})`, pricedAs, name)];
    });
    return rule(recordedPrice(kind), listed.join("\nor "));
  };
  const [input, output, cached] = [recordedPrice("input"), recordedPrice("output"), recordedPrice("cached")];

  const measured = (window: Duration) => `${sum(finite(`sum_over_time(${cost.recorded}[${window}])`), ...modelIdentity)} > 0`;
  const computable = [
    `unless on (${modelIdentity.join(", ")}) (${measured("3h")})`,
    // The last of the rules before: a promtool whose first blocks are loaded while it works on others sees what some of them recorded, and would record a part.
    `and on () ${cached}`,
  ].join("\n");
  const last = (series: string, ...by: readonly string[]) => sum(finite(`last_over_time(${series}[1m])`), ...by);
  const all = [...modelIdentity, tokenType];
  const cachedUsed = last(cachedTokens.recorded, ...modelIdentity);
  const used = [
    // Cached tokens are among the input. More than that, as Anthropic counts them, are beside it.
    `${last(select(tokens.recorded, equals(tokenType, tokenTypes.input)), ...all)}\n- on (${modelIdentity.join(", ")}) group_left () ${cachedUsed} >= 0`,
    last(tokens.recorded, ...all),
    withLabel(cachedUsed, tokenType, "cached"),
  ];
  const priced = [
    withLabel(input, tokenType, tokenTypes.input),
    withLabel(output, tokenType, tokenTypes.output),
    withLabel(`${cached} or ${input}`, tokenType, "cached"),
  ];
  const amounts = `${relabel(used.join("\nor "), steps)}\n* on (${pricedAs}, ${tokenType}) group_left () (\n${indent(priced.join("\nor "))}\n)`;
  const computed = `${sum(`\n${indent(amounts)}\n`, ...modelIdentity)} / 1e6\n${computable}`;
  const unpriced = `${relabel(`${last(tokens.recorded, ...modelIdentity)} > 0`, steps)}\nunless on (${pricedAs}) ${input}`;
  return [
    ...kinds.map(priceRule),
    rule(
      recordedCost,
      `${withLabel(measured("1m"), "source", "measured")}\n# What the SDK did not measure in three hours: tokens by the price of a million.\nor ` +
        withLabel(`\n${indent(computed)}\n`, "source", "computed"),
    ),
    rule(recordedUnpriced, `${sum(`\n${indent(unpriced)}\n`, ...modelIdentity)}\n${computable}`),
  ];
}
