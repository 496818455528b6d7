/**
 * For each rule of `dashboards/alerts.yaml`, series with which it fires, and almost the same ones with which it does not. Values are in promtool's notation:
 * `5x59` is sixty samples of 5, `_x9` no sample nine times.
 *
 * @see https://prometheus.io/docs/prometheus/latest/configuration/unit_testing_rules/
 */
import type { Labels } from "../telemetry/service";

/** Values by series. */
type Input = Readonly<Record<string, string>>;

export interface RuleCase {
  fires: Input;
  doesNot: Input;
  /** Minutes from the first sample, which is at midnight. */
  at: number;
  /** Minutes between two samples. Defaults to 1. */
  step?: number;
  /** Minutes between two evaluations. Defaults to `step`. */
  every?: number;
  /** The alert still fires then. */
  until?: number;
  /** Of the alert, without those of all alerts. */
  labels?: Labels;
  summary: string;
}

const service = "llmobs";
const day = 1440;
const week = 7 * day;

/** A series of the service, by application and model. */
const written = (metric: string, model = "gpt-4.1") =>
  `${service}_llm_${metric}{job="${service}",applicationName="shop",platform="openai",model="${model}"}`;
/** A series that a recording rule writes. */
const recorded = (measure: string, more = "", model = "gpt-4.1") =>
  `application:${measure}:increase1m{application="shop",environment="production",provider="openai",model="${model}"${more}}`;

const kinds = [
  {
    title: service,
    cost: (model?: string) => written("usageCost", model),
    tokens: (model?: string) => written("totalTokens", model),
    application: "applicationName",
    provider: "platform",
  },
  {
    title: "GenAI",
    cost: (model?: string) => recorded("gen_ai_cost", ',source="computed"', model),
    tokens: (model?: string) => recorded("gen_ai_tokens", "", model),
    application: "application",
    provider: "provider",
  },
] as const;

const requests = recorded("gen_ai_requests_count");
const processes = 'application:gen_ai_processes:count1m{application="shop",environment="production"}';
/** What an SDK sends. */
const price = 'model:gen_ai_price:usd_per_million_tokens{priced_as="gpt-4o",gen_ai_token_type="input"}';
const counted = 'gen_ai_client_operation_duration_seconds_count{job="shop",instance="a"}';
const failedRequests = recorded("gen_ai_requests_count", ',error_type="rate_limit"');

/** A small one beside a large one. */
const budgets: Input = {
  'application:gen_ai_budget:usd_per_day{application="shop"}': "500x600",
  'application:gen_ai_budget:usd_per_day{application="mall"}': "50000x600",
};

/** Of 500 USD a day, at 1 USD a minute: they fire five minutes after a share is reached, with the next step of the query. */
const budgetCases = (title: string, of: string, cost: string, others: Input = {}, labels: Labels = {}) =>
  Object.fromEntries(
    [50, 80, 100].map((percent): [string, RuleCase] => {
      const at = 5 * percent + 5;
      const input = (usd: number): Input => ({ ...others, [cost]: `${usd}x600` });
      const summary = `Of today's budget of ${of}, ${at / 5}% is used.`;
      return [`${title}, ${percent} %`, { at, every: 5, labels, fires: input(1), doesNot: input(0.95), summary }];
    }),
  );

/** Sixty requests, in percent by the bound of the bucket. */
const buckets = (measure: string, shares: Readonly<Record<string, number>>): Input =>
  Object.fromEntries(Object.entries(shares).map(([bound, percent]) => [recorded(measure, `,le="${bound}"`), `${percent}x120`]));

/** Rules on cost and tokens, for both kinds of telemetry. */
const spendingCases = ({ title, cost, tokens, application, provider }: (typeof kinds)[number]): Record<string, RuleCase> => {
  // The application sends all the time.
  const sent = { [processes]: `1x${week / 5 + 30}` };
  const lastHour = { at: week + 65, step: 5, labels: { [application]: "shop" } };
  return {
    [`${title}: Cost per hour`]: {
      fires: { [cost()]: "0.84x120" },
      doesNot: { [cost()]: "0.83x120" },
      at: 60,
      summary: "Requests cost 50.40 USD in the last hour, more than 50 USD.",
    },
    ...budgetCases(`${title}: Budget`, "500 USD", cost()),
    [`${title}: Unusual cost`]: {
      ...lastHour,
      fires: { [cost()]: `1x${week / 5} 3.2x30`, ...sent },
      doesNot: { [cost()]: `1x${week / 5} 2.8x30`, ...sent },
      summary:
        "shop cost 3.2 times as much in the last hour as in the busiest hour of the day before, and more than 3 times that of last week.",
    },
    [`${title}: Unusual tokens`]: {
      ...lastHour,
      fires: { [tokens()]: `40000x${week / 5} 130000x30`, ...sent },
      // An hour of 0, which is recorded after a process ended, is not usual: the quotient would be infinite.
      doesNot: { [tokens()]: `0x${week / 5} 130000x30`, ...sent },
      summary:
        "shop used 3.2 times as many tokens in the last hour as in the busiest hour of the day before, and more than 3 times those of last week.",
    },
    ...(title === service && {
      [`${title}: Tokens without cost`]: {
        fires: { [tokens("new")]: "200x120", [cost()]: "0.01x120" },
        doesNot: { [tokens("new")]: "160x120", [cost()]: "0.01x120" },
        at: 60,
        labels: { [application]: "shop", [provider]: "openai", model: "new" },
        summary: "shop used 12k tokens of new (openai) in the last hour without a cost.",
      },
    }),
  };
};

