/** Alert rules, for Grafana and for Prometheus. */
import type { Settings } from "../settings";

/** The unit of a rule's value and threshold. Texts show a share of 0.05 as 5 %. */
export type AlertUnit = "share" | "seconds" | "USD" | "count";

export interface AlertRule {
  /** Names the rule in Pulumi; unique and stable, such as `errors-lasting`. */
  id: string;
  /** The name of the alert, unique in a folder of Grafana, such as `GenAIErrorsLasting`. */
  title: string;
  /** `critical`: somebody has to get up now. `warning`: in working hours. */
  severity: "warning" | "critical";
  /** The rule is critical from this value on, and a warning below it. */
  criticalFrom?: number;
  /** PromQL. Each series of the result is compared with the threshold. */
  query: string;
  /** The rule fires above this value. */
  above: number;
  unit: AlertUnit;
  /** Minutes with a value above the threshold before the rule fires. */
  forMinutes: number;
  /** Minutes for which the rule goes on firing afterwards. */
  keepMinutes: number;
  /** Minutes from one evaluation to the next. */
  everyMinutes: number;
  /** One sentence about the rule. Grafana shows it as the headline. */
  summary: string;
  /** What happened. `{value}` is the value with its unit, `{model}` a label of the query, `{model|all models}` one that can be missing. */
  what: string;
  /** What to do, one step each, in this order. */
  steps: readonly [string, string, string];
  /** The heading of the steps in `README.md`. */
  runbook: string;
  /** The id of the panel that shows the value. */
  panelId: number;
  /** The begin of the dashboard's time range. Days begin at midnight UTC. */
  from: "now-24h" | "now-7d" | "now-8d" | "now/d";
  /** The variables of the dashboard, each with the label of the alert that sets it. */
  variables: Readonly<Record<string, string>>;
}

/** The limits of the rules, from the settings `alert…`. Without a budget, there are no rules for it. */
export type AlertLimits = Pick<Settings["alerts"], "errorRate" | "latency" | "budget" | "budgets">;

const defaults = {
  severity: "warning",
  unit: "count",
  forMinutes: 5,
  keepMinutes: 0,
  everyMinutes: 1,
  from: "now-24h",
  variables: {},
} as const;

/** An alert rule without its prefix. By default, it is a warning on a number, after five minutes, evaluated each minute. */
export type AlertDraft = Omit<AlertRule, keyof typeof defaults | "id" | "runbook"> & Partial<AlertRule>;

/**
 * Adds the defaults and the prefix.
 *
 * @param prefix the prefix of titles, such as `GenAI`
 * @param runbooks the prefix of the headings of runbooks. Defaults to the prefix of titles.
 */
export const complete =
  (prefix: string, runbooks = prefix) =>
  ({ title, ...rule }: AlertDraft): AlertRule => ({
    ...defaults,
    id: title.replace(/(?!^)[A-Z]/g, "-$&").toLowerCase(),
    title: `${prefix}${title}`,
    runbook: `${runbooks}${title}`,
    ...rule,
  });
