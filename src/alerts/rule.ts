/** Alert rules: what an alert watches, apart from how Grafana or Prometheus evaluates it. */
import type { Settings } from "../settings";

/** Of a rule's value and thresholds. A share of 0.05 is shown as 5 %. */
export type AlertUnit = "share" | "seconds" | "USD" | "times" | "count";

export interface AlertRule {
  /** Names the rule in Pulumi and in addresses; unique and stable, such as `error-rate-warning`. */
  id: string;
  /** The name of the alert, unique in a folder of Grafana. */
  title: string;
  /** `critical`: act now. `warning`: act today. `info`: worth knowing. */
  severity: "info" | "warning" | "critical";
  /** PromQL whose value is compared with the thresholds, one for each alert. No value: too little data for an alert. */
  query: string;
  /** The rule fires above this value. Of rules on the same value, the milder ones go on: their end would look like a recovery. */
  above: number;
  unit: AlertUnit;
  /** Minutes for which the value has to be there before the rule fires, and between two evaluations. */
  forMinutes: number;
  everyMinutes: number;
  /** What happened, one line, and what to do first. `{value}` is the value with its unit, `{{ $labels.x }}` a label of the query. */
  summary: string;
  description: string;
  /** The id of the panel that shows the value. */
  panelId: number;
  /** The section of `README.md` on what to do: the anchor of its heading. */
  runbook: string;
}

/** The limits of the rules, see the settings `alert…`. Without a budget, there are no rules for it. */
export type AlertLimits = Pick<Settings["alerts"], "window" | "errorRate" | "latency" | "costPerHour" | "budget"> & {
  budgets?: Settings["alerts"]["budgets"];
};

/** The limits as values of panels and alerts: a share of requests, and seconds. SDKs' last bound of the first token is 10.24 s. */
export const limitsOf = ({ errorRate, latency }: Pick<AlertLimits, "errorRate" | "latency">) => ({
  errorRate: errorRate / 100,
  latency,
  firstToken: Math.min(10, latency / 3),
});

/**
 * The windows of failures and of the rest, by `alertWindow`: in an hour, few requests are too few for any rule. With fewer failures, requests of a duration,
 * or tokens in an hour than the floors, there is no alert: one failed request of ten at night would be 10 %.
 */
export const windows = {
  hour: {
    failures: "30m",
    rest: "1h",
    failuresInWords: "30 minutes",
    restInWords: "hour",
    floors: { failures: 10, requests: 60, tokens: 1_000_000 },
  },
  day: {
    failures: "12h",
    rest: "1d",
    failuresInWords: "12 hours",
    restInWords: "day",
    floors: { failures: 6, requests: 20, tokens: 20_000 },
  },
} as const;

const defaults = { severity: "warning", forMinutes: 5, everyMinutes: 1 } as const;

/** An alert rule without what most have, a warning after five minutes, and without the prefixes of its telemetry. */
export type AlertDraft = Omit<AlertRule, keyof typeof defaults | "runbook"> & Partial<AlertRule>;

export const complete =
  (idPrefix: string, titlePrefix: string) =>
  ({ id, title, ...rule }: AlertDraft): AlertRule => ({
    ...defaults,
    id: `${idPrefix}${id}`,
    title: `${titlePrefix}: ${title}`,
    // Rules on the same value have one section.
    runbook: title.replace(/,.*/, "").toLowerCase().replaceAll(" ", "-"),
    ...rule,
  });
