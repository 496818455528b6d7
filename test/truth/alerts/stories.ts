/** What goes wrong, when, and which alerts are for it. All times are in office hours of the last five days of a timeline. */
import type { AlertLimits } from "../../../src/alerts/rule";
import { commandsOf } from "../../support/documents";
import type { Range } from "../../view/reading/panel";
import { hour } from "../world/world";
import { newModel } from "./applications";
import { type Call, type Change, failed, lasting, logNormal } from "./calls";

/** 29 calls a day. */
export const few = 0.02;
export type Rate = typeof few | 1 | 10;
/** Mean calls in a minute. */
export const rates: readonly Rate[] = [few, 1, 10];

export interface Story {
  name: string;
  /** From the first Monday at 0:00 UTC. */
  at: Range;
  /** The same at few calls: a story lasts for a day of work, and a silence for longer. Not at all: too few calls to see it. */
  atFew?: Range;
  /** What happens to the calls that start in this time. */
  change?: Change;
  /** Whose telemetry does not arrive in this time. */
  silent?: { sdk?: (application: string) => boolean; gateway?: true; recording?: true };
  /** The rules that fire: minutes from the begin of the story within which each does. A rate that is missing has too little traffic for the rule. */
  fires: Readonly<Record<string, Partial<Record<Rate, number>>>>;
  /** Rules that go on longer than `afterwards`: minutes from the end of the story. */
  lasts?: Readonly<Record<string, number>>;
}

/** Minutes from the end of a story after which no rule fires: most of them look at an hour, or at a day. */
export const afterwards = (rate: Rate) => (rate === few ? 24 * 60 + 20 : 80);

/** The settings that the README recommends for few calls. */
const documented = Object.fromEntries(
  [...commandsOf("few", "src/alerts/README.md").matchAll(/--plaintext (alert\w+)=(\S+)/g)].map(([, key = "", value = ""]) => [
    key.replace(/^alert(.)/, (_, first: string) => first.toLowerCase()),
    Number.isNaN(Number(value)) ? value : Number(value),
  ]),
) as Partial<AlertLimits>;

/** The settings' defaults, a budget of two and a half normal days, and at few requests a lower cost of an hour. */
export const limitsAt = (rate: Rate): AlertLimits => ({
  errorRate: 5,
  latency: 30,
  costPerHour: 5 * rate,
  budget: 30 * rate,
  // A small one beside a large one.
  budgets: { "support-chat": 10 * rate, "shop-assistant": 1000 * rate },
  window: "hour",
  ...(rate === few && documented),
});

/** @param day from 0, Monday; then hours of this day */
const on = (day: number, from: number, to: number): Range => ({ from: (24 * day + from) * hour, to: (24 * day + to) * hour });
const both = (minutes: number, atFew?: number) => ({ 1: minutes, 10: minutes, ...(atFew && { [few]: atFew }) });
const workday = (day: number) => on(day, 9, 17);
const overnight = (day: number) => on(day, 9, 24 + 11);

const openAi = ({ model }: Call) => model.provider === "openai";
/** With the usual failures, 8 % in total. */
const failing = 0.072;

