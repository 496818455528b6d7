/** Small checks of what arrives in the stores. `series.ts`, `spans.ts` and `recording.ts` have the larger ones. */
import { openTelemetryTitle } from "../dashboards/names";
import { recordedBudget } from "../signals/costs";
import { recordedIncrease } from "../signals/counters";
import { type Measure, measures, requestsOfSides } from "../signals/opentelemetry-measures";
import type { Gateways } from "../signals/opentelemetry-rules";
import { equals, group, isOneOf, quote, select, withLabel } from "../signals/promql";
import { watched } from "../signals/watched";
import { configSet } from "../text/sanitize";
import { queryList, queryPrometheus, type Stores, withoutSecret } from "./query";
import { oneBucket, relatedNames } from "./senders";
import { type Finding, firstOf, note, ok } from "./table";

/**
 * NaN and infinity times 0 give NaN, and `NaN != 0` is true. The label `series` keeps the name that the product drops. The quantiles of
 * an idle summary are NaN, and nothing reads them. Rules read three hours.
 */
const related = select("", `__name__=~${quote(relatedNames)}`, oneBucket, equals("quantile", ""));
const noNumbers = group(
  `label_replace(last_over_time(${related}[3h]), "series", "$1", "__name__", "(.+)") * 0 != 0`,
  ...["series", "job", "exported_job", "service_name", "applicationName", "gen_ai_application_name"],
);

const nameOf = (text: string, stores: Stores) => withoutSecret(text, stores) || "an application";

/**
 * Who sends NaN or infinity: rules and panels leave such values out, so that tokens and costs lack the calls.
 *
 * @param names the series that rules and panels read
 */
export async function checkNumbers(stores: Stores, names: ReadonlySet<string>): Promise<Finding> {
  const found = (await queryPrometheus(stores, noNumbers)).filter(({ labels }) => names.has(labels.series ?? ""));
  if (found.length === 0) return ok("the last value of each series is a number");
  const texts = found.map(({ labels: { series = "", job = "", ...labels } }) => {
    return `${series} of ${nameOf(Object.values(labels).find(Boolean) ?? job, stores)}`;
  });
  return note(
    `values are NaN or infinite: ${firstOf([...new Set(texts)].sort(), 3)}. Panels, costs and alerts leave them out until the process ` +
      "restarts. Update its SDK, or find out which request has no number of tokens",
  );
}

/**
 * More resets of a counter in an hour show that several processes write its series: two that export each minute have sixty. A process that
 * crashes every seven minutes has 9.
 */
export const tooManyResets = 20;

/** Whether processes share a series of these counters. Names the three jobs with the most resets. */
export async function checkResets(stores: Stores, counters: readonly { series: string; selector: string }[]): Promise<Finding> {
  const resets = counters.map(({ series, selector }) =>
    withLabel(`max by (job, instance) (resets(${selector}[1h])) > ${tooManyResets}`, "series", series),
  );
  const found = await queryPrometheus(stores, resets.join(" or "));
  if (found.length === 0) return ok("no series is shared by several processes");
  const most = found.sort((one, other) => other.value - one.value).slice(0, 3);
  const jobs = most.map(({ labels, value }) => `${nameOf(labels.job ?? "", stores)} (${Math.round(value)})`);
  const series = [...new Set(most.map(({ labels }) => labels.series))].join(", ");
  return note(
    `more than ${tooManyResets} resets in an hour of ${series} by ${jobs.join(", ")}: either several processes write the same series, ` +
      "and panels show too much or too little, or they restart that often. Set a different service.instance.id for each process, for " +
      "example in OTEL_RESOURCE_ATTRIBUTES: SDKs for Node.js send none.",
  );
}

/** A Prometheus with its default `query.max-samples` refuses 30 days of so many series of a counter: test/truth/README.md#scale. */
const tooManySeries = 385;

