/** The rules of costs by Prometheus' own tool: measured or computed, never both; a price that changes; cached tokens; a model without a price. */
import { it } from "vitest";
import { recordedBy } from "./promtool";

/** Prices are input: they change here. */
const expectRecorded = recordedBy(/gen_ai_(cost|priced_requests|unpriced_tokens):increase1m$/);

const labels = (model: string, more = "") => `{application="shop",environment="prod",provider="openai",model="${model}"${more}}`;
const tokens = (model: string, type: "input" | "output") =>
  `application:gen_ai_tokens:increase1m${labels(model, `,gen_ai_token_type="${type}"`)}`;
const cached = (model: string) => `application:gen_ai_cached_tokens:increase1m${labels(model)}`;
const measured = (model: string, error = "") => `application:gen_ai_cost_sum:increase1m${labels(model, error && `,error_type="${error}"`)}`;
const price = (kind: string, name = "gpt-4o") =>
  `model:gen_ai_price:usd_per_million_tokens{priced_as="${name}",gen_ai_token_type="${kind}"}`;
const requests = (model: string, error = "") =>
  `application:gen_ai_requests_count:increase1m${labels(model, error && `,error_type="${error}"`)}`;
const cost = (model: string, source: "measured" | "computed") =>
  `application:gen_ai_cost:increase1m{application="shop",environment="prod",model="${model}",provider="openai",source="${source}"}`;
const priced = (model: string) =>
  `application:gen_ai_priced_requests:increase1m{application="shop",environment="prod",model="${model}",provider="openai"}`;
const unpriced = (model: string) =>
  `application:gen_ai_unpriced_tokens:increase1m{application="shop",environment="prod",model="${model}",provider="openai"}`;

const nan = "NaN ".repeat(20);
const prices = { [price("input")]: "2.5x400", [price("output")]: "10x400", [price("cached")]: "1.25x400" };

it.each<[what: string, series: Record<string, string>, expected: [minute: number, samples: Record<string, number>][]]>([
  [
    "by the price of the name without its date; a new price counts from its minute on, and the past keeps its own",
    { ...prices, [tokens("openai/gpt-4o-2024-08-06", "output")]: "1000x20", [price("output")]: "10x9 8x400" },
    [
      [9, { [cost("openai/gpt-4o-2024-08-06", "computed")]: 0.01 }],
      [10, { [cost("openai/gpt-4o-2024-08-06", "computed")]: 0.008 }],
      [20, { [cost("openai/gpt-4o-2024-08-06", "computed")]: 0.008 }],
    ],
  ],
  [
    "cached tokens at their price, among the input; beside it, if they are more, as Anthropic counts them",
    {
      ...prices,
      ...{ [tokens("gpt-4o", "input")]: "1000x20", [tokens("gpt-4o", "output")]: "100x20", [cached("gpt-4o")]: "400x9 9000x20" },
    },
    [
      [5, { [cost("gpt-4o", "computed")]: (600 * 2.5 + 400 * 1.25 + 100 * 10) / 1e6 }],
      [15, { [cost("gpt-4o", "computed")]: (1000 * 2.5 + 9000 * 1.25 + 100 * 10) / 1e6 }],
    ],
  ],
  [
    "a value that is no number counts as none",
    {
      ...prices,
      ...{ [measured("measured")]: "0.02x20", [measured("measured", "timeout")]: nan, [measured("gpt-4o", "timeout")]: "Inf ".repeat(20) },
      ...{ [tokens("gpt-4o", "input")]: nan, [tokens("gpt-4o", "output")]: "1000x20", [cached("gpt-4o")]: nan },
      ...{ [tokens("new", "input")]: nan, [tokens("new", "output")]: "30x20" },
    },
    [[5, { [cost("measured", "measured")]: 0.02, [cost("gpt-4o", "computed")]: 0.01, [unpriced("new")]: 30 }]],
  ],
  [
    "measured, and not computed for three hours after that; costs of 0 are none",
    {
      ...prices,
      ...{ [tokens("gpt-4o", "output")]: "1000x400", [measured("gpt-4o")]: "0.02x9 0x400", [measured("gpt-4o", "timeout")]: "0x400" },
    },
    [
      [5, { [cost("gpt-4o", "measured")]: 0.02 }],
      [100, {}],
      [195, { [cost("gpt-4o", "computed")]: 0.01 }],
    ],
  ],
  [
    "of a model without a price, its tokens instead, unless it is measured; with the price 0, none",
    {
      ...prices,
      ...{ [tokens("new", "input")]: "70x20", [tokens("new", "output")]: "30x20", [tokens("local", "input")]: "70x20" },
      ...{ [price("input", "local")]: "0x20", [tokens("own", "input")]: "70x20", [measured("own")]: "1x20" },
    },
    [[5, { [unpriced("new")]: 100, [cost("local", "computed")]: 0, [cost("own", "measured")]: 1 }]],
  ],
  [
    "successful requests to models with a cost",
    {
      ...prices,
      ...{ [tokens("gpt-4o", "output")]: "1000x20", [requests("gpt-4o")]: "3x20", [requests("gpt-4o", "timeout")]: "2x20" },
      ...{ [measured("own")]: "1x20", [requests("own")]: "5x20", [tokens("new", "input")]: "70x20", [requests("new")]: "7x20" },
    },
    [
      [
        5,
        {
          ...{ [cost("gpt-4o", "computed")]: 0.01, [cost("own", "measured")]: 1, [unpriced("new")]: 70 },
          ...{ [priced("gpt-4o")]: 3, [priced("own")]: 5 },
        },
      ],
    ],
  ],
  [
    "only once the prices are recorded, as in the history, whose rules are evaluated one after the other",
    {
      ...{ [price("input")]: "_x10 2.5x400", [price("output")]: "_x10 10x400" },
      ...{ [tokens("gpt-4o", "output")]: "1000x20", [tokens("new", "input")]: "70x20" },
    },
    [
      [9, {}],
      [10, { [cost("gpt-4o", "computed")]: 0.01, [unpriced("new")]: 70 }],
    ],
  ],
])("%s", async (_what, series, expected) => {
  await expectRecorded(series, '{__name__=~"application:gen_ai_(cost|priced_requests|unpriced_tokens):increase1m"}', expected);
});
