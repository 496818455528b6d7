/** Alert rules on the telemetry of current SDKs, as recording rules write it and "GenAI Observability (OpenTelemetry)" shows it. */
import { recordedIncrease } from "../signals/counters";
import type { Naming } from "../signals/names/translate";
import { conventionLabel, type Measure, openTelemetryMeasures } from "../signals/opentelemetry-measures";
import { recordedProcesses } from "../signals/opentelemetry-rules";
import { ago, type Duration, group, isPresent, quantile } from "../signals/promql";
import { type AlertLimits, type AlertRule, complete, type RuleRecord } from "./rule";
import { spendingAlerts } from "./spending";

/** Ids of the panels, see `src/dashboards/opentelemetry.ts`. */
const panels = { requests: 9, latency: 10, firstToken: 11, tokens: 12, cost: 13 } as const;

/** A query of the requests of all SDKs in a window. */
export const openTelemetryRequests = (naming: Naming = "prometheus") => {
  return (window: Duration) => recordedIncrease(openTelemetryMeasures(naming).requests, [], window);
};

/** The applications that sent metrics in a window, whether they made requests or not. */
const senders = (window: Duration) => group(`last_over_time(${recordedProcesses}[${window}])`, "application");

export function openTelemetryAlerts(limits: AlertLimits, naming: Naming = "prometheus"): AlertRule[] {
  const { requests, latency, firstToken, tokens, cost } = openTelemetryMeasures(naming);
  const increase = (measure: Measure, window: Duration, filters: readonly string[] = [], ...by: readonly string[]) =>
    recordedIncrease(measure, filters, window, ...by);
  const [warning, critical] = [limits.alertErrorRateWarning / 100, limits.alertErrorRateCritical / 100];
  const failed = increase(requests, "30m", [isPresent(conventionLabel("error"))], "provider");

  const errorRate = {
    query: `(${failed} >= ${limits.alertMinimumFailures})\n/ ${increase(requests, "30m", [], "provider")}`,
    unit: "share",
    summary: "{value} of the requests to {{ $labels.provider }} failed in the last 30 minutes.",
    description:
      "See the errors by type on the dashboard, then the provider's status page. rate_limit: ask for a higher limit; timeout or 5xx: switch to another " +
      "provider or model; authentication: check the key.",
    panelId: panels.requests,
  } as const;
  /** The 95th percentile of an hour, with enough observations. */
  const slow = (measure: Measure, observations: string) => ({
    query: `${quantile(0.95, increase(measure, "1h", [], "le"))}\nand on () (${observations} >= ${limits.alertMinimumRequests})`,
    unit: "seconds" as const,
  });
  const findSlow = "Select the providers and models one by one on the dashboard to find the slow one";

  const rules: RuleRecord[] = [
    // Rate limits come in clusters, which pass: a warning waits for longer.
    { ...errorRate, id: "error-rate-warning", title: "Error rate, warning", forMinutes: 10, above: warning, upTo: critical },
    { ...errorRate, id: "error-rate-critical", title: "Error rate, critical", severity: "critical", above: critical },
    {
      ...slow(latency, increase(requests, "1h")),
      id: "latency",
      title: "Latency",
      above: limits.alertLatency,
      summary: "5 % of the requests to models took longer than {value} in the last hour.",
      description: `${findSlow}; its table of requests has traces.`,
      panelId: panels.latency,
    },
    {
      ...slow(firstToken, `max(${increase(firstToken, "1h", [], "le")})`),
      id: "first-token",
      title: "Time to first token",
      above: limits.alertFirstToken,
      summary: "5 % of the streamed requests waited longer than {value} for the first token in the last hour.",
      description: `${findSlow}. Long prompts are slow, too.`,
      panelId: panels.firstToken,
    },
    {
      id: "telemetry-stopped",
      title: "Telemetry stopped",
      // Jobs, and applications that scale to zero for a part of the day, are not there all day long. A new process sends nothing before its first request:
      // in each 20 minutes of two hours, there were enough.
      query: [
        `count_over_time(${senders("1h")}[1d:1h])`,
        `unless ${senders("10m")}`,
        `and on (application) max_over_time((count_over_time((${increase(requests, "20m", [], "application")} >= 4)[2h:20m]) >= 6)[3h:20m] offset 10m)`,
      ].join("\n"),
      above: 19,
      unit: "count",
      summary: "{{ $labels.application }} sends no metrics any more, although it sent some in {value} of the last 24 hours.",
      description:
        "Check whether the application runs, its log for errors of the OTLP exporter (401: the token; 400: a refused temporality), and the collector. " +
        "Removed for good: the alert ends within four hours.",
      panelId: panels.requests,
    },
    ...spendingAlerts(
      {
        cost: (window, ...by) => increase(cost, window, [], ...by),
        tokens: (window, ...by) => increase(tokens, window, [], ...by),
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
