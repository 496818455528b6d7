/**
 * The cost of requests, recorded each minute. It is the cost that the SDK measures, else the tokens by the price of the model, never both.
 * Prices are recorded, too, so that a new price does not change the past. Each rule reads what the rules before it have just recorded.
 */
import { kinds, lookedUp, type Price, type Prices } from "../prices/prices";
import type { RecordingRule } from "./counters";
import { modelIdentity } from "./identity";
import { tokenTypes } from "./names/conventions";
import { conventionLabel, measures, recordedName } from "./opentelemetry-measures";
import { type Duration, equals, finite, group, indent, isOneOf, on, select, sum, withLabel } from "./promql";

/** The cost in USD, by `modelIdentity` and `source`: `measured` by the SDK, or `computed`. */
export const recordedCost = recordedName("gen_ai_cost");
/** Successful requests to models with a cost, by `modelIdentity`. */
export const recordedPriced = recordedName("gen_ai_priced_requests");
/** Input and output tokens without a cost, by `modelIdentity`: the model has no price, and no SDK measures its cost. */
export const recordedUnpriced = recordedName("gen_ai_unpriced_tokens");
/** Successful requests without tokens and without a measured cost, by `modelIdentity`, such as streams without usage. */
export const recordedUncounted = recordedName("gen_ai_requests_without_tokens");
/** The budget of a day in USD, by application. */
export const recordedBudget = "application:gen_ai_budget:usd_per_day";
/** The prices, by `pricedAs` and type of token. */
export const recordedPrice = "model:gen_ai_price:usd_per_million_tokens";

/** The label with the name in the price list. */
const pricedAs = "priced_as";
/** The day in UTC. The sample at midnight belongs to the day that ends. */
const day = 'count_values("day", floor(vector((time() - 1) / 86400)))';

const step = "5m";

/**
 * The cost since midnight (UTC) by labels, in steps of five minutes. The label `day` tells today from yesterday.
 *
 * @param cost the cost of a window by these labels
 */
export const costOfDay = (cost: (window: Duration) => string, ...by: readonly string[]) =>
  sum(
    `\n  sum_over_time((\n${indent(indent(`${cost(step)}\n* on () group_left (day) ${day}`))}\n  )[1d:${step}])\n  and on (day) ${day}\n`,
    ...by,
  );

/** The rule that records budgets, if there are any. */
export const budgetRules = (budgets: Readonly<Record<string, number>>): RecordingRule[] => {
  const lines = Object.entries(budgets).map(([application, usd]) => withLabel(`vector(${usd})`, "application", application));
  return lines.length > 0 ? [rule(recordedBudget, "The budgets of a day.", lines.join("\nor "))] : [];
};

const [tokenType, responseModel] = [conventionLabel("tokenType"), conventionLabel("responseModel")];

const rule = (name: string, comment: string, query: string): RecordingRule => ({ name, comment, query, reads: measures.tokens.series });

/** The rule that records prices, with a line for each model. */
function priceRule(prices: Prices): RecordingRule {
  const lines = Object.entries(prices)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, price]) => {
      const all: Price = { ...price, cached: price.cached ?? price.input, written: price.written ?? price.input };
      const each = kinds.flatMap((kind) => (all[kind] === undefined ? [] : [withLabel(`vector(${all[kind]})`, tokenType, kind)]));
      return withLabel(each.join(" or "), pricedAs, name);
    });
  const comment = "Prices: input, output, and input that is read from a cache or written to it, which defaults to the price of input.";
  return rule(recordedPrice, comment, lines.join("\nor "));
}

