/** Alert rules about cost and tokens, the same for both kinds of telemetry. */
import { costOfDay } from "../signals/costs";
import type { Duration } from "../signals/promql";
import { type AlertDraft, type AlertLimits, windows } from "./rule";

/** A kind of telemetry: USD and tokens in a window, in total or by labels; the panels that show them. */
export interface Spending {
  cost: (window: Duration, ...by: readonly string[]) => string;
  tokens: (window: Duration, ...by: readonly string[]) => string;
  /** Tokens of models without a price. Without such series, those whose cost is missing. */
  unpriced?: (window: Duration, ...by: readonly string[]) => string;
  labels: Record<"application" | "provider" | "model", string>;
  /** Selects applications whose telemetry had no gap in the last hour. */
  withoutGap?: string;
  panels: Record<"cost" | "tokens", number> & { unpriced?: number; budgets?: number };
  /** The part of each application's budget that is used today. */
  usedBudgets?: string;
}

/** Times the usual, from which cost and tokens are unusual. */
const unusual = 3;

/** A label of the alert, in a text. */
const label = (name: string) => `{{ $labels.${name} }}`;

export function spendingAlerts(spending: Spending, limits: AlertLimits): AlertDraft[] {
  const { cost, tokens, labels, panels, withoutGap } = spending;
  const { application } = labels;
  const { floors } = windows[limits.window];

  /** The busiest hour of a day: at few requests, the same hour of a day can have one request or none. */
  const busiest = (hour: string, daysAgo: "1d" | "7d") => `max_over_time(${hour}[1d:10m] offset ${daysAgo})`;

  /** The value is that of the last hour, in times the busiest one. An application that was idle has hours of 0. */
  const unusualAlert = (what: "cost" | "tokens", lastHour: string, floor: number, words: [used: string, those: string]) => ({
    id: `unusual-${what}`,
    title: `Unusual ${what}`,
    query:
      `((${lastHour} >= ${floor})\n> ${unusual} * ${busiest(lastHour, "7d")})\n/ (${busiest(lastHour, "1d")} > 0)` +
      (withoutGap ? `\n${withoutGap}` : ""),
    above: unusual,
    unit: "times" as const,
    everyMinutes: 5,
    summary: `${label(application)} ${words[0]} in the last hour as in the busiest hour of the day before, and more than ${unusual} times ${words[1]} of last week.`,
    description: "Select the application on the dashboard. A loop shows as many requests, a new prompt as more tokens per request.",
    panelId: panels[what],
  });

  return [
    {
      id: "cost-per-hour",
      title: "Cost per hour",
      query: cost("1h"),
      above: limits.costPerHour,
      unit: "USD",
      forMinutes: 0,
      everyMinutes: 5,
      summary: `Requests cost {value} in the last hour, more than ${limits.costPerHour} USD.`,
      description: "Find the model and the application with the highest cost on the dashboard. Expected: raise alertCostPerHour.",
      panelId: panels.cost,
    },
    ...budgetAlerts(spending, limits),
    unusualAlert("cost", cost("1h", application), limits.costPerHour / 2, ["cost {value} as much", "that"]),
    unusualAlert("tokens", tokens("1h", application), floors.tokens, ["used {value} as many tokens", "those"]),
    unpricedAlert(spending, floors.tokens / 100),
  ];
}

/** @param floor tokens of a model in an hour below which a missing cost is no alert */
function unpricedAlert({ cost, tokens, unpriced, labels, panels }: Spending, floor: number): AlertDraft {
  const { application, provider, model } = labels;
  const all = [application, provider, model];
  const withoutCost = [
    `(${tokens("1h", ...all)} > ${floor})`,
    `unless on (${all.join(", ")}) (${cost("1h", ...all)} > 0)`,
    `and on (${application}, ${provider}) (${cost("1d", application, provider)} > 0)`,
  ].join("\n");
  return {
    ...(unpriced
      ? { id: "model-without-price", title: "Model without price" }
      : { id: "tokens-without-cost", title: "Tokens without cost" }),
    severity: "info",
    query: unpriced ? unpriced("1h", ...all) : withoutCost,
    above: floor,
    unit: "count",
    forMinutes: 0,
    everyMinutes: 10,
    summary: `${label(application)} used {value} tokens of ${label(model)} (${label(provider)}) in the last hour without a cost.`,
    description: unpriced
      ? "The model has no price, so costs and budgets are too low. Set it, in USD per million tokens, 0 for a local model: " +
        `npx pulumi config set --path 'prices["${label(model)}"].input' 2.5, and the same for output.`
      : "The price list of the gateway or service lacks the model, so costs and budgets are too low. Add the price there.",
    panelId: panels.unpriced ?? panels.cost,
  };
}

/** The rules for the budget of a day. */
function budgetAlerts({ cost, usedBudgets, panels, labels }: Spending, { budget, budgets }: AlertLimits): AlertDraft[] {
  const severities = { 50: "info", 80: "warning", 100: "critical" } as const;
  const rules = (id: string, title: string, query: string, of: string, panelId: number) =>
    Object.entries(severities).map(
      ([percent, severity]): AlertDraft => ({
        id: `${id}-${percent}`,
        title: `${title}, ${percent} %`,
        severity,
        query,
        above: Number(percent) / 100,
        unit: "share",
        forMinutes: 0,
        everyMinutes: 5,
        summary: `Of today's budget of ${of}, {value} is used.`,
        description: "Days begin at midnight UTC. Find the model and the application with the highest cost on the dashboard.",
        panelId,
        runbook: "budget",
      }),
    );
  const { budgets: panel = panels.cost } = panels;
  const isSet = Object.keys(budgets ?? {}).length > 0;
  return [
    ...(budget === undefined ? [] : rules("budget", "Budget", `${costOfDay(cost)} / ${budget}`, `${budget} USD`, panels.cost)),
    ...(isSet && usedBudgets ? rules("budgets", "Budget by application", usedBudgets, label(labels.application), panel) : []),
  ];
}
