/**
 * Percentiles of times, as far as histograms tell them. The rule for all panels: a percentile is right if it is in the bucket with the exact one. The exact
 * one is the smallest time that is not exceeded by this share of them.
 */
import type { Fact } from "./facts";
import type { Truth } from "./ledger";

/** Histograms that rules keep apart, since they can have different bounds. Both generations of first chunks have the same. */
const sourceOf = ({ metric, bounds }: Fact) => `${metric.replace(/^.*time_to_first_chunk$/, "chunk")} ${bounds.join()}`;

/**
 * The highest percentile of the sources: the middle of the bucket, with half of its width as slack.
 *
 * @param fewest sources with fewer times do not count
 * @returns undefined if none counts
 */
export function percentile(share: number, facts: readonly Fact[], fewest = 1): Truth | undefined {
  const sources = [...new Set(facts.map(sourceOf))].map((source) => facts.filter((fact) => sourceOf(fact) === source));
  const counting = sources.filter(({ length }) => length >= fewest);
  if (counting.length === 0) return undefined;
  const buckets = counting.map((found) => {
    const times = found.map(({ seconds }) => seconds).sort((left, right) => left - right);
    const exact = times[Math.ceil(share * times.length) - 1] as number;
    const bounds = found[0]?.bounds ?? [];
    // Above the highest bound, all that is known is this bound.
    const to = bounds.find((bound) => bound >= exact) ?? bounds.at(-1) ?? 0;
    return [bounds.findLast((bound) => bound < exact) ?? 0, to] as const;
  });
  const [from, to] = [0, 1].map((end) => Math.max(...buckets.map((bucket) => bucket[end] as number))) as [number, number];
  return { value: (from + to) / 2, slack: (to - from) / 2 };
}