export const ruleCases: Readonly<Record<string, RuleCase>> = {
  [`${service}: Latency`]: {
    fires: { [written("requestDuration")]: "31x120" },
    doesNot: { [written("requestDuration")]: "30x120" },
    at: 70,
    summary: "In the last hour, the mean duration of a request was 31s.",
  },
  [`${service}: Telemetry stopped`]: {
    fires: { [written("requestDuration")]: "2x240 _x60" },
    doesNot: { [written("requestDuration")]: "2x240 _x20 2 _x60" },
    at: 240 + 36,
    until: 240 + day,
    summary: `${service} writes nothing any more, although it always did at this time.`,
  },
  [`${service}: Connection`]: {
    fires: { [written("requestDuration")]: "2x80", [requests]: `_x${week - 1} 2x130` },
    doesNot: { [written("requestDuration")]: "2x66", [requests]: `_x${week - 1} 2x130` },
    at: week + 70,
    every: 5,
    summary: `${service} wrote nothing in the last hour, while SDKs reported 120 requests. A week ago, it wrote in the same hour.`,
  },
  "GenAI: Error rate, warning": {
    // Ten minutes after it was critical, within the pending period.
    fires: { [failedRequests]: "12x30 6x60", [requests]: "88x30 94x60" },
    doesNot: { [failedRequests]: "5x60", [requests]: "95x60" },
    at: 45,
    labels: { provider: "openai" },
    summary: "In the last 30 minutes, 9% of the requests to openai failed.",
  },
  "GenAI: Error rate, critical": {
    fires: { [failedRequests]: "11x60", [requests]: "89x60" },
    doesNot: { [failedRequests]: "10x60", [requests]: "90x60" },
    at: 50,
    labels: { provider: "openai" },
    summary: "In the last 30 minutes, 11% of the requests to openai failed.",
  },
  "GenAI: Latency": {
    fires: { ...buckets("gen_ai_requests_bucket", { "20.48": 90, "40.96": 100, "+Inf": 100 }), [requests]: "100x120" },
    doesNot: { ...buckets("gen_ai_requests_bucket", { "20.48": 91, "40.96": 100, "+Inf": 100 }), [requests]: "100x120" },
    at: 70,
    summary: "In the last hour, 5 % of the requests to models took longer than 30.72s.",
  },
  "GenAI: Time to first token": {
    fires: buckets("gen_ai_first_token_bucket", { "5.12": 0, "10.24": 94, "+Inf": 100 }),
    doesNot: buckets("gen_ai_first_token_bucket", { "5.12": 0, "10.24": 100, "+Inf": 100 }),
    at: 70,
    summary: "In the last hour, 5 % of the streamed requests waited longer than 10.24s for the first token.",
  },
  "GenAI: Telemetry stopped": {
    // Since 20 and since 19 full hours. Increases of 0 are recorded for three hours after the last sample.
    fires: { [requests]: `_x290 9x${day - 290} 0x60`, [processes]: `_x290 1x${day - 290} _x60` },
    doesNot: { [requests]: `_x350 9x${day - 350} 0x60`, [processes]: `_x350 1x${day - 350} _x60` },
    at: day + 17,
    until: 2 * day,
    labels: { application: "shop" },
    summary: "shop sends no metrics any more, although it sent some in 20 hours of a day.",
  },
  "GenAI: Recording stopped": {
    // Evaluated each third minute, and each one.
    fires: { [counted]: "1x60", [requests]: "1x60", [price]: "2.5 _x2 ".repeat(20) },
    doesNot: { [counted]: "1x60", [requests]: "0x60", [price]: "2.5x60" },
    at: 50,
    summary:
      "SDKs send 1 series of requests, but recording rules do not write each minute: other alerts on SDKs see too little, or nothing.",
  },
  ...budgetCases("GenAI: Budget by application", "shop", recorded("gen_ai_cost", ',source="measured"'), budgets, { application: "shop" }),
  "GenAI: Model without price": {
    fires: { [recorded("gen_ai_unpriced_tokens", "", "new")]: "200x120" },
    doesNot: { [recorded("gen_ai_unpriced_tokens", "", "new")]: "160x120" },
    at: 60,
    labels: { application: "shop", provider: "openai", model: "new" },
    summary: "shop used 12k tokens of new (openai) in the last hour without a cost.",
  },
  ...Object.assign({}, ...kinds.map(spendingCases)),
};
