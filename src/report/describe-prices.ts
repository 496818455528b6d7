/** The prices of models in a group of recording rules: by model, instead of by a word of a long query. */
import { type Prices, priceChanges } from "../prices/prices";
import { pricesIn, recordedPrice } from "../signals/costs";
import { field, type Json } from "./json";
import { code } from "./markdown";

/** The prices that rules record, and the other rules. */
function split(rules: Json | undefined) {
  const all: Json[] = Array.isArray(rules) ? rules : [];
  const [rule] = all.filter((each) => field(each, "name") === recordedPrice);
  const [query] = [field(rule, "datas")].flat();
  const prices: Prices = rule ? pricesIn(String(field(field(query, "model"), "expr"))) : {};
  return { prices, others: all.filter((each) => each !== rule) };
}

/** Lines about prices, and the rules of both sides without them. */
export function describePrices(before: Json | undefined, after: Json | undefined): { lines: string[]; others: [Json, Json] } {
  const [old, now] = [split(before), split(after)];
  const isFirst = Object.keys(old.prices).length === 0;
  const count = Object.keys(now.prices).length;
  const changes = priceChanges(old.prices, now.prices).map((line) => line.replace(/^(.*), /, (_, model: string) => `${code(model)}, `));
  return { lines: isFirst && count > 0 ? [`prices of ${count} models`] : changes, others: [old.others, now.others] };
}
