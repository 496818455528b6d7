/** Alert rules on cost: of SDKs and the service together, or of the service alone. */
import { costOfDay, recordedBudget } from "../signals/costs";
import type { Duration } from "../signals/promql";
import type { AlertDraft, AlertLimits } from "./rule";

export interface Spending {
  /** The cost in USD of the last hour, by application. */
  cost: string;
  /** Has a value after a gap. The first sample of a counter after a gap has the increase of the whole gap. */
  gap?: string;
  /** The label of the application. */
  application: string;
  /** The cost in USD in a window: of all applications and, where their budgets are recorded, also by application. */
  budgeted: (window: Duration) => string;
  hasBudgets: boolean;
  panels: { cost: number; budget: number };
  variables: Readonly<Record<string, string>>;
}

/**
 * A cost is unusual from so many times the busiest hour of a week on. Batch jobs at the end of a month cost three to four times as much.
 */
const unusual = 5;

const look =
  "See the graph Cost by Model, then set By to Application. Of the service: Usage cost by Application and by Provider in LLM Monitoring.";

const causes =
  "More requests: a loop or a job, so stop or limit it. The same requests: a dearer model or longer prompts of the last deployment.";

export function spendingAlerts(spending: Spending, { budget }: AlertLimits): AlertDraft[] {
  const { cost, gap, application, budgeted, hasBudgets, panels, variables } = spending;
  const budgets = [...(hasBudgets ? [recordedBudget] : []), ...(budget === undefined ? [] : [`vector(${budget})`])];
  const unusualCost: AlertDraft = {
    title: "UnusualCost",
    runbook: "UnusualCost",
    query: [
      `${cost} > ${unusual} * max_over_time(${cost}[1w:1h] offset 1d)`,
      `and on (${application}) count_over_time(${cost}[1w:1h] offset 7d)`,
      ...(gap ? [`unless on (${application}) (${gap})`] : []),
    ].join("\n"),
    above: 1,
    unit: "USD",
    everyMinutes: 5,
    summary: "An application costs several times as much as in its busiest hour of a week.",
    what: `{${application}} cost {value} in the last hour, more than ${unusual} times as much as in its busiest hour of a week.`,
    steps: [look, causes, "Expected growth: the alert ends after a day, so silence it by its application."],
    panelId: panels.cost,
    variables,
  };
  const budgetOfDay: AlertDraft = {
    title: "Budget",
    runbook: "Budget",
    query: `${costOfDay(budgeted, application)}\n/ on (${application}) ${budgets.length > 1 ? `(${budgets.join(" or ")})` : budgets[0]}`,
    above: 0.8,
    criticalFrom: 1,
    unit: "share",
    forMinutes: 0,
    everyMinutes: 5,
    summary: "The budget of a day is nearly used, or exceeded.",
    what: `{value} of today's budget of {${application}|all applications} is used. Days begin at midnight UTC.`,
    steps: [look, causes, "Expected: raise alertBudget, or the application in alertBudgets."],
    panelId: panels.budget,
    from: "now/d",
    variables,
  };
  return budgets.length > 0 ? [budgetOfDay, unusualCost] : [unusualCost];
}
