/** What goes wrong, when, and which alerts are for it. The times are of the days after the normal weeks, the first of which is a Monday. */
import { openTelemetryAlerts } from "../../../src/alerts/opentelemetry";
import { serviceAlerts } from "../../../src/alerts/service";
import { service } from "../telemetry/service";
import type { Loss } from "./recorded";
import { day, type Effect, type Rate, type Target } from "./world";

/** Minutes within which the rule fires, by rate. A rate that is missing has too few requests for it. */
type Within = Partial<Record<Rate, number>>;

export interface Story {
  name: string;
  /** Minutes from the first day. */
  from: number;
  to: number;
  effect?: (target: Target) => Effect | undefined;
  loss?: Loss;
  isReplaced?: (target: Target) => boolean;
  fires: Readonly<Record<string, Within>>;
  /** Minutes after the end by which each alert has ended. */
  ends: number;
  /** The groups of alerts, and the messages about them, at most. Defaults to one, and to six. */
  groups?: number;
  messages?: number;
}

/** From an hour to another one of a day. */
const on = (index: number, from: number, to: number) => ({ from: index * day + from * 60, to: index * day + to * 60 });
const within = (few: number | undefined, some: number | undefined, medium: number, large?: number): Within => ({
  ...(few && { "30 a day": few }),
  ...(some && { "200 a day": some }),
  "10 a minute": medium,
  ...(large && { "50 a second": large }),
});
const isOf = (key: "application" | "provider" | "model", value: string) => (target: Target) => target[key] === value;
const fails =
  (matches: (target: Target) => boolean, share = 1) =>
  (target: Target) =>
    matches(target) ? { fails: share } : undefined;

export const storyDays = 18;

export const stories: readonly Story[] = [
  {
    ...{ name: "outage of a provider, 2 h", ...on(0, 10, 12), effect: fails(isOf("provider", "openai")) },
    ...{ fires: { errors: within(120, 40, 12, 8) }, ends: 60, messages: 8 },
  },
  {
    ...{ name: "outage of a provider, 10 min", ...on(0, 15, 15 + 1 / 6), effect: fails(isOf("provider", "openai")) },
    ...{ fires: { errors: within(0, 0, 12, 8) }, ends: 25 },
  },
  {
    ...{ name: "the key of an application is revoked", ...on(1, 10, 13), effect: fails(isOf("application", "support-chat")) },
    ...{ fires: { errors: within(120, 80, 20, 12) }, ends: 50, groups: 2, messages: 12 },
  },
  {
    ...{ name: "the key of a small application is revoked", ...on(2, 19, 23), effect: fails(isOf("application", "invoice")) },
    ...{ fires: { errors: within(0, 0, 45, 15) }, ends: 50 },
  },
  {
    ...{ name: "20 % of a provider are rate-limited", ...on(1, 15, 17), effect: fails(isOf("provider", "openai"), 0.2) },
    ...{ fires: { errors: within(0, 0, 32, 32) }, ends: 25, messages: 8 },
  },
  {
    ...{ name: "a model is removed", ...on(3, 15, 18), effect: fails(isOf("model", "claude-sonnet-4")) },
    ...{ fires: { errors: within(0, 60, 20, 15) }, ends: 35 },
  },
  {
    ...{ name: "slow model beside fast embeddings", ...on(2, 10, 13) },
    effect: ({ model }) => (model === "gpt-4.1" ? { seconds: 78 } : undefined),
    ...{ fires: { slow: within(175, 80, 50, 45), "service-slow": within(175, 70, 70) }, ends: 80, groups: 2, messages: 12 },
  },
  {
    ...{ name: "slow first tokens", ...on(2, 15, 18), effect: ({ model }) => (model === "gpt-4.1" ? { firstToken: 20 } : undefined) },
    ...{ fires: { "slow-first-token": within(0, 120, 50, 45) }, ends: 130 },
  },
  {
    ...{ name: "runaway loop", ...on(3, 9, 13), effect: ({ application }) => (application === "support-chat" ? { times: 40 } : undefined) },
    ...{ fires: { budget: within(120, 60, 60, 60), "unusual-cost": within(0, 0, 35, 30) }, ends: 11 * 60 + 10, groups: 2, messages: 8 },
  },
  {
    ...{ name: "model without a price", ...on(4, 9, 19) },
    isReplaced: ({ application, model }) => application === "shop-assistant" && model === "gpt-4.1",
    fires: { "model-without-price": within(0, 140, 20, 20), "service-tokens-without-cost": within(0, 190, 90) },
    ...{ ends: 12 * 60 + 20, groups: 2 },
  },
  {
    ...{ name: "recording rules are not evaluated", ...on(4, 20, 21), loss: { recorded: 0 } },
    ...{ fires: { "recording-incomplete": within(24, 24, 24, 24) }, ends: 20 },
  },
  {
    ...{ name: "recording rules write each third minute", ...on(4, 21.5, 24), loss: { recorded: 3 } },
    ...{ fires: { "recording-incomplete": within(25, 25, 25, 25) }, ends: 20 },
  },
  {
    ...{ name: "an application's telemetry stops", ...on(7, 10, 34), loss: { sdk: "shop-assistant" } },
    ...{ fires: { "telemetry-stopped": within(330, 120, 40, 40) }, ends: 15 },
  },
  {
    ...{ name: "all telemetry stops", ...on(9, 10, 40), loss: { sdk: "all", service: true } },
    ...{ fires: { "all-telemetry-stopped": within(180, 60, 40, 40), "service-telemetry-stopped": {} }, ends: 15, groups: 2 },
  },
  {
    ...{ name: "the service's telemetry stops", ...on(11, 10, 36), loss: { service: true } },
    ...{ fires: { "service-connection-lost": within(0, 140, 140), "service-telemetry-stopped": {} }, groups: 2, ends: 30 },
  },
  {
    ...{ name: "2 % of a provider fail for three days", ...on(14, 0, 72), effect: fails(isOf("provider", "anthropic"), 0.02) },
    ...{ fires: { "errors-lasting": within(0, 0, 1440, 1440) }, ends: 24 * 60, messages: 16 },
  },
];

export const storyAt = (minute: number) => stories.filter(({ from, to }) => minute >= from && minute < to);

/** USD: three normal days of all applications, and of one beside a large budget of another one. */
const budgets: Record<Rate, [all: number, one: number]> = {
  "30 a day": [0.75, 0.2],
  "200 a day": [2.5, 0.8],
  "10 a minute": [220, 40],
  "50 a second": [80_000, 9000],
};

/** The settings' defaults, with budgets. */
export const limitsAt = (rate: Rate) => {
  const [budget, one] = budgets[rate];
  return { errorRate: 1, latency: 30, budget, budgets: { "support-chat": one, "shop-assistant": 1000 * one } };
};

/** The service does not write 50 samples a second. */
export const hasService = (rate: Rate) => rate !== "50 a second";

/** The rules as a stack deploys them. */
export function rulesAt(rate: Rate) {
  const ofService = serviceAlerts(service, limitsAt(rate), true).map((rule) => ({ ...rule, id: `service-${rule.id}` }));
  return [...openTelemetryAlerts(limitsAt(rate)), ...(hasService(rate) ? ofService : [])];
}