/** Counts the series of the counter that has the most: panels add all of them up on each load. */
export async function checkLiveSeries(stores: Stores, names: readonly string[]): Promise<Finding> {
  const counters = select("", isOneOf("__name__", names), isOneOf("le", ["", "+Inf"]));
  const [most] = await queryPrometheus(stores, `max(count by (__name__) (${counters}))`);
  const count = most?.value ?? 0;
  if (count < tooManySeries) return ok(`at most ${count} series of one counter are read directly`);
  return note(
    `up to ${count} series of one counter are read directly: Prometheus refuses panels over 30 days, which exceed its default ` +
      `query.max-samples, and those over 24 hours take seconds. Record them: ${configSet("genaiReads", "rules", "STACK")}`,
  );
}

/** Compares the requests that gateways saw with those that SDKs report. Panels lack what an application behind a gateway does not send. */
export async function checkCoverage(stores: Stores, { names, countedBy }: Gateways): Promise<Finding> {
  const count = async ({ series }: Measure) => (await queryPrometheus(stores, recordedIncrease(select(series), "24h")))[0]?.value ?? 0;
  const sides = requestsOfSides(countedBy);
  const [reported, seen] = await Promise.all([count(sides.sdks), count(sides.gateways)]);
  const cure = "new rules take two minutes. If it stays so, check whether their metrics arrive, and gateways has the names of applications";
  if (seen === 0) return note(`no requests of ${names.join(" or ")} in the last 24 hours: ${cure}`);
  const whole = (value: number) => Math.round(value).toLocaleString("en");
  const text = `in the last 24 hours, the gateways saw ${whole(seen)} requests, SDKs ${whole(reported)}`;
  const share = Math.round((1 - reported / seen) * 100);
  return ok(reported >= seen ? text : `${text}: ${share} % of the traffic sends nothing. By application: the row "Gateways"`);
}

/**
 * Whether requests or costs of each application with a budget are recorded, and the budget, which the alert reads. If not, `alertBudgets`
 * may misspell the name, or another stack evaluates the rules.
 */
export async function checkBudgets(stores: Stores, budgets: readonly string[]): Promise<Finding> {
  const lacking = async (...series: readonly string[]) => {
    const recorded = select("", isOneOf("__name__", series));
    const found = await queryPrometheus(stores, group(`last_over_time(${recorded}[24h])`, "application"));
    return budgets.filter((name) => !found.some(({ labels }) => labels.application === name));
  };
  const [unknown, unwatched] = await Promise.all([lacking(measures.requests.series, watched.cost), lacking(recordedBudget)]);
  if (unknown.length > 0) {
    const advice = `Check whether it is an application of "${openTelemetryTitle}"`;
    return note(`alertBudgets: nothing of ${firstOf(unknown)} was recorded in the last 24 hours. ${advice}`);
  }
  if (unwatched.length === 0) return ok("the budget of each application is recorded");
  return note(
    `alertBudgets: no rule records the budget of ${firstOf(unwatched)}, so no alert watches it. New rules take two minutes. If another ` +
      "stack or server evaluates the rules, set alertBudgets there",
  );
}

/** Whether the log streams of a selector have prompts and responses, which panels select by the label `type`. Reads only Loki's index. */
export async function checkStreams(stores: Stores, streams: string): Promise<Finding> {
  const parameters = new URLSearchParams({ query: streams, start: `${Date.now() - 24 * 3_600_000}000000` });
  const values = await queryList(stores, "loki", `/loki/api/v1/label/type/values?${parameters}`, "data");
  const types = values.map(String).filter((type) => withoutSecret(type, stores));
  const missing = ["prompt", "response"].filter((type) => !types.includes(type));
  if (missing.length === 0) return ok("prompts and responses arrive");
  const found = types.length > 0 ? `, only ${types.map((type) => `"${type}"`).join(", ")}` : "";
  return note(`no data yet: no log streams ${streams} with type "${missing.join('" or "')}" in the last 24 hours${found}`);
}
