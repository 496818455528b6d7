/** Checks the counters of SDKs: whether processes share a series, and whether panels add up too many series. */
import { isOneOf, select, withLabel } from "../signals/promql";
import { queryPrometheus, type Sample, type Stores, withoutSecret } from "./query";
import { type Finding, note, ok } from "./table";

/** A counter, with a selector of its series. */
type Counter = { series: string; selector: string };

/**
 * More resets of a counter in an hour show that several processes write its series: two that export each minute have sixty. A process that
 * crashes every seven minutes has 9.
 */
export const tooManyResets = 20;

/** Finds the three jobs with the most resets. */
export async function checkResets(stores: Stores, counters: readonly Counter[]): Promise<Finding> {
  const resets = ({ series, selector }: Counter) =>
    withLabel(`max by (job, instance) (resets(${selector}[1h])) > ${tooManyResets}`, "series", series);
  const found = await queryPrometheus(stores, counters.map(resets).join(" or "));
  const most = found.sort((one, other) => other.value - one.value).slice(0, 3);
  return judgeResets(most.map(({ labels, value }) => ({ labels: { ...labels, job: withoutSecret(labels.job ?? "", stores) }, value })));
}

/** @param found the number of resets above `tooManyResets`, by the labels `job` and `series` */
export function judgeResets(found: readonly Sample[]): Finding {
  if (found.length === 0) return ok("no series is shared by several processes");
  const jobs = found.map(({ labels, value }) => `${labels.job || "an application"} (${Math.round(value)})`).join(", ");
  const series = [...new Set(found.map(({ labels }) => labels.series))].join(", ");
  return note(
    `more than ${tooManyResets} resets in an hour of ${series} by ${jobs}: either several processes write the same series, and panels ` +
      "show too much or too little, or they restart that often. Set a different service.instance.id for each process, for example in " +
      "OTEL_RESOURCE_ATTRIBUTES: SDKs for Node.js send none.",
  );
}

/** A Prometheus with its default `query.max-samples` refuses 30 days of so many series of a counter: test/truth/README.md#scale. */
export const tooManySeries = 385;

/** Counts the series of the counter that has the most: panels add all of them up on each load. */
export async function checkLiveSeries(stores: Stores, names: readonly string[]): Promise<Finding> {
  const counters = select("", isOneOf("__name__", names), isOneOf("le", ["", "+Inf"]));
  const [most] = await queryPrometheus(stores, `max(count by (__name__) (${counters}))`);
  return judgeLiveSeries(most?.value ?? 0);
}

export const judgeLiveSeries = (count: number): Finding =>
  count < tooManySeries
    ? ok(`at most ${count} of a counter are read directly`)
    : note(
        `up to ${count} of a counter are read directly: Prometheus refuses panels over 30 days, which exceed its default ` +
          "query.max-samples, and those over 24 hours take seconds. Record them: npx pulumi config set genaiReads rules",
      );
