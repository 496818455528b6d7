/**
 * The series that alerts watch, recorded each minute. So an alert rule is short and cheap to evaluate. The rules read what the rules before
 * them have just recorded.
 */
import { recordedCost } from "./costs";
import type { RecordingRule } from "./counters";
import { missing, modelIdentity, processIdentity } from "./identity";
import { serviceSamples } from "./llm-monitoring";
import { conventionLabel, type Measure, measures, sourceLabel } from "./opentelemetry-measures";
import { equals, group, indent, isPresent, on, quantile, relabel, select, sum, withLabel } from "./promql";

export const watched = {
  /**
   * The requests of an application to a model, by `modelIdentity`. The requests of several applications to a provider are series without
   * `application` and `model`. Without names of provider and model, it is all requests of the application. A sum counts requests twice.
   */
  requests: "alerts:gen_ai_requests:increase1m",
  /** The failed requests, 0 if there are none. */
  failures: "alerts:gen_ai_failures:increase1m",
  /** The share of failed requests in ten minutes or, without requests, the last one of an hour. */
  failedShare: "alerts:gen_ai_failures:share10m",
  /** The 85th percentile of 15 minutes in seconds, by `ofModel`. */
  latency: "alerts:gen_ai_latency:p85_15m",
  firstToken: "alerts:gen_ai_first_token:p85_15m",
  /** The cost in USD by application: in each environment the cost of SDKs, else the cost that the service reports. */
  cost: "alerts:gen_ai_cost:increase1m",
} as const;

const ofProvider = ["environment", "provider"];
const ofModel = ["environment", "application", "model"];

const lastMinute = (series: string) => `last_over_time(${series}[1m])`;

/**
 * The service's cost in each environment in which no SDK reports one, after that of SDKs. Some SDKs send a cost only with a request, a
 * minute after the service: without their 0, the service's would count again. An environment that one of both does not send can be each
 * one.
 */
function costOf(service: string): string[] {
  const reported = (...filters: readonly string[]) => `last_over_time(${select(recordedCost, ...filters)}[1d])`;
  const samples = withLabel(serviceSamples(service).total("usageCost", "1m"), "application", missing);
  const named = relabel(samples, [`"application", "$1", "applicationName", "(.+)"`, `"environment", "${missing}", "environment", ""`]);
  return [
    `or 0 * ${sum(reported(), ...processIdentity)}`,
    `or 0 * ${withLabel(sum(reported(), "application"), "environment", missing)}`,
    `or ${sum(`\n${indent(named)}\n`, ...processIdentity)}`,
    `  unless ${on("application")} ${reported(equals("environment", missing))}`,
  ];
}

/** @param service its name, if its samples count for costs */
export function watchedRules(service?: string): RecordingRule[] {
  const rule = (name: string, comment: string, query: string, reads: string): RecordingRule => {
    return { name, comment, query, reads, group: "alerts" };
  };
  const requests = measures.requests.series;
  const last = (...filters: readonly string[]) => lastMinute(select(requests, ...filters));
  const levels = (...filters: readonly string[]) =>
    `${sum(last(...filters), ...modelIdentity)}\nor ${sum(last(...filters, `provider!="${missing}"`), ...ofProvider)}`;
  const failed = isPresent(conventionLabel("error"));
  // Failures without names, as OpenLLMetry sends them, can be of each model of an application: all of its requests are their whole.
  const unnamed = [
    group(last(equals("provider", missing), equals("model", missing)), ...modelIdentity),
    `  * ${on(...processIdentity)} group_left () ${sum(last(), ...processIdentity)}`,
  ].join("\n");
  // Without this, a provider with one application would alert twice: for the application, and for all.
  const severalApplications = `count by (${ofProvider.join(", ")}) (${group(last(), ...ofProvider, "application")}) > 1`;
  // Histograms of different sources can have different bounds.
  const slowest = (measure: Measure) => {
    const buckets = sum(`sum_over_time(${measure.series}[15m])`, ...ofModel, sourceLabel, "le");
    return `max by (${ofModel.join(", ")}) (${quantile(0.85, buckets)})`;
  };
  const ofSdks = sum(lastMinute(recordedCost), ...processIdentity);
  const ofTenMinutes = (series: string) => `sum_over_time(${series}[10m])`;
  return [
    rule(
      watched.requests,
      "For alerts: requests of an application to a model, and of several applications to a provider.",
      `${unnamed}\nor ${levels()}\n  and ${on(...ofProvider)} ${severalApplications}`,
      requests,
    ),
    rule(
      watched.failures,
      "For alerts: the failed requests.",
      `(\n${indent(`${levels(failed)}\nor 0 * ${lastMinute(watched.requests)}`)}\n)\nand ${lastMinute(watched.requests)}`,
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
      "For alerts: the cost of an application, in each environment by its SDK or else by the service.",
      sum(`\n${indent([ofSdks, ...(service ? costOf(service) : [])].join("\n"))}\n`, "application"),
      recordedCost,
    ),
  ];
}
