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
  /** The first sentence of the description. */
  says: string;
  /** The end of the dashboard's address. */
  link?: string;
}

const service = "llmobs";
const day = 1440;
const week = 7 * day;

/** A series of the service, by application and model. */
const written = (metric: string, model = "gpt-4.1") =>
  `${service}_llm_${metric}{job="${service}",applicationName="shop",environment="production",platform="openai",model="${model}"}`;
/** A series that a recording rule writes for alerts. */
const watched = (what: string) => `alerts:gen_ai_${what}{environment="production",application="shop",provider="openai",model="gpt-4.1"}`;
const ofModel = (what: string) => `alerts:gen_ai_${what}:p85_15m{environment="production",application="shop",model="gpt-4.1"}`;
const firstToken = ofModel("first_token").replace("production", "(none)");
const failing = { [watched("requests:increase1m")]: "1x120", [watched("failures:increase1m")]: "0x59 0.2x60" };
const outage = (failures: string): Input => ({
  [watched("requests:increase1m")]: "10x120",
  [watched("failures:increase1m")]: failures,
  [watched("failures:share10m")]: "0x59 0.9x60",
});
const lone = (failures: string): Input => ({
  [watched("requests:increase1m")]: failures,
  [watched("failures:increase1m")]: failures,
  [watched("failures:share10m")]: "_x19 1x44",
});
const requests = 'application:gen_ai_requests_count:increase1m{application="shop",environment="production"}';
const processes = 'application:gen_ai_processes:count1m{application="shop",environment="production"}';
const staging = 'application:gen_ai_processes:count1m{application="shop",environment="staging"}';
const price = 'model:gen_ai_price:usd_per_million_tokens{priced_as="gpt-4o",gen_ai_token_type="input"}';
const unpriced = 'application:gen_ai_unpriced_tokens:increase1m{application="shop",environment="production",provider="openai",model="new"}';
const ofAlias =
  'application:gen_ai_cost:increase1m{application="shop",environment="production",provider="openai",model="new",source="computed"}';
const cost = 'alerts:gen_ai_cost:increase1m{application="shop"}';

/** Ten days of requests, in steps of five minutes; 20 in ten hours of each. The processes send something until 10:00 of the last one, what goes on always. */
const idle = (ofDay: string, counted: string, goesOn?: string): Input => ({
  [counted]: `${`${ofDay} `.repeat(9)}${ofDay}`,
  [processes]: `1x${(9 * day + 600) / 5} _x40`,
  ...(goesOn && { [goesOn]: "1x2800" }),
});
/** A cost of 1 each five minutes of six days; then none until 5:00 of the day after the seventh. */
const unusual = (then: number) => `1x${(6 * day) / 5} _x${(day + 300) / 5 - 1} ${then}x30`;
const [mornings, evenings] = ["0x95 20x119 0x71", "0x143 20x119 0x23"] as const;
const isSlow = (series: string, slow: number, usual: number): Input => ({ [series]: `${usual}x600 ${slow}x60` });
/** Ten requests each midnight, in steps of six minutes: all fail in two nights, some in the third. */
const nightly = (failures: number): Input => ({
  [watched("requests:increase1m")]: "10 0x238 ".repeat(3),
  [watched("failures:increase1m")]: `${"10 0x238 ".repeat(2)}${failures}`,
  [watched("failures:share10m")]: `${"1x9 _x230 ".repeat(2)}${failures / 10}x9`,
});
/** A percentile of 4; from 2:00 to 3:30 of the third day, of 45, and another one at this time of the second day. */
const slowNight = (before: number): Input => ({ [ofModel("latency")]: `4x${day + 119} ${before}x89 4x${day - 91} 45x89` });
const labels = { environment: "production", application: "shop", provider: "openai", model: "gpt-4.1" };
const { provider: _, ...modelLabels } = labels;
const modelLink = "&var-environment=production&var-application=shop&var-model=gpt-4.1";

