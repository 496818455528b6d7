/** Alert rules: what an alert watches, apart from how Grafana or Prometheus evaluates it. Pure. */
import type { Settings } from "../settings/keys";

/** `critical`: act now. `warning`: act today. `info`: worth knowing. */
export type Severity = "info" | "warning" | "critical";

/** Of a rule's value and thresholds. A share of 0.05 is shown as 5 %. */
export type AlertUnit = "share" | "seconds" | "USD" | "times" | "tokens" | "requests" | "count";

export interface AlertRule {
  /** Names the rule in Pulumi and in addresses; unique and stable, such as `error-rate-warning`. */
  id: string;
  /** The name of the alert, unique in a folder of Grafana. */
  title: string;
  severity: Severity;
  /** PromQL whose value is compared with the thresholds, one for each alert. No value: too little data for an alert. */
  query: string;
  /** The rule fires above this value, and up to the other one, from which a rule of a higher severity fires instead. */
  above: number;
  upTo?: number;
  unit: AlertUnit;
  /** Minutes for which the value has to be there before the rule fires, and between two evaluations. */
  forMinutes: number;
  everyMinutes: number;
  /** What happened, one line, and what to do first. `{value}` is the value with its unit, `{{ $labels.x }}` a label of the query. */
  summary: string;
  description: string;
  /** The id of the panel that shows the value. */
  panelId: number;
}

/** The settings with limits of the rules. Without `alertBudget`, there are no rules for a budget. */
export type AlertLimits = Pick<
  Settings,
  | `alert${"ErrorRateWarning" | "ErrorRateCritical" | "Latency" | "FirstToken" | "CostPerHour" | "Budget"}`
  | `alertMinimum${"Failures" | "Requests" | "Tokens"}`
>;

const defaults = { severity: "warning", forMinutes: 5, everyMinutes: 1 } as const;

/** A rule without what most have, a warning after five minutes, and without the prefixes of its telemetry. */
export type RuleRecord = Omit<AlertRule, keyof typeof defaults> & Partial<AlertRule>;

export const complete =
  (idPrefix: string, titlePrefix: string) =>
  ({ id, title, ...rule }: RuleRecord): AlertRule => ({ ...defaults, id: `${idPrefix}${id}`, title: `${titlePrefix}: ${title}`, ...rule });
