/** Alert rules: what an alert watches, apart from how Grafana or Prometheus evaluates it. */
import type { Settings } from "../settings";

/** Of a rule's value and threshold. A share of 0.05 is shown as 5 %. */
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
  /** PromQL whose value is compared with the threshold, for each alert. No value: nothing to watch. */
  query: string;
  /** The rule fires above this value. */
  above: number;
  unit: AlertUnit;
  /** Minutes: for how long the value has to be above before the rule fires, how long it fires afterwards, and from one evaluation to the next. */
  forMinutes: number;
  keepMinutes: number;
  everyMinutes: number;
  /** What the rule is about, one sentence: Grafana shows it as the headline of the rule. */
  summary: string;
  /** What happened. `{value}` is the value with its unit, `{{ $labels.x }}` a label of the query. */
  what: string;
  /** What to do: one sentence each, in this order. */
  steps: readonly [string, string, string];
  /** The heading of the steps in `README.md`. */
  runbook: string;
  /** The id of the panel that shows the value, and the dashboard's variables with the labels of the alert that select them. */
  panelId: number;
  variables: Readonly<Record<string, string>>;
}

/** The limits of the rules, see the settings `alert…`. Without a budget, there are no rules for it. */
export type AlertLimits = Pick<Settings["alerts"], "errorRate" | "latency" | "budget" | "budgets">;

/**
 * The limits as values of panels and alerts: a share of requests, and seconds. At 15 times the objective, the failures of two days are those that a month may
 * have; twice the objective is too much if it lasts. Histograms of first tokens end at 10 s.
 */
export const limitsOf = ({ errorRate, latency }: Pick<AlertLimits, "errorRate" | "latency">) => ({
  errorRate: (2 * errorRate) / 100,
  outage: (15 * errorRate) / 100,
  latency,
  firstToken: Math.min(9.9, latency / 3),
});

const defaults = { severity: "warning", forMinutes: 5, keepMinutes: 0, everyMinutes: 1 } as const;

/** An alert rule without what most have: a warning after five minutes, evaluated each minute. Its title has no prefix. */
export type AlertDraft = Omit<AlertRule, keyof typeof defaults | "id" | "runbook"> & Partial<AlertRule>;

/**
 * @param prefix of titles, such as `GenAI`
 * @param runbooks the same of the headings of runbooks
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

/** The address of a rule's runbook. */
export const runbookLink = (address: string, { runbook }: AlertRule) => `${address}#${runbook.toLowerCase()}`;
