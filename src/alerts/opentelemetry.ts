/** Alert rules on the telemetry of current SDKs, as recording rules write it and "GenAI Observability (OpenTelemetry)" shows it. */
import { recordedCost, recordedPrice, recordedUnpriced, usedBudget } from "../signals/costs";
import { recordedIncrease as increase } from "../signals/counters";
import type { Naming } from "../signals/names/translate";
import { conventionLabel, type Measure, measures, sourceLabel } from "../signals/opentelemetry-measures";
import { openTelemetryCounters, recordedProcesses } from "../signals/opentelemetry-rules";
import { isRequest } from "../signals/opentelemetry-sources";
import { ago, type Duration, group, isPresent, lastState, quantile } from "../signals/promql";
import { type AlertDraft, type AlertLimits, type AlertRule, complete, limitsOf, windows } from "./rule";
import { spendingAlerts } from "./spending";

/** Ids of the panels, see `src/dashboards/opentelemetry.ts`. */
const panels = { requests: 9, errors: 41, latency: 10, firstToken: 11, tokens: 12, cost: 13, unpriced: 37, budgets: 38 } as const;

/** A query of the requests of all SDKs in a window. */
export const openTelemetryRequests = (window: Duration) => increase(measures.requests, window);

/** The applications that sent metrics in a window, whether they made requests or not. */
const senders = (window: Duration) => group(`last_over_time(${recordedProcesses}[${window}])`, "application");

export function openTelemetryAlerts(limits: AlertLimits, naming: Naming): AlertRule[] {
  const { requests, latency, firstToken, tokens } = measures;
  const shown = limitsOf(limits);
  const { failures, rest, failuresInWords, restInWords, floors } = windows[limits.window];
  const failed = (window: Duration) => increase(requests, window, [isPresent(conventionLabel("error"))], "provider");
  // At few requests, failures in several minutes count, too. A cluster of rate limits is one minute.
  const failingMinutes = `count_over_time((${failed("1m")} > 0)[${failures}:1m]) >= ${Math.ceil(floors.failures / 2)}`;

  const errorRate = {
    query: [
      "(",
      `  ${failed(failures)} >= ${floors.failures}`,
      `  or ${failed(failures)} and on (provider) ${failingMinutes}`,
      `)\n/ ${increase(requests, failures, [], "provider")}`,
    ].join("\n"),
    unit: "share",
    summary: `In the last ${failuresInWords}, {value} of the requests to {{ $labels.provider }} failed.`,
    description:
      "See the failed requests on the dashboard, then the provider's status page. rate_limit: ask for a higher limit; timeout or 5xx: switch to another " +
      "provider or model; authentication: check the key.",
    panelId: panels.errors,
  } as const;
  /** The 95th percentile, with enough observations. */
  const slow = (measure: Measure, observations: string) => ({
    // Histograms of different sources can have different bounds and not be added.
    query: `max(${quantile(0.95, increase(measure, rest, [], "le", sourceLabel))})\nand on () (${observations} >= ${floors.requests})`,
    unit: "seconds" as const,
  });
  const findSlow = "The first table of the dashboard shows the slow model or application in red";

  const counters = new Set(openTelemetryCounters(naming).map(({ series }) => series.replace(/_count$/, "")));
  // Jobs, and applications that scale to zero at night, stop each day: they send in fewer hours.
  const hoursOfDay = `count_over_time(${senders("1h")}[1d:1h]`;
  const requestsOf = (window: Duration) => increase(requests, window, [], "application");
  // A new process sends nothing before its first request: in each 20 minutes of two hours, there were enough. Requests are recorded for three hours after
  // the last sample: without them, nothing is recorded at all.
  const stopped = [
    `${hoursOfDay}) >= 20`,
    `and on (application) max_over_time((count_over_time((${requestsOf("20m")} >= 4)[2h:20m]) >= 6)[3h:20m] offset 10m)`,
    `and on (application) ${requestsOf("10m")}`,
  ].join("\n");
  const stoppedForADay = [
    `${hoursOfDay} offset 1d) >= 20`,
    `unless on (application) ${senders("1d")}`,
    `and on (application) (${ago(requestsOf("1d"), "7d")} >= 10)`,
  ].join("\n");

  const rules: AlertDraft[] = [
    // Rate limits come in clusters, which pass: a warning waits for longer.
    { ...errorRate, id: "error-rate-warning", title: "Error rate, warning", forMinutes: 10, above: shown.errorRate },
    {
      ...errorRate,
      id: "error-rate-critical",
      title: "Error rate, critical",
      severity: "critical",
      forMinutes: 2,
      above: 2 * shown.errorRate,
    },
    {
      ...slow(latency, increase(requests, rest)),
      id: "latency",
      title: "Latency",
      above: shown.latency,
      summary: `In the last ${restInWords}, 5 % of the requests to models took longer than {value}.`,
      description: `${findSlow}; the table of slow requests has traces.`,
      panelId: panels.latency,
    },
    {
      ...slow(firstToken, `sum(max by (${sourceLabel}) (${increase(firstToken, rest, [], "le", sourceLabel)}))`),
      id: "first-token",
      title: "Time to first token",
      above: shown.firstToken,
      summary: `In the last ${restInWords}, 5 % of the streamed requests waited longer than {value} for the first token.`,
      description: `${findSlow}. Long prompts are slow, too.`,
      panelId: panels.firstToken,
    },
    {
      id: "telemetry-stopped",
      title: "Telemetry stopped",
      query: lastState(senders("10m"), limits.window === "hour" ? stopped : stoppedForADay, "1d"),
      above: 19,
      unit: "count",
      summary: "{{ $labels.application }} sends no metrics any more, although it sent some in {value} hours of a day.",
      description:
        "Check whether the application runs, its log for errors of the OTLP exporter (401: the token; 400: a refused temporality), and the collector. " +
        "Removed for good: the alert ends within two days.",
      panelId: panels.requests,
    },
    {
      id: "recording-stopped",
      title: "Recording stopped",
      severity: "critical",
      // Prices are recorded in each evaluation, requests while processes send.
      query: [
        `count(last_over_time({__name__=~"(${[...counters].join("|")})(_count)?",${isRequest}}[5m]))`,
        `unless on () (max(count_over_time(${recordedPrice}[10m])) >= 9 and on () ${increase(requests, "10m")})`,
      ].join("\n"),
      above: 0,
      unit: "count",
      forMinutes: 10,
      summary:
        "SDKs send {value} series of requests, but recording rules do not write each minute: other alerts on SDKs see too little, or nothing.",
      description:
        "recordingRules grafana: npm run doctor tells Grafana's error. external: does the server load the file that npm run rules wrote?",
      panelId: panels.requests,
    },
    ...spendingAlerts(
      {
        cost: (window, ...by) => increase({ recorded: recordedCost }, window, [], ...by),
        tokens: (window, ...by) => increase(tokens, window, [], ...by),
        unpriced: (window, ...by) => increase({ recorded: recordedUnpriced }, window, [], ...by),
        usedBudgets: usedBudget(),
        labels: { application: "application", provider: "provider", model: "model" },
        // The first samples after a gap have the increase of the whole gap.
        withoutGap: `and on (application) ${ago(senders("10m"), "1h")}`,
        panels,
      },
      limits,
    ),
  ];
  return rules.map(complete("otel-", "GenAI"));
}
