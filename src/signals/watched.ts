/**
 * The series that alerts watch, recorded each minute. So an alert rule is short and cheap to evaluate. The rules read what the rules before
 * them have just recorded.
 */
import { recordedCost } from "./costs";
import type { RecordingRule } from "./counters";
import { modelIdentity } from "./identity";
import { serviceSamples } from "./llm-monitoring";
import { conventionLabel, type Measure, measures, sourceLabel } from "./opentelemetry-measures";
import { group, indent, isPresent, quantile, select, sum, withLabel } from "./promql";

export const watched = {
  /**
   * The requests of an application to a model, by `modelIdentity`. The requests of several applications to a provider are series without
   * `application` and `model`. A sum of both kinds counts requests twice.
   */
  requests: "alerts:gen_ai_requests:increase1m",
  /** The failed requests, 0 if there are none. */
  failures: "alerts:gen_ai_failures:increase1m",
  /** The share of failed requests in ten minutes or, without requests, the last one of an hour. */
  failedShare: "alerts:gen_ai_failures:share10m",
  /** The 85th percentile of 15 minutes in seconds, by `ofModel`. */
  latency: "alerts:gen_ai_latency:p85_15m",
  firstToken: "alerts:gen_ai_first_token:p85_15m",
  /** The cost in USD by application: the cost of SDKs, else the cost that the service reports. */
  cost: "alerts:gen_ai_cost:increase1m",
} as const;

const ofProvider = ["environment", "provider"];
const ofModel = ["environment", "application", "model"];

const lastMinute = (series: string) => `last_over_time(${series}[1m])`;

/** @param service its name, if its samples count for costs */
export function watchedRules(service?: string): RecordingRule[] {
  const rule = (name: string, comment: string, query: string, reads: string): RecordingRule => {
    return { name, comment, query, reads, group: "alerts" };
  };
  const levels = (query: string) => `${sum(query, ...modelIdentity)}\nor ${sum(query, ...ofProvider)}`;
  const requests = measures.requests.series;
  // Without this, a provider with one application would alert twice: for the application, and for all.
  const severalApplications = `count by (${ofProvider.join(", ")}) (${group(lastMinute(requests), ...ofProvider, "application")}) > 1`;
  // Histograms of different sources can have different bounds.
  const slowest = (measure: Measure) => {
    const buckets = sum(`sum_over_time(${measure.series}[15m])`, ...ofModel, sourceLabel, "le");
    return `max by (${ofModel.join(", ")}) (${quantile(0.85, buckets)})`;
  };
  const spent =
    service &&
    sum(
      `label_replace(${withLabel(serviceSamples(service).total("usageCost", "1m"), "application", "(none)")}, ` +
        `"application", "$1", "applicationName", "(.+)")`,
      "application",
    );
  const failed = select(requests, isPresent(conventionLabel("error")));
  const ofTenMinutes = (series: string) => `sum_over_time(${series}[10m])`;
  return [
    rule(
      watched.requests,
      "For alerts: requests of an application to a model, and of several applications to a provider.",
      `${levels(lastMinute(requests))}\n  and on (${ofProvider.join(", ")}) ${severalApplications}`,
      requests,
    ),
    rule(
      watched.failures,
      "For alerts: the failed requests.",
      `(\n${indent(`${levels(lastMinute(failed))}\nor 0 * ${lastMinute(watched.requests)}`)}\n)\nand ${lastMinute(watched.requests)}`,
      requests,
    ),
    rule(
      watched.failedShare,
      "For alerts: the share of failed requests in ten minutes, the last known one of an hour.",
      `last_over_time((\n  ${ofTenMinutes(watched.failures)}\n  / (${ofTenMinutes(watched.requests)} > 0)\n)[1h:1m])`,
      requests,
    ),
    ...(["latency", "firstToken"] as const).map((name) => {
      const what = name === "latency" ? "the duration that 15 % of the requests of 15 minutes exceed" : "the same of the first token";
      return rule(watched[name], `For alerts: ${what}.`, slowest(measures[name]), measures[name].series);
    }),
    rule(
      watched.cost,
      "For alerts: the cost of an application, by its SDK or else by the service.",
      // Some SDKs send a cost only with a request, a minute after the service. Without their 0, the service's would count again.
      [
        sum(lastMinute(recordedCost), "application"),
        ...(spent ? [`or 0 * ${sum(`last_over_time(${recordedCost}[1d])`, "application")}`, `or ${spent}`] : []),
      ].join("\n"),
      recordedCost,
    ),
  ];
}
