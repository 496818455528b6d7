/** `npm run prices`: renews `src/prices/list.json` from a public list. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ListedPrice, listed, priceChanges } from "../prices/prices";
import { readOptions } from "./options";

type Entry = Partial<Record<keyof typeof fields, number>>;

/** The fields of the public list, in USD per token, and ours. */
const fields = {
  input_cost_per_token: "input",
  output_cost_per_token: "output",
  cache_read_input_token_cost: "cached",
  cache_creation_input_token_cost: "cacheWrite",
} as const;

/** USD per million tokens, without the errors of floating point. */
const perMillion = (perToken: number) => Number((perToken * 1e6).toPrecision(9));

const usage = `Usage: npm run prices -- FILE [--source TEXT]

Renews src/prices/list.json and prints what changed. A model that the file lacks keeps its price.

  FILE             the file model_prices_and_context_window_backup.json of the Python package litellm
  --source TEXT    where the file is from: by default as before

Exit codes: 0 renewed, 1 failed.`;

const { positionals, values } = readOptions(usage, { source: { type: "string" } }, { positionals: 1 });
const [file] = positionals;
if (!file) throw new Error(usage);
const found = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, Entry>>;

const missing: string[] = [];
const renewed = Object.entries(listed.models).map(([model, before]): [string, ListedPrice] => {
  const entry = found[before.listed ?? model];
  if (typeof entry?.input_cost_per_token !== "number") {
    missing.push(model);
    return [model, before];
  }
  const { provider, listed: name } = before;
  const prices = Object.entries(fields).flatMap(([field, ours]) => {
    const price = entry[field as keyof Entry];
    return price === undefined || (ours === "output" && price === 0) ? [] : [[ours, perMillion(price)]];
  });
  return [model, { provider, ...(name && { listed: name }), ...Object.fromEntries(prices) }];
});

const models = Object.fromEntries(renewed);
const lines = renewed
  .sort(([left], [right]) => (left < right ? -1 : 1))
  .map(([model, price]) => `    ${JSON.stringify(model)}: ${JSON.stringify(price, null, 1).replace(/\n */g, " ")}`);
const head = { source: values.source ?? listed.source, day: new Date().toISOString().slice(0, 10) };
const text = `{\n  "source": ${JSON.stringify(head.source)},\n  "day": "${head.day}",\n  "models": {\n${lines.join(",\n")}\n  }\n}\n`;
writeFileSync(join(__dirname, "../prices/list.json"), text);
for (const change of priceChanges(listed.models, models)) console.log(change);
for (const model of missing) console.log(`${model}: not in the file, kept`);
