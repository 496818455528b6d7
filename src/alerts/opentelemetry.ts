/** Alert rules on the recorded series of current SDKs, which "GenAI Observability (OpenTelemetry)" shows. */
import { openTelemetryPanels as panels } from "../dashboards/panel-ids";
import { limitsOf } from "../settings/limits";
import { recordedCost, recordedPrice, recordedUnpriced } from "../signals/costs";
import { processIdentity } from "../signals/identity";
import { measures } from "../signals/opentelemetry-measures";
import { recordedProcesses } from "../signals/opentelemetry-rules";
import { type Duration, on, sum } from "../signals/promql";
import { watched } from "../signals/watched";
import { type AlertDraft, type AlertLimits, type AlertRule, complete } from "./rule";
import { spendingAlerts } from "./spending";

const requests = measures.requests.series;

const same = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));
const ofModels = same("environment", "application", "model");
const ofRequests = { ...ofModels, provider: "provider" };

const over = (series: string, window: Duration, ago?: Duration) => `sum_over_time(${series}[${window}]${ago ? ` offset ${ago}` : ""})`;
/** The processes that send, also once in ten minutes. */
const sending = `last_over_time(${recordedProcesses}[20m])`;
/** The number of the last 15 minutes in which the series was recorded. */
const minutes = (series: string) => `max(count_over_time(${series}[15m]))`;

const findTrace =
  "In the first table, click the errors of its row (all models: set By to Provider), or a trace in Failed Requests, with the role Editor.";
const percent = (share: number) => `${Number((100 * share).toPrecision(3))} %`;

