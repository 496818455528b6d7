/** Alert rules about cost and tokens, the same for both kinds of telemetry. */
import { ago, type Duration, indent, sum } from "../signals/promql";
import type { AlertLimits, AlertRule } from "./rule";

/** A kind of telemetry, as far as it tells costs and tokens. */
export interface Spending {
  /** Starts the rules' ids. */
  idPrefix: string;
  /** Starts the rules' titles. */
  titlePrefix: string;
  /** USD in a window, in total or by labels. */
  cost: (window: Duration, ...by: readonly string[]) => string;
  /** Tokens in a window. */
  tokens: (window: Duration, ...by: readonly string[]) => string;
  labels: Record<"application" | "provider" | "model", string>;
  /** Selects applications whose telemetry had no gap in the last hour. */
  withoutGap?: string;
  /** Ids of the panels that show them. */
  panels: Record<"cost" | "tokens", number>;
}

/** Times the usual, from which cost and tokens are unusual. */
const unusual = 3;

/** Tokens of a model in an hour, below which a missing cost is no alert. */
const unpricedTokens = 10_000;

/** Days are those of UTC. The sample at midnight is that of the day that ends. */
const secondsOfDay = "((time() - 1) % 86400 + 1)";
const day = 'count_values("day", floor(vector((time() - 1) / 86400)))';

/** The cost since midnight (UTC), in steps of ten minutes. The label keeps the days apart. */
const costOfDay = ({ cost }: Spending) =>
  sum(`\n  sum_over_time((\n${indent(indent(`${cost("10m")}\n* on () group_left (day) ${day}`))}\n  )[1d:10m])\n  and on (day) ${day}\n`);

export function spendingAlerts(spending: Spending, limits: AlertLimits): AlertRule[] {
  const { idPrefix, titlePrefix, cost, tokens, labels, panels } = spending;
  const { application, provider, model } = labels;
  const label = (name: string) => `{{ $labels.${name} }}`;
  const rule = (id: string, title: string, rest: Omit<AlertRule, "id" | "title">): AlertRule => ({
    id: `${idPrefix}${id}`,
    title: `${titlePrefix}: ${title}`,
    ...rest,
  });

  /** The value is that of the last hour, in times the value of yesterday. */
  const comparedWithUsual = (lastHour: string, floor: number) =>
    `((${lastHour} >= ${floor})\n> ${unusual} * ${ago(lastHour, "7d")})\n/ ${ago(lastHour, "1d")}${spending.withoutGap ? `\n${spending.withoutGap}` : ""}`;

  return [
    rule("cost-per-hour", "Cost per hour", {
      severity: "warning",
      query: cost("1h"),
      above: limits.costPerHour,
      unit: "USD",
      forMinutes: 0,
      everyMinutes: 5,
      summary: `Requests cost {value} in the last hour, more than ${limits.costPerHour} USD.`,
      description: "Find the model and the application with the highest cost on the dashboard. Expected: raise alertCostPerHour.",
      panelId: panels.cost,
    }),
    ...budgetAlerts(spending, limits).map(({ id, title, ...rest }) => rule(id, title, rest)),
    rule("unusual-cost", "Unusual cost", {
      severity: "warning",
      query: comparedWithUsual(cost("1h", application), limits.costPerHour / 2),
      above: unusual,
      unit: "times",
      forMinutes: 5,
      everyMinutes: 5,
      summary: `${label(application)} cost {value} as much in the last hour as in the same hour yesterday, and more than ${unusual} times that of last week.`,
      description: "Select the application on the dashboard. A loop shows as many requests, a new prompt as more tokens per request.",
      panelId: panels.cost,
    }),
    rule("unusual-tokens", "Unusual tokens", {
      severity: "warning",
      query: comparedWithUsual(tokens("1h", application), limits.minimumTokens),
      above: unusual,
      unit: "times",
      forMinutes: 5,
      everyMinutes: 5,
      summary: `${label(application)} used {value} as many tokens in the last hour as in the same hour yesterday, and more than ${unusual} times those of last week.`,
      description: "Select the application on the dashboard. A loop shows as many requests, a new prompt as more tokens per request.",
      panelId: panels.tokens,
    }),
    rule("tokens-without-cost", "Tokens without cost", {
      severity: "info",
      query: [
        `(${tokens("1h", application, provider, model)} > ${unpricedTokens})`,
        `unless on (${application}, ${provider}, ${model}) (${cost("1h", application, provider, model)} > 0)`,
        `and on (${application}, ${provider}) (${cost("1d", application, provider)} > 0)`,
      ].join("\n"),
      above: unpricedTokens,
      unit: "tokens",
      forMinutes: 0,
      everyMinutes: 10,
      summary: `${label(application)} used {value} tokens of ${label(model)} (${label(provider)}) in the last hour without a cost.`,
      description: "The price list of the SDK, gateway or service lacks the model, so costs and budgets are too low. Add the price there.",
      panelId: panels.cost,
    }),
  ];
}

/** The rules for the budget of a day. Only the highest one of the shares fires. */
function budgetAlerts(spending: Spending, { budget }: AlertLimits): AlertRule[] {
  if (budget === undefined) return [];
  const used = `${costOfDay(spending)} / ${budget}`;
  const ofDay = { query: used, unit: "share", forMinutes: 0, everyMinutes: 10, panelId: spending.panels.cost } as const;
  const description = "Days begin at midnight UTC. Find the model and the application with the highest cost on the dashboard.";
  const usedUp = { summary: `{value} of today's budget of ${budget} USD is used.`, description };
  return [
    { ...ofDay, ...usedUp, id: "budget-50", title: "Budget, 50 %", severity: "info", above: 0.5, upTo: 0.8 },
    { ...ofDay, ...usedUp, id: "budget-80", title: "Budget, 80 %", severity: "warning", above: 0.8, upTo: 1 },
    { ...ofDay, ...usedUp, id: "budget-100", title: "Budget, 100 %", severity: "critical", above: 1 },
    {
      ...ofDay,
      id: "budget-projection",
      title: "Budget, projection",
      severity: "warning",
      // Half of the budget: the pace of the first hours says little about the day.
      query: `((${used} >= 0.5) <= 1)\n* 86400 / ${secondsOfDay}`,
      above: 1,
      forMinutes: 10,
      summary: `At the pace of today, the day ends at {value} of the budget of ${budget} USD.`,
      description,
    },
  ];
}
