/** The prices of models in a group of recording rules: by model, instead of by a word of a long query. */
import { type Prices, priceChanges } from "../prices/prices";
import { priceKindOf, pricesIn } from "../signals/costs";
import { field, type Json } from "./json";
import { code } from "./markdown";

/** The prices that rules record, and the other rules. */
function split(rules: Json | undefined) {
  const prices: Record<string, Prices[string]> = {};
  const others: Json[] = [];
  for (const rule of Array.isArray(rules) ? rules : []) {
    const kind = priceKindOf(String(field(rule, "name")));
    const [query] = [field(rule, "datas")].flat();
    const expr = field(field(query, "model"), "expr");
    if (!kind) others.push(rule);
    else for (const [model, price] of pricesIn(String(expr))) prices[model] = { ...(prices[model] ?? { input: 0 }), [kind]: price };
  }
  return { prices, others };
}

/** Lines about prices, and the rules of both sides without them. */
export function describePrices(before: Json | undefined, after: Json | undefined): { lines: string[]; others: [Json, Json] } {
  const [old, now] = [split(before), split(after)];
  const isFirst = Object.keys(old.prices).length === 0;
  const count = Object.keys(now.prices).length;
  const changes = priceChanges(old.prices, now.prices).map((line) => line.replace(/^(.*), /, (_, model: string) => `${code(model)}, `));
  return { lines: isFirst && count > 0 ? [`prices of ${count} models`] : changes, others: [old.others, now.others] };
}