export const ruleCases: Readonly<Record<string, RuleCase | readonly RuleCase[]>> = {
  GenAIErrors: [
    // Ten requests a minute. From minute 60 or 61 on, all fail: 80 or 70 failures, and 6 + 6 % of 600 + 35 % of 100 are allowed.
    {
      fires: outage("0x59 10x60"),
      doesNot: outage("0x60 10x60"),
      at: 67,
      labels,
      says: "90% of the requests of shop to gpt-4.1 (openai) fail in production.",
      link: "&var-environment=production&var-application=shop&var-model=gpt-4.1&var-provider=openai",
    },
    // A request a minute. From minute 60 on, 20 % of them fail: no outage, but for 20 minutes. The share of the other case was 0 at minute 81.
    {
      fires: { ...failing, [watched("failures:share10m")]: "0x59 0.2x60" },
      doesNot: { ...failing, [watched("failures:share10m")]: "0x81 0.2x40" },
      at: 100,
      labels,
      says: "20% of the requests of shop to gpt-4.1 (openai) fail in production.",
    },
    // Three requests in an hour, which all fail: one by one, or at once, as retries do. The newest share is not written yet.
    {
      fires: lone("0x19 1 0x18 1 0x18 1 0x9"),
      doesNot: lone("0x57 1 1 1 0x9"),
      at: 65,
      labels,
      says: "100% of the requests of shop to gpt-4.1 (openai) fail in production.",
    },
  ],
  GenAIErrorsLasting: [
    {
      // In each hour of ten, 2.1 % and 1.9 % of 1,000 requests.
      fires: { [watched("requests:increase1m")]: "100x150", [watched("failures:increase1m")]: "2.1x150" },
      doesNot: { [watched("requests:increase1m")]: "100x150", [watched("failures:increase1m")]: "1.9x150" },
      at: 780,
      until: 840,
    },
    { fires: nightly(7), doesNot: nightly(6), at: 2 * day + 12 },
  ].map((each) => ({
    ...each,
    step: 6,
    labels,
    says:
      "In most hours of the last day, more than 2 % of the requests of shop to gpt-4.1 (openai) failed in production, " +
      "or most of them in three days.",
  })),
  GenAISlow: [
    { fires: isSlow(ofModel("latency"), 31, 10), doesNot: isSlow(ofModel("latency"), 31, 10.5), at: 645, seconds: 31 },
    { fires: slowNight(4), doesNot: slowNight(31), at: 2 * day + 180, seconds: 45 },
  ].map(({ seconds, ...each }) => ({
    ...each,
    every: 5,
    labels: modelLabels,
    says: `15 % of the requests of shop to gpt-4.1 in production take longer than ${seconds}s: three times the usual time.`,
    link: modelLink,
  })),
  GenAISlowFirstToken: {
    // The last bound of a histogram is 10.
    fires: isSlow(firstToken, 10, 1),
    doesNot: isSlow(firstToken, 9.8, 1),
    at: 645,
    every: 5,
    labels: { ...modelLabels, environment: "(none)" },
    // No span has this value.
    link: "&var-application=shop&var-model=gpt-4.1",
    says: "15 % of the streamed requests of shop to gpt-4.1 in (none) wait longer than 10s for the first token: three times the usual time.",
  },
  GenAIBudget: {
    // 500 USD a day of all, 50 of checkout: at 0.5 USD a minute, 81 % of that of all at 13:30.
    fires: { [cost]: "0.5x900" },
    doesNot: { [cost]: "0.49x900" },
    at: 810,
    every: 5,
    labels: { severity: "warning" },
    says: "81% of today's budget of all applications is used. Days begin at midnight UTC.",
  },
  // After a night without requests, on a day without any of them last week. The increase of a gap comes at once, which is no cost of an hour.
  GenAIUnusualCost: [{ [cost]: unusual(5.4) }, { [cost]: unusual(6.1), [processes]: `${"1 ".repeat(week / 5 + 24)}_x36 1x300` }].map(
    (doesNot) => ({
      fires: { [cost]: unusual(6.1), [processes]: "1x2500" },
      doesNot,
      step: 5,
      at: week + 5 * 60 + 50,
      labels: { application: "shop" },
      says: "shop cost 67.10 USD in the last hour, more than 5 times as much as in its busiest hour of a week.",
      link: "&var-application=shop",
    }),
  ),
  GenAIModelWithoutPrice: [
    {
      fires: { [unpriced]: "200x120" },
      doesNot: { [unpriced]: "150x120" },
      at: 60,
      labels: { application: "shop", provider: "openai", model: "new" },
      says: "shop used 12.2k tokens of new (openai) in a day, without a price.",
    },
    // An alias of models with a price and without one; or the price was set an hour ago.
    {
      fires: { [unpriced]: "100x120", [ofAlias]: "1x120" },
      doesNot: { [unpriced]: "400x50 _x70", [ofAlias]: "_x51 1x69" },
      at: 120,
      labels: { application: "shop", provider: "openai", model: "new" },
      says: "shop used 12.1k tokens of new (openai) in a day, without a price.",
    },
  ],
  // An SDK sends nothing after a restart until there is a request, which this application usually has at this time, or later. The same application goes
  // on in staging, or nothing does. Or a job of each hour has moved from the full hour to 20 minutes later, while staging goes on.
  GenAITelemetryStopped: [
    { doesNot: idle(evenings, requests, staging), silent: 25 },
    { doesNot: idle(mornings, requests), silent: 25 },
    {
      doesNot: {
        [requests]: "20x1 0x9 ".repeat(240),
        [processes]: `${"1x1 _x10 ".repeat(9 * 24)}${"_x4 1x1 _x6 ".repeat(24)}`,
        [staging]: "1x2800",
      },
      silent: 40,
    },
  ].map(({ doesNot, silent }) => ({
    // It exports each ten minutes, not at the hour.
    fires: { ...idle(mornings, requests, staging), [processes]: "_ 1 ".repeat((9 * day + 600) / 10) },
    doesNot,
    step: 5,
    every: 15,
    at: 9 * day + 10 * 60 + 20 + silent,
    labels: { application: "shop", environment: "production" },
    says: `shop (production) sends no metrics any more. A week ago, it made ${silent === 25 ? 120 : 200} requests in the minutes of its silence.`,
  })),
  GenAIAllTelemetryStopped: [idle(evenings, requests, price), idle(mornings, requests)].map((doesNot) => ({
    fires: idle(mornings, requests, price),
    doesNot,
    step: 5,
    every: 15,
    at: 9 * day + 10 * 60 + 45,
    says: "No application sends metrics any more. A week ago, there were 120 requests in the minutes of the silence.",
  })),
  GenAIRecordingIncomplete: [
    // Evaluated each third minute. Without an alert: for seven minutes, since the first deployment.
    {
      fires: { [price]: "2.5 _x2 ".repeat(20) },
      doesNot: { [price]: "_x20 2.5x9" },
      at: 26,
      labels: { severity: "warning" },
      says: "In 10 of the last 15 minutes, recording rules did not write prices or what alerts read.",
    },
    // Each second minute, as a group that takes more than one. Without an alert: six minutes were missed.
    {
      fires: { [price]: "2.5 _ ".repeat(30) },
      doesNot: { [price]: "2.5x30 _x6 2.5x23" },
      at: 40,
      labels: { severity: "warning" },
      says: "In 7 of the last 15 minutes, recording rules did not write prices or what alerts read.",
    },
    // Each sixth minute: 12 or 13 are missed.
    {
      fires: { [price]: "2.5 _x5 ".repeat(10) },
      doesNot: { [price]: "2.5x60" },
      at: 50,
      labels: { severity: "critical" },
      says: "In 12 of the last 15 minutes, recording rules did not write prices or what alerts read.",
    },
  ],
  LlmobsSlow: {
    fires: { [written("requestDuration")]: "31x120" },
    doesNot: { [written("requestDuration")]: "30x120" },
    at: 70,
    labels: { applicationName: "shop", environment: "production", model: "gpt-4.1" },
    says: "In the last hour, a request of shop to gpt-4.1 in production took 31s, the mean of at least three.",
    link: "&var-Application=shop&var-Environment=production",
  },
  LlmobsTokensWithoutCost: {
    fires: { [written("totalTokens", "new")]: "60x200", [written("usageCost")]: "0.01x200" },
    doesNot: { [written("totalTokens", "new")]: "50x200", [written("usageCost")]: "0.01x200" },
    at: 190,
    labels: { applicationName: "shop", platform: "openai", model: "new" },
    says: "shop used 10.8k tokens of new (openai) in three hours without a cost, and pays for other models.",
  },
  LlmobsTelemetryStopped: [
    {
      fires: { [written("requestDuration")]: `2x${week / 10} _x6` },
      doesNot: { [written("requestDuration")]: `2x${week / 10} 2x6` },
      step: 10,
      at: week + day + 20,
      says: `${service} writes nothing any more. A week ago, there were requests in the same hours or on the same day.`,
    },
    // Silent since 16:45. A week ago, requests ended at 19:45, or at 17:45: the clock has changed by an hour since then.
    {
      fires: { [written("requestDuration")]: `_x465 2x719 _x${week - 780} 2x599` },
      doesNot: { [written("requestDuration")]: `_x465 2x599 _x${week - 660} 2x599` },
      every: 2,
      at: week + 18 * 60 + 58,
      says: `${service} writes nothing any more. A week ago, there were requests in the same hours or on the same day.`,
    },
  ],
  // Many requests at this time of last week, or few of them in a day.
  LlmobsConnectionLost: [
    [`2x30 _x${week / 5 - 31}`, `2x30 _x${week / 5 - 31} 2`],
    ["2 _x5 ".repeat(10), "2 _x5 ".repeat(9)],
  ].map(([fires = "", doesNot = ""], index) => ({
    fires: { [written("requestDuration")]: fires, [requests]: `_x${week / 5} 2x300` },
    doesNot: { [written("requestDuration")]: doesNot, [requests]: `_x${week / 5} 2x300` },
    step: 5,
    at: week + (index === 0 ? 115 : 340),
    says: `${service} writes nothing any more, although it did at this time or on this day of last week. In the last two hours, SDKs reported 48 requests.`,
  })),
};