export function openTelemetryAlerts(limits: AlertLimits): AlertRule[] {
  const { outage, errorRate: lasting, latency, firstToken } = limitsOf(limits);
  const times = (factor: number) => Number(((factor * limits.errorRate) / 100).toPrecision(3));
  const { failures, failedShare, requests: all } = watched;
  const hasBudgets = Object.keys(limits.budgets ?? {}).length > 0;
  /** Of hours, or of requests. */
  const most = 0.66;

  const rules: AlertDraft[] = [
    {
      title: "Errors",
      severity: "critical",
      // The share counts in two cases. An hour has more failures than a short burst makes. Or the share is high for 20 minutes, and
      // failures are spread over two hours: retries fail at once. Grafana may write the newest share after it evaluates this.
      query: [
        `last_over_time(${failedShare}[5m])`,
        "* clamp_max(",
        `  (${over(failures, "1h")} > bool`,
        `    6 + ${times(6)} * ${over(all, "1h")} + 0.35 * max_over_time(${over(all, "10m")}[90m:1m]))`,
        `  + (min_over_time(${failedShare}[20m]) > bool ${times(8)}) * (${over(failures, "2h")} > bool`,
        `    1.4 + ${times(2.5)} * ${over(all, "2h")} + 1.2 * max_over_time(${over(failures, "10m")}[2h:1m])), 1)`,
      ].join("\n"),
      above: outage,
      unit: "share",
      forMinutes: 0,
      keepMinutes: 10,
      summary: "Requests to a model or a provider fail.",
      what: "{value} of the requests of {application|all applications together} to {model|all models} ({provider}) fail in {environment}.",
      steps: [
        findTrace,
        "Several applications: the provider's status page. One application: its key or last deployment. One model: it is gone, or limited.",
        "Open the row Errors by Type for the cause, then switch the model or the provider.",
      ],
      panelId: panels.errorRate,
      variables: ofRequests,
    },
    {
      title: "ErrorsLasting",
      query: [
        `count_over_time((${over(failures, "1h")} / ${over(all, "1h")} > ${lasting})[1d:1h])`,
        `/ clamp_min(count_over_time((${over(all, "1h")} > 0)[1d:1h]), 12) > ${most}`,
        // A job at night has requests in few hours.
        `or ${over(failures, "3d")} / ${over(all, "3d")}`,
        `and count_over_time((${over(failures, "1h")} > 0)[3d:1h]) > 2`,
        `and last_over_time(${failedShare}[1d]) > ${most}`,
      ].join("\n"),
      above: most,
      unit: "share",
      forMinutes: 0,
      keepMinutes: 360,
      everyMinutes: 5,
      summary: "Some requests to a model fail, in most hours of a day.",
      what:
        `In most hours of the last day, more than ${percent(lasting)} of the requests of {application|all applications together} to ` +
        "{model|all models} ({provider}) failed in {environment}, or most of them in three days.",
      steps: [
        findTrace,
        "Open the row Errors by Type: what changed when they began? rate_limit: a higher limit. timeout: shorter prompts or answers.",
        "Accepted: raise alertErrorRate, the share of requests that may fail in a month.",
      ],
      panelId: panels.errorRate,
      variables: ofRequests,
    },
    {
      ...slow(watched.latency, latency),
      title: "Slow",
      summary: "A model answers much more slowly than usual.",
      what: "15 % of the requests of {application} to {model} in {environment} take longer than {value}: three times the usual time.",
      steps: [
        "Open a trace in Slow Requests of the dashboard. If it has none, select a shorter time in Slow from.",
        "Several applications: the model's status page. One application: longer prompts or answers, so compare Tokens and Requests.",
        "Meant to be slow: raise alertLatency.",
      ],
      panelId: panels.latency,
    },
    {
      ...slow(watched.firstToken, firstToken),
      title: "SlowFirstToken",
      summary: "Users wait much longer than usual for the first token of an answer.",
      what:
        "15 % of the streamed requests of {application} to {model} in {environment} wait longer than {value} for the first token: three " +
        "times the usual time.",
      steps: [
        "Compare First token and p95 in the first table: if only the first token is late, requests wait at the provider.",
        "Long prompts are slow, too: see Tokens by Type in the row Tokens and Cache. Then switch the model, or shorten the prompt.",
        "Expected: silence it by its application and model. The limit is a third of alertLatency, at most 9.9 s.",
      ],
      panelId: panels.firstToken,
    },
    ...spendingAlerts(
      {
        cost: over(watched.cost, "1h"),
        gap: `last_over_time(${recordedProcesses}[1h]) unless on (application) last_over_time(${recordedProcesses}[2h] offset 1h)`,
        application: "application",
        budgeted: (window) => `(${over(watched.cost, window)} or sum(${over(watched.cost, window)}))`,
        hasBudgets,
        // Without budgets of applications, the dashboard has no panel of budgets.
        panels: { cost: panels.cost, budget: hasBudgets ? panels.budgets : panels.cost },
        variables: same("application"),
      },
      limits,
    ),
    {
      title: "ModelWithoutPrice",
      query: [
        sum(over(recordedUnpriced, "1d"), "application", "provider", "model"),
        `and on (application, provider, model) ${over(recordedUnpriced, "12h")} > 0`,
        // A gateway's alias can stand for models with a price and without one.
        `unless on (application, provider, model) (last_over_time(${recordedCost}[1h])`,
        `  unless on (application, provider, model) ${over(recordedUnpriced, "1h")} > 0)`,
      ].join("\n"),
      above: 10_000,
      forMinutes: 0,
      everyMinutes: 10,
      summary: "A model is used and has no price, so that costs and budgets are too low.",
      what: "{application} used {value} tokens of {model} ({provider}) in a day, without a price.",
      steps: [
        "A gateway's own name: npx pulumi config set --path 'prices[\"MODEL\"]' OTHER, its model, such as openai/gpt-4o-mini.",
        `Else USD per million tokens, 0 for a local model: npx pulumi config set --path 'prices["MODEL"].input' USD, the same for output.`,
        "Then npx pulumi up; external: npm run rules, and load them. The past keeps its cost. Model (none): silence it by both labels.",
      ],
      panelId: panels.tokensWithoutCost,
      variables: same("application", "provider", "model"),
    },
    {
      title: "TelemetryStopped",
      everyMinutes: 5,
      query: [silence(...processIdentity), `and on () ${sending}`].join("\n"),
      above: 9,
      summary: "An application sends no metrics any more, while others do: no other alert sees it.",
      what: "{application} ({environment}) sends no metrics any more. A week ago, it made {value} requests in the minutes of its silence.",
      steps: [
        "Does it run? After a restart on a quiet day, it sends nothing until a request. Did a deployment change its name or environment?",
        "Its log: 401 is the token, 400 a refused temporality, a timeout the network or the collector.",
        "Removed or renamed: the alert ends after at most four days, so silence it by its application and environment.",
      ],
      panelId: panels.requests,
      from: "now-7d",
      variables: same("application", "environment"),
    },
    {
      title: "AllTelemetryStopped",
      everyMinutes: 5,
      severity: "critical",
      query: [silence(), `and on () last_over_time(${recordedPrice}[20m])`].join("\n"),
      above: 9,
      summary: "No application sends metrics any more: no other alert sees them.",
      what: "No application sends metrics any more. A week ago, there were {value} requests in the minutes of the silence.",
      steps: [
        "npm run doctor -- --stack NAME tests the endpoint with the stack's token. 401 in an application's log: its token is an older one.",
        "The collector, if there is one: its log and its queue.",
        "The applications: do they run? After a restart on a quiet day, they send nothing until a request.",
      ],
      panelId: panels.requests,
      from: "now-7d",
    },
    {
      title: "RecordingIncomplete",
      // The missed minutes of 15. Prices are recorded all the time, the series of alerts only while processes send.
      query: [
        "15 - min(",
        `  label_replace(${minutes(recordedPrice)} or vector(0), "of", "prices", "", "")`,
        `  or (${minutes(watched.requests)} or vector(0)) and on () ${minutes(recordedProcesses)} >= 8 ` +
          `and on () last_over_time(${requests}[1d])`,
        ")",
      ].join("\n"),
      above: 6,
      // After the first deployment, 14 minutes are missed, then fewer: neither severity lasts six minutes. Rules that write each second
      // minute miss 7 or 8, each third one 10, each fourth one 11 or 12: at no interval, the severity alternates.
      criticalFrom: 11,
      forMinutes: 6,
      summary: "Recording rules miss minutes: panels and alerts do not see the requests of these minutes.",
      what: "In {value} of the last 15 minutes, recording rules did not write prices or what alerts read.",
      steps: [
        "If the setting recordingRules is grafana, npm run doctor -- --stack NAME prints the error of Grafana.",
        "If it is external: does the server load the rules of this release? Its page of rules shows errors, and what takes too long.",
        "Repaired: fill the gap, three hours later or on the next day (src/settings/README.md, History).",
      ],
      panelId: panels.requests,
    },
  ];
  return rules.map(complete("GenAI"));
}

