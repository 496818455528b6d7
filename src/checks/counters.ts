/** Checks the counters of SDKs: whether processes share a series, and whether panels add up too many series. */
import { isOneOf, select, withLabel } from "../signals/promql";
import { queryPrometheus, type Sample, type Stores, withoutSecret } from "./query";
import { type Finding, note, ok } from "./table";

/** A counter, with a selector of its series. */
type Counter = { series: string; selector: string };

/**
 * More resets of a counter than these show that several processes write its series. With an instance id, in an hour: a process that crashes
 * every seven minutes has 9. Without one, in ten minutes: two processes that export each minute have ten.
 */
export const tooManyResets = { named: 20, unnamed: 2 } as const;

/** Finds the three jobs with the most resets. */
export async function checkResets(stores: Stores, counters: readonly Counter[]): Promise<Finding> {
  const ask = (window: string, limit: number) => {
    const resets = ({ series, selector }: Counter) =>
      withLabel(`max by (job, instance) (resets(${selector}[${window}])) > ${limit}`, "series", series);
    return queryPrometheus(stores, counters.map(resets).join(" or "));
  };
  const [unnamed, named] = await Promise.all([ask("10m", tooManyResets.unnamed), ask("1h", tooManyResets.named)]);
  const found = [...unnamed.filter(({ labels }) => !labels.instance), ...named.filter(({ labels }) => labels.instance)];
  const most = found.sort((one, other) => other.value - one.value).slice(0, 3);
  return judgeResets(most.map(({ labels, value }) => ({ labels: { ...labels, job: withoutSecret(labels.job ?? "", stores) }, value })));
}

/** @param found the number of resets above `tooManyResets`, by the labels `job`, `instance` and `series` */
export function judgeResets(found: readonly Sample[]): Finding {
  if (found.length === 0) return ok("no series is shared by several processes");
  const problem = (words: string, samples: readonly Sample[], end = "") => {
    const jobs = samples.map(({ labels, value }) => `${labels.job || "an application"} (${Math.round(value)})`).join(", ");
    const series = [...new Set(samples.map(({ labels }) => labels.series))].join(", ");
    return samples.length > 0 ? [`${words} of ${series} by ${jobs}${end}`] : [];
  };
  const [named, unnamed] = [found.filter(({ labels }) => labels.instance), found.filter(({ labels }) => !labels.instance)];
  const problems = [
    ...problem(`more than ${tooManyResets.named} resets in an hour`, named),
    ...problem("several resets in ten minutes", unnamed, ", without service.instance.id"),
  ];
  return note(
    `${problems.join("; ")}: either several processes write the same series, and panels show too much or too little, or they restart ` +
      "that often. Set a different service.instance.id for each process, for example in OTEL_RESOURCE_ATTRIBUTES: SDKs for Node.js send " +
      "none.",
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
