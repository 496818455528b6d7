/** Prices of models: the list, its renewal, the setting, and the names under which rules find them. */
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listed, pricedName, pricesOf } from "../../src/prices/prices";
import { settingsKeys } from "../../src/settings/keys";
import { openTelemetryRecordingRules } from "../../src/signals/opentelemetry-rules";
import publicPrices from "../recorded/prices.json";
import { temporaryFolder } from "../support/temporary-folder";

const root = join(__dirname, "../..");

it("the list has its source, its day, and a price for each model in a range that real prices have", () => {
  expect(listed.source).not.toBe("");
  expect(listed.day).toMatch(/^20\d\d-\d\d-\d\d$/);
  expect(Object.keys(listed.models).length).toBeGreaterThan(60);
  for (const [model, { provider, input, output = input, cached = input }] of Object.entries(listed.models)) {
    expect(provider, model).not.toBe("");
    for (const price of [input, output, cached]) expect(price >= 0.001 && price <= 1000, model).toBe(true);
    expect(cached, model).toBeLessThanOrEqual(input);
  }
});

const found = (model: string) => pricedName(model, pricesOf());

it.each([
  ["openai/gpt-4o-mini-2024-07-18", "gpt-4o-mini"],
  ["azure/gpt-4o-2024-05-13", "gpt-4o-2024-05-13"],
  ["claude-sonnet-4-5@20250929", "claude-sonnet-4-5"],
  ["us.anthropic.claude-opus-4-1-20250805-v1:0", "claude-opus-4-1"],
  ["models/gemini-2.5-flash", "gemini-2.5-flash"],
  ["gemini-3.1-pro-preview", "gemini-3.1-pro"],
  ["bedrock/us-west-2/mistral.mistral-large-2402-v1:0", "mistral.mistral-large-2402-v1:0"],
  ["azure_ai/mistral-medium-2505", undefined],
  ["llama.cpp", undefined],
])("%s has the price of %s", (model, name) => expect(found(model)).toBe(name));

it("each name of the public list has its own price or none; those of a region cost up to 1.4 times as much", () => {
  const regional = /^((us|eu|au|jp|apac|us-gov|global)[.]|azure\/(us|eu|us-gov|global|global-standard)\/|bedrock\/[a-z-]+-\d\/)/;
  const [names, wrong]: [string[], string[]] = [[], []];
  for (const [model, own] of Object.entries(publicPrices.usdPerMillionTokens as Record<string, (number | null)[]>)) {
    const name = found(model);
    if (name === undefined) continue;
    names.push(model);
    const price = pricesOf()[name];
    const ours = [price?.input, price?.output, price?.cached, price?.written];
    // A list without a price of cached tokens does not have another one. Azure's has one of writes, which OpenAI's models do not have.
    const isListed = (usd: number | null, kind: number) => usd && !(kind === 3 && ours[kind] === undefined);
    const factors = own.flatMap((usd, kind) => (isListed(usd, kind) ? [(usd ?? 0) / (ours[kind] ?? 0)] : []));
    if (!factors.every((factor) => Math.abs(factor - 1) < 1e-6 || (regional.test(model) && factor > 1 && factor < 1.4))) wrong.push(model);
  }
  expect(wrong).toEqual([]);
  expect(names.length).toBeGreaterThan(550);
});

it("rules record the prices of the list, and those of the setting instead of them", () => {
  const own = { "gpt-4o": { input: 2, output: 8 }, "local/llama:8b": { input: 0 } };
  const of = (model: string, prices?: typeof own) => {
    const { query = "" } =
      openTelemetryRecordingRules("prometheus", { prices: pricesOf(prices) }).find(({ name }) => name.includes("price:")) ?? {};
    const line = query.split("\n").find((each) => each.endsWith(`, "priced_as", "${model}", "", "")`));
    return [...(line ?? "").matchAll(/vector\(([0-9.]+)\), "gen_ai_token_type", "(\w+)"/g)].map(([, price, type]) => `${type} ${price}`);
  };
  // As the providers' pages list them.
  expect(of("gpt-4o")).toEqual(["input 2.5", "output 10", "cached 1.25", "written 2.5"]);
  expect(of("claude-sonnet-4-5")).toEqual(["input 3", "output 15", "cached 0.3", "written 3.75"]);
  expect(of("text-embedding-3-small")).toEqual(["input 0.02", "cached 0.02", "written 0.02"]);
  expect(of("gpt-4o", own)).toEqual(["input 2", "output 8", "cached 2", "written 2"]);
  expect(of("local/llama:8b", own)).toEqual(["input 0", "cached 0", "written 0"]);
  expect(of("claude-sonnet-4-5", own)).toEqual(["input 3", "output 15", "cached 0.3", "written 3.75"]);
});