/**
 * The last known 85th percentile, if it is three times the usual one: the median of the last values of three days' hours. It was above the
 * limit in 31 minutes of three hours. A request is in the percentile of 15 minutes, so 31 minutes take at least three. A job with long
 * answers is as slow at this time of each day.
 */
const slow = (series: string, limit: number) =>
  ({
    query: [
      `last_over_time(${series}[2h])`,
      `* (last_over_time(${series}[2h]) > bool 3 * quantile_over_time(0.5, last_over_time(${series}[1h])[3d:1h]))`,
      `* (count_over_time((last_over_time(${series}[1m]) > ${limit})[3h:1m]) >= bool 31)`,
      `unless last_over_time(${series}[2h]) < 1.5 * max_over_time(${series}[4h] offset 22h)`,
    ].join("\n"),
    above: limit,
    unit: "seconds",
    keepMinutes: 10,
    everyMinutes: 5,
    variables: ofModels,
  }) as const;

/**
 * The requests a week ago, in the minutes of the last day in which an application was silent, by labels or in total. A minute is silent
 * if nothing was recorded in the 20 minutes before it. The application must be silent now, too. An idle process sends nothing after a
 * restart, so the silence alone says nothing. Only applications that ran in most hours of a week count, in each environment apart. The
 * week ends two days ago, so the silence itself does not end the alert.
 */
function silence(...by: readonly string[]): string {
  const isSending = `unless ${on(...by)} ${sending}`;
  return [
    `sum_over_time((\n  ${sum(over(requests, "10m", "7d"), ...by)}\n  ${isSending}\n)[1d:10m])`,
    // At all minutes of the hour: a job that runs each hour may move in it.
    `and ${on(...by)} count_over_time(${sum(sending, ...by)}[1w:50m] offset 2d) > 144`,
    isSending,
  ].join("\n");
}
