/** Alert rules on the service's samples, which "LLM Monitoring" shows (spec 2.2). The samples contain neither failures nor times to the first token. */
import { serviceSamples } from "../signals/llm-monitoring";
import { ago, type Duration, lastState, sum } from "../signals/promql";
import { type AlertDraft, type AlertLimits, type AlertRule, complete, windows } from "./rule";
import { spendingAlerts } from "./spending";

/** Ids of the panels, see `src/dashboards/llm-monitoring.ts`. */
const panels = { duration: 2, cost: 5, requests: 6, tokens: 15 } as const;

/** @param sdkRequests a query of the requests that SDKs report in a window. Without it, there is no rule that compares both. */
export function serviceAlerts(service: string, limits: AlertLimits, sdkRequests?: (window: Duration) => string): AlertRule[] {
  const { count, total } = serviceSamples(service);
  const requests = (window: Duration) => sum(count("requestDuration", window));
  const { rest, restInWords, floors } = windows[limits.window];
  // A service with requests in each ten minutes of three hours is not silent for half an hour by chance.
  const wroteAlways = `max_over_time((count_over_time((${requests("10m")} >= 5)[3h:10m]) >= 18)[2h:10m] offset 30m)`;
  const stopped = lastState(`0 * ${requests("30m")}`, wroteAlways, "1d");
  const stoppedForADay = `(${ago(requests("1d"), "7d")} >= 5)\nunless on () ${requests("1d")}`;
  const rules: AlertDraft[] = [
    {
      id: "latency",
      title: "Latency",
      query: `${sum(total("requestDuration", rest))} / (${requests(rest)} >= ${floors.requests})`,
      above: limits.latency,
      unit: "seconds",
      summary: `In the last ${restInWords}, the mean duration of a request was {value}.`,
      description: "Select the applications one by one on the dashboard to find the slow one, and compare its models.",
      panelId: panels.duration,
    },
    {
      id: "telemetry-stopped",
      title: "Telemetry stopped",
      query: limits.window === "hour" ? stopped : stoppedForADay,
      above: 4,
      summary: `${service} writes nothing any more, although it always did at this time.`,
      unit: "count",
      description: "Check whether applications still send requests through the service, whether it runs, and its log for refused writes.",
      panelId: panels.requests,
    },
    ...spendingAlerts(
      {
        cost: (window, ...by) => sum(total("usageCost", window), ...by),
        tokens: (window, ...by) => sum(total("totalTokens", window), ...by),
        labels: { application: "applicationName", provider: "platform", model: "model" },
        panels,
      },
      limits,
    ),
  ];
  if (sdkRequests) {
    rules.push({
      id: "connection",
      title: "Connection",
      severity: "critical",
      query: [
        `(${sdkRequests(rest)} >= ${floors.requests})`,
        `unless on () ${requests(rest)}`,
        `and on () (${ago(requests(rest), "7d")} >= ${floors.requests})`,
      ].join("\n"),
      above: 0,
      unit: "count",
      everyMinutes: 5,
      summary: `${service} wrote nothing in the last ${restInWords}, while SDKs reported {value} requests. A week ago, it wrote in the same ${restInWords}.`,
      description:
        "Check whether the service runs, and whether its connection still has a valid key: npm run doctor. Register it again: npx pulumi config set " +
        "registrationTrigger 2, npx pulumi up.",
      panelId: panels.requests,
    });
  }
  return rules.map(complete("", service === "GenAI" ? "GenAI (service)" : service)); // In the folder of the rules with the prefix "GenAI".
}
