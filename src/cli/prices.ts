/**
 * `npm run prices`: renews `src/prices/list.json`, of which Git shows the changes, from a public list. Adds versions, and names that would
 * find another price.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { kinds, type ListedPrice, listed, type Price, pricedName } from "../prices/prices";
import { readOptions } from "./options";

type Entry = Partial<Record<keyof typeof fields, number>> & { mode?: string };

/** The fields of the public list, in USD per token, and ours. */
const fields = {
  input_cost_per_token: "input",
  output_cost_per_token: "output",
  cache_read_input_token_cost: "cached",
  cache_creation_input_token_cost: "written",
} as const;

/** USD per million tokens, without the errors of floating point. */
const perMillion = (perToken: number) => Number((perToken * 1e6).toPrecision(9));

const usage = `Usage: npm run prices -- FILE [--source TEXT]

Renews src/prices/list.json: "git diff" shows what changed. A model that the file lacks keeps its price.

  FILE             the file model_prices_and_context_window_backup.json of the Python package litellm
  --source TEXT    where the file is from: by default as before

Exit codes: 0 renewed, 1 failed.`;

const { positionals, values } = readOptions(usage, { source: { type: "string" } }, { positionals: 1 });
const [file] = positionals;
if (!file) {
  console.error(usage);
  process.exit(1);
}
const found = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, Entry>>;

/** Without an output, as embeddings; undefined without an input. */
function priceIn(entry: Entry | undefined): Price | undefined {
  if (typeof entry?.input_cost_per_token !== "number") return undefined;
  const prices = Object.entries(fields).flatMap(([field, kind]) => {
    const price = entry[field as keyof typeof fields];
    return typeof price !== "number" || (kind !== "input" && price === 0) ? [] : [[kind, perMillion(price)]];
  });
  return Object.fromEntries(prices);
}

const models = Object.fromEntries(
  Object.entries(listed.models).map(([model, before]): [string, ListedPrice] => {
    const price = priceIn(found[before.listed ?? model]);
    if (!price) console.log(`${model}: not in the file, kept`);
    const { provider, listed: name } = before;
    return [model, price ? { provider, ...(name && { listed: name }), ...price } : before];
  }),
);

const ofTexts = ["chat", "completion", "embedding", "responses"];
const regions = /^((us|eu|au|jp|apac|us-gov|ca|global)[.]|azure\/(us|eu|us-gov|global|global-standard)\/|bedrock\/[a-z-]+-\d\/)/;
/** The names that the providers' own models have in the public list. */
const ofProvider = /^(anthropic|cohere|deepseek|gemini|mistral|openai|xai)\//;
const version = /[-@](\d{4}|00\d|\d\d-20\d\d)(?=(-v\d(:\d)?)?$)/;

/** A list that has no price of cached tokens does not have another one. */
const differs = (price: Price, from: Price | undefined) => kinds.some((kind) => price[kind] !== undefined && price[kind] !== from?.[kind]);
const others: Record<string, Price> = {};
const shortestFirst = Object.entries(found).sort(([left], [right]) => left.length - right.length);
for (const [listedName, entry] of shortestFirst) {
  const price = ofTexts.includes(entry.mode ?? "") && !regions.test(listedName) ? priceIn(entry) : undefined;
  if (!price) continue;
  const all = { ...models, ...others };
  const name = listedName.replace(ofProvider, "");
  const as = pricedName(listedName, all);
  const isVersion = as === undefined && !name.includes("/") && pricedName(name.replace(version, ""), models) !== undefined;
  if (isVersion || (as !== undefined && differs(price, all[as]))) others[name in all ? listedName : name] = price;
}

const lines = (prices: Readonly<Record<string, Price>>) =>
  Object.entries(prices)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([model, price]) => `    ${JSON.stringify(model)}: ${JSON.stringify(price, null, 1).replace(/\n */g, " ")}`)
    .join(",\n");
const text = `{
  "source": ${JSON.stringify(values.source ?? listed.source)},
  "day": "${new Date().toISOString().slice(0, 10)}",
  "models": {\n${lines(models)}\n  },
  "others": {\n${lines(others)}\n  }
}\n`;
writeFileSync(join(__dirname, "../prices/list.json"), text);
