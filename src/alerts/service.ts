/** Alert rules on the samples of the service, which "LLM Monitoring" shows. Samples have no failures and no times to the first token. */
import { llmMonitoringPanels } from "../dashboards/panel-ids";
import { serviceSamples } from "../signals/llm-monitoring";
import { measures } from "../signals/opentelemetry-measures";
import { type Duration, on, sum } from "../signals/promql";
import { type AlertDraft, type AlertLimits, type AlertRule, complete } from "./rule";
import { spendingAlerts } from "./spending";

/** @param withSdks the stack also has the rules on SDKs. Rules on both then watch costs, and tell a lost connection from silence. */
export function serviceAlerts(service: string, limits: AlertLimits, withSdks: boolean): AlertRule[] {
  const { count, total } = serviceSamples(service);
  const ofModel = ["environment", "applicationName", "model"];
  const ofProvider = ["applicationName", "platform"];
  const variables = { Application: "applicationName", Environment: "environment" };
  const requests = (window: Duration, ago?: Duration) => sum(count("requestDuration", window, ago));
  const spent = (window: Duration, ...by: readonly string[]) => sum(total("usageCost", window), ...by);
  const ofSdks = `sum(sum_over_time(${measures.requests.series}[2h]))`;
  const durations = total("requestDuration", "1h");
  const tokens = sum(total("totalTokens", "3h"), ...ofProvider, "model");
  // Clocks change by an hour. So both of two silent hours had more than so many requests last week, and a silent day had ten an hour
  // earlier.
  const twoHours = (few: number) => `count_over_time((${requests("1h")} > ${few})[1h:5m] offset 7d) > 11 unless ${requests("2h")}`;
  const day = `${requests("1d", "169h")} > 9 unless ${requests("1d")}`;

  const rules: AlertDraft[] = [
    {
      title: "Slow",
      query: `${sum(durations, ...ofModel)}\n/ (${sum(`${count("requestDuration", "1h")} and ${durations}`, ...ofModel)} >= 3)`,
      above: limits.latency,
      unit: "seconds",
      summary: "A model answers slowly.",
      what: "In the last hour, a request of {applicationName} to {model} in {environment} took {value}, the mean of at least three.",
      steps: [
        "Compare Token usage by model with last week: longer prompts and answers take longer. Other models have alerts of their own.",
        "One model: its status page. All: the network or the gateway.",
        "Meant to be slow: raise alertLatency.",
      ],
      panelId: llmMonitoringPanels.duration,
      variables,
    },
    ...(withSdks
      ? []
      : spendingAlerts(
          {
            cost: spent("1h", "applicationName"),
            application: "applicationName",
            budgeted: spent,
            hasBudgets: false,
            panels: { cost: llmMonitoringPanels.cost, budget: llmMonitoringPanels.cost },
            variables,
          },
          limits,
        )),
    {
      title: "TokensWithoutCost",
      query: [
        tokens,
        `unless ${on(...ofProvider, "model")} ${spent("3h", ...ofProvider, "model")} > 0`,
        `and ${on(...ofProvider)} ${spent("1d", ...ofProvider)} > 0`,
      ].join("\n"),
      above: 10_000,
      forMinutes: 0,
      everyMinutes: 10,
      summary: "A model is used and has no cost, so that costs and budgets are too low.",
      what: "{applicationName} used {value} tokens of {model} ({platform}) in three hours without a cost, and pays for other models.",
      steps: [
        "Look for the model in the price list of the gateway or service: it is new, or has another name there.",
        "Add its price, and start the application again.",
        "A model that is free: silence the alert by its model.",
      ],
      panelId: llmMonitoringPanels.cost,
      variables,
    },
    {
      title: "TelemetryStopped",
      query: `(${twoHours(29)}\nor ${day})${withSdks ? `\nunless ${ofSdks} > 9` : ""}`,
      above: 0,
      forMinutes: 10,
      summary: `${service} writes nothing any more: no other alert sees its requests.`,
      what: `${service} writes nothing any more. A week ago, there were requests in the same hours or on the same day.`,
      steps: [
        "Is it a holiday? Do applications still send requests through the service, and does it run?",
        "Its log: are writes refused? Does it know the connection? npm run doctor -- --stack NAME says whether it responds.",
        "Removed for good: the alert ends after a week, so silence it.",
      ],
      panelId: llmMonitoringPanels.requests,
      from: "now-8d",
    },
  ];
  if (withSdks) {
    rules.push({
      title: "ConnectionLost",
      query: `${ofSdks}\nand (${twoHours(2)}\nor ${day})`,
      above: 9,
      forMinutes: 10,
      everyMinutes: 5,
      summary: `${service} writes nothing any more, while SDKs report requests.`,
      what:
        `${service} writes nothing any more, although it did at this time or on this day of last week. In the last two hours, SDKs ` +
        "reported {value} requests.",
      steps: [
        "Is it a holiday? Its log: are writes refused? npm run doctor -- --stack NAME says whether it responds.",
        'Register it again: npx pulumi config set registrationTrigger "$(date +%s)", npx pulumi up. If platformApiKey was rotated, ' +
          "set it first.",
        "Applications that do not use the service any more: remove it, or silence the alert for a week.",
      ],
      panelId: llmMonitoringPanels.requests,
    });
  }
  const name = service.replace(/(?:^|_)([a-z])/gi, (_, letter: string) => letter.toUpperCase());
  // In the folder of the rules with the prefix "GenAI".
  return rules.map(complete(name === "GenAI" ? "GenAIService" : name, "Service"));
}