export function costRules(prices: Prices): RecordingRule[] {
  const { measuredCost, tokens, tokenRequests, cachedTokens, requests } = measures;
  const [same, answered] = [on(...modelIdentity), [...modelIdentity, responseModel]];
  const measured = (window: Duration) => `${sum(finite(`sum_over_time(${measuredCost.series}[${window}])`), ...modelIdentity)} > 0`;
  const computable = `unless ${same} (${measured("3h")})`;
  const before = (series: string) => sum(`sum_over_time(${series}[3h])`, ...answered);
  const last = (series: string, ...by: readonly string[]) => sum(finite(`last_over_time(${series}[1m])`), ...by);
  const byPair = on("model", responseModel);
  const pairs = group(`last_over_time(${tokens.series}[3h])`, "model", responseModel);
  const named = (query: string, label: string, from: string, pattern: string) =>
    `label_replace(${query}, "${label}", "$1", "${from}", "${pattern}")`;
  // The highest value counts. The model that answered comes before the requested one, which can be the name of a deployment.
  const either = `(8 * ${named(pairs, "name", responseModel, "(.+)")}\n  or ${named(pairs, "name", "model", "(.+)")})`;
  const names = lookedUp.map((part, index) => `${4 - index} * ${named(either, pricedAs, "name", part)}`);
  const price = `(\n${indent(names.join("\nor "))}\n)\nand ${on(pricedAs)} ${recordedPrice}`;
  const [input, apart] = [select(tokens.series, equals(tokenType, tokenTypes.input)), `ignoring (${tokenType})`];
  const used = [
    // Cached tokens are part of the input. If there are more of them than input, they are beside it, as Anthropic counts.
    `${last(input, ...answered, tokenType)}\n- ${apart} group_left () ${last(cachedTokens.series, ...answered)} > -0.5`,
    `unless ${apart} ${before(cachedTokens.series)} * 0.999 > ${before(input)}`,
    `or ${last(select("", isOneOf("__name__", [tokens.series, cachedTokens.series])), ...answered, tokenType)}`,
  ].join("\n");
  const amounts = [
    `(\n${indent(used)}\n)`,
    `* ${byPair} group_left (${pricedAs}) (topk by (model, ${responseModel}) (1,\n${indent(price)}\n) ^ 0)`,
    `* ${on(pricedAs, tokenType)} group_left () max by (${pricedAs}, ${tokenType}) (${recordedPrice})`,
  ].join("\n");
  const computed = `${sum(`\n${indent(amounts)}\n`, ...modelIdentity)} / 1e6\n${computable}`;
  const unpriced = `${last(tokens.series, ...answered)} > 0\nunless ${byPair} (\n${indent(price)}\n)`;
  const withCost = `${measured("3h")}\nor last_over_time(${tokens.series}[3h]) and ${byPair} (\n${indent(price)}\n)`;
  const successful = last(select(requests.series, equals(conventionLabel("error"), "")), ...modelIdentity);
  const counted = (series: string) => `last_over_time(${series}[3h])`;
  return [
    priceRule(prices),
    rule(
      recordedCost,
      "What the SDK measured. Of models whose cost it did not measure in three hours: tokens by the price of a million.",
      `${withLabel(measured("1m"), "source", "measured")}\nor ${withLabel(`\n${indent(computed)}\n`, "source", "computed")}`,
    ),
    rule(recordedPriced, "Successful requests to models with a cost.", `${successful}\nand ${same} (\n${indent(withCost)}\n)`),
    rule(
      recordedUncounted,
      "Successful requests without tokens. Where tokens are counters, all requests count as having some.",
      [
        `${successful}\n- (${last(tokenRequests.series, ...modelIdentity)} or 0 * ${successful})`,
        `${computable}\nunless ${same} (${counted(tokens.series)} unless ${same} ${counted(tokenRequests.series)})`,
      ].join("\n"),
    ),
    rule(
      recordedUnpriced,
      "Tokens of models without a price, whose cost is not measured either.",
      // The first pass of promtool has no prices: nothing is known then.
      `${sum(`\n${indent(unpriced)}\n`, ...modelIdentity)}\n${computable}\nand on () ${recordedPrice}`,
    ),
  ];
}