describe("the setting prices", () => {
  it("takes numbers, and texts as `config set --path` stores them", () => {
    const text = '{"my model (EU)":{"input":0.5,"output":"1.5"},"C:\\\\llama$1":{"input":0}}';
    const prices = settingsKeys.prices.parse(text);
    expect(prices).toEqual({ "my model (EU)": { input: 0.5, output: 1.5 }, "C:\\llama$1": { input: 0 } });
  });

  it("takes the name of a model with a price, as the files of gateways write it", () => {
    const gpt4oMini = { input: 0.15, output: 0.6, cached: 0.075 };
    const own = { mine: { input: 2 }, fast: "openai/gpt-4o-mini", "gpt-4o-mini": "azure/gpt-4o-mini", house: "hosted/mine" };
    const expected = { mine: { input: 2 }, fast: gpt4oMini, "gpt-4o-mini": gpt4oMini, house: { input: 2 } };
    expect(settingsKeys.prices.parse(JSON.stringify(own))).toEqual(expected);
  });

  it.each(["no-such-model", "slow", "constructor", "GPT-4o"])("refuses %s as the name of a model with a price", (name) => {
    const { error } = settingsKeys.prices.safeParse(JSON.stringify({ slow: "gpt-4o", fast: name }));
    expect(error?.issues.map(({ message }) => message)).toEqual([
      "has a text (fast) that is not the name of a model with a price, in the list of prices or as an object in this setting. Upper and lower case differ",
    ]);
  });

  it.each([
    ['{"a":"b","b":{"input":"x"}}', " (b: input)"],
    ['[{"input":1}]', ""],
    ['{"gpt-4o":{"input":0.0000025}}', " (gpt-4o: input)"],
    ['{"gpt-4o":{"input":1,"output":-1}}', " (gpt-4o: output)"],
    ['{"gpt-4o":{"input":1,"ouput":2}}', " (gpt-4o)"],
    ['{"gpt-4o":2.5}', " (gpt-4o)"],
    ['{"a secret, maybe":2.5}', ""],
    ['{"a\\nb":{"input":1}}', ""],
    ["2.5", ""],
  ])("refuses %s, and names the model%s", (text, place) => {
    expect(settingsKeys.prices.safeParse(text).error?.issues.map((issue) => issue.message)).toEqual([
      "must be a JSON object by model, whose names have 1 to 500 characters, and no control characters. Each model" +
        `${place} must have input, and can have output, cached and written: USD per million tokens, 0 or from 0.001 to 10,000`,
    ]);
  });
});

it.each([
  ['{"a shop":10,"api":"0.5"}', { "a shop": 10, api: 0.5 }],
  ['{"api":0}', undefined],
  ['{"C:\\\\x (EU)+":1}', { "C:\\x (EU)+": 1 }],
  ['{"a\\nb":1}', undefined],
  ["50", undefined],
])("the setting alertBudgets of %s is %j", (text, expected) => expect(settingsKeys.alertBudgets.safeParse(text).data).toEqual(expected));

it("`npm run prices` renews the list from a public one, and keeps what is not there", () => {
  const folder = temporaryFolder();
  cpSync(join(root, "src"), join(folder, "src"), { recursive: true });
  for (const name of ["node_modules", "tsconfig.json"]) symlinkSync(join(root, name), join(folder, name));
  writeFileSync(
    join(folder, "public.json"),
    JSON.stringify({
      "gpt-4o": { mode: "chat", input_cost_per_token: 2e-6, output_cost_per_token: 1e-5, cache_read_input_token_cost: 1.25e-6 },
      "openai/gpt-4o": { mode: "chat", input_cost_per_token: 2e-6 },
      "reseller/gpt-4o": { mode: "chat", input_cost_per_token: 3e-6, output_cost_per_token: 1e-5 },
      "gpt-4o-2024-05-13": { mode: "chat", input_cost_per_token: 5e-6 },
      "mistral/mistral-large-2402": { mode: "chat", input_cost_per_token: 4e-6 },
      "us.gpt-4o": { mode: "chat", input_cost_per_token: 2.2e-6 },
    }),
  );
  const output = execFileSync("node", ["-r", "tsx/cjs", "src/cli/prices.ts", "public.json"], { cwd: folder, encoding: "utf8" });
  expect(output).toContain("gpt-4o-mini: not in the file, kept\n");
  const renewed = JSON.parse(readFileSync(join(folder, "src/prices/list.json"), "utf8"));
  expect(renewed.models).toMatchObject({ "gpt-4o": { provider: "openai", input: 2 }, "gpt-4o-mini": listed.models["gpt-4o-mini"] });
  expect(renewed.others).toEqual({ "reseller/gpt-4o": { input: 3, output: 10 }, "mistral-large-2402": { input: 4 } });
});
