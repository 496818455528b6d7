/** What models cost, in USD per million tokens, whoever serves them: the list of `list.json`, and the setting `prices`. */
import { day, models, others, source } from "./list.json";

/** The kinds of tokens that have a price. `cached` and `written`: input that the provider reads from its cache, or writes to it. */
export const kinds = ["input", "output", "cached", "written"] as const;
export type Kind = (typeof kinds)[number];

/**
 * USD per million tokens. Embeddings have no output. `cached` and `written` default to `input`. No metric says how long a write to a cache
 * lives: its price is for the shortest time.
 */
export type Price = { input: number } & { [K in Kind]?: number | undefined };

export type Prices = Readonly<Record<string, Price>>;

/** An entry of the list. `listed`: its name in the public list, if it is another one. */
export type ListedPrice = Price & { provider: string; listed?: string | undefined };

/** `others`: versions with a price of their own, and names by which somebody sells a model for another price. */
type PriceList = { source: string; day: string; models: Readonly<Record<string, ListedPrice>>; others: Prices };
export const listed: PriceList = { source, day, models, others };

/** The prices of a stack: its own ones in addition to the list, or instead of the list's. */
export const pricesOf = (own: Prices = {}): Prices => ({ ...listed.others, ...listed.models, ...own });

/** A name without the path, region, date and release that providers add. Another version is another model, with its own price or none. */
const shortened =
  "(?:.+/)?(?:(?:[a-z-]+[.])?(?:amazon|anthropic|cohere|deepseek|meta|mistral)[.])?" +
  "(.+?)(?:-preview)?(?:[-@](?:20[0-9]{2}-?[0-9]{2}-?[0-9]{2}|latest))?(?:-v[0-9](?::[0-9])?)?";
/** The parts of a name to look up: the name, the name without a path, the shortened name. The first part with a price counts. */
export const lookedUp = ["(.+)", "(?:.+/)?(.+)", shortened];

const patterns = lookedUp.map((part) => new RegExp(`^(?:${part})$`));

/** The name in a list of prices that rules find for a model. */
export const pricedName = (model: string, prices: Prices) =>
  patterns.map((pattern) => model.replace(pattern, "$1")).find((name) => Object.hasOwn(prices, name));

/** The price of a model by a name that providers or gateways use. Undefined if it has none. */
export function priceOf(model: string, prices: Prices): Price | undefined {
  const price = prices[pricedName(model, prices) ?? ""];
  return price && { input: price.input, output: price.output, cached: price.cached, written: price.written };
}