export const stories: readonly Story[] = [
  {
    name: "outage of a provider",
    at: on(0, 10, 10.75),
    change: (call, random) => [openAi(call) ? failed(call, "server_error", logNormal(random, 1, 0.3)) : call],
    atFew: workday(0),
    fires: { "otel-error-rate-critical": both(20, 240), "otel-error-rate-warning": both(30, 240) },
  },
  {
    name: "8 % of a provider's requests fail",
    at: on(0, 13, 15),
    change: (call, random) => [openAi(call) && random.fraction() < failing ? failed(call, "server_error", 1) : call],
    // At few requests, 8 % are above 10 % now and then.
    fires: { "otel-error-rate-warning": { 10: 40 }, "otel-error-rate-critical": { 1: 120 } },
  },
  {
    name: "slow model",
    at: on(1, 10, 11.5),
    change: (call, random) => [openAi(call) ? lasting(call, logNormal(random, 60, 0.1)) : call],
    atFew: workday(1),
    fires: { "otel-latency": both(30, 240), latency: both(80, 480) },
  },
  {
    name: "slow first tokens",
    at: on(1, 14, 15.5),
    change: (call, random) => {
      if (!openAi(call) || call.firstToken === undefined) return [call];
      const firstToken = logNormal(random, 12, 0.1);
      return [lasting({ ...call, firstToken }, firstToken + 2)];
    },
    atFew: workday(2),
    fires: { "otel-first-token": both(40, 480) },
  },
  {
    name: "runaway loop",
    at: on(2, 9.5, 13.5),
    change: (call, random) => {
      if (call.process.application !== "support-chat" || call.error) return [call];
      return Array.from({ length: 40 }, (_, index) => {
        const later = index === 0 ? 0 : random.integer(0, 90_000);
        return { ...call, start: call.start + later, end: call.end + later };
      });
    },
    atFew: workday(3),
    fires: Object.fromEntries(
      ["", "otel-"].flatMap((prefix) => [
        [`${prefix}unusual-cost`, both(60, 240)],
        [`${prefix}unusual-tokens`, both(60, 240)],
        [`${prefix}cost-per-hour`, both(60, 240)],
        [`${prefix}budget-50`, both(110, 480)],
        [`${prefix}budget-80`, both(180, 480)],
        [`${prefix}budget-100`, both(220, 480)],
        [`otel-budgets-50`, both(110, 480)],
        [`otel-budgets-80`, both(110, 480)],
        [`otel-budgets-100`, both(110, 480)],
      ]),
    ),
    // The budget is that of the day.
    lasts: Object.fromEntries(
      ["", "otel-"].flatMap((prefix) =>
        [50, 80, 100].flatMap((share) => [
          [`${prefix}budget-${share}`, 24 * 60],
          [`otel-budgets-${share}`, 24 * 60],
        ]),
      ),
    ),
  },
  {
    name: "an application's exporter stops",
    at: on(3, 10, 11.5),
    silent: { sdk: (application) => application === "shop-assistant" },
    atFew: overnight(4),
    fires: { "otel-telemetry-stopped": both(30, 25 * 60) },
  },
  {
    name: "the gateway's telemetry stops",
    at: on(3, 14, 16),
    silent: { gateway: true },
    atFew: overnight(8),
    fires: { "telemetry-stopped": both(45, 25 * 60), connection: both(75, 25 * 60) },
  },
  {
    name: "new model without a price",
    at: on(4, 9, 11),
    change: (call) => [
      openAi(call) && call.process.application === "shop-assistant" && !call.error ? { ...call, model: newModel, cost: 0 } : call,
    ],
    atFew: workday(7),
    fires: { "otel-model-without-price": both(30, 240), "tokens-without-cost": both(30, 240) },
  },
  {
    name: "all telemetry stops",
    at: on(4, 14, 15.5),
    silent: { sdk: () => true, gateway: true },
    // To the end of the timeline.
    atFew: on(10, 9, 48),
    fires: { "otel-telemetry-stopped": both(30, 25 * 60), "telemetry-stopped": both(45, 25 * 60) },
  },
  {
    name: "30 % of a provider's requests fail for 20 minutes",
    at: on(3, 12.5, 12 + 5 / 6),
    change: (call, random) => [openAi(call) && random.fraction() < 0.3 ? failed(call, "server_error", 1) : call],
    fires: { "otel-error-rate-critical": both(20), "otel-error-rate-warning": both(30) },
  },
  {
    name: "recording rules are not evaluated",
    at: on(4, 17, 18),
    silent: { recording: true },
    atFew: on(9, 14, 15),
    fires: { "otel-recording-stopped": both(25, 25) },
  },
];
