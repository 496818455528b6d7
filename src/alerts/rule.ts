/** Alert rules: what an alert watches, apart from how Grafana or Prometheus evaluates it. Pure. */

export const severities = ["info", "warning", "critical"] as const;

/** `critical`: act now. `warning`: act today. `info`: worth knowing. */
export type Severity = (typeof severities)[number];

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
  /** The rule fires above this value … */
  above: number;
  /** … and up to this one, from which a rule of a higher severity fires instead. Defaults to no limit. */
  upTo?: number;
  unit: AlertUnit;
  /** Minutes for which the value has to be there before the rule fires. */
  forMinutes: number;
  /** Minutes between two evaluations. */
  everyMinutes: number;
  /** What happened, one line. `{value}` is the value with its unit, `{{ $labels.x }}` a label of the query. */
  summary: string;
  /** What to do first. The same placeholders. */
  description: string;
  /** The id of the panel that shows the value. */
  panelId: number;
}

/** Limits of the rules; the settings have the defaults. */
export interface AlertLimits {
  /** Shares of failed requests. */
  errorRateWarning: number;
  errorRateCritical: number;
  /** Seconds. */
  latency: number;
  /** Seconds until the first token. */
  firstToken: number;
  /** USD. */
  costPerHour: number;
  /** USD a day (UTC). Without it, there are no rules for a budget. */
  budget?: number | undefined;
  /** Failed requests below which an error rate is no alert. */
  minimumFailures: number;
  /** Requests below which a percentile or a mean is no alert. */
  minimumRequests: number;
  /** Tokens in an hour below which their increase is no alert. */
  minimumTokens: number;
}
