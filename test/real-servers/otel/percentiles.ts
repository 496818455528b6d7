/**
 * Percentiles of times, as far as histograms tell them. The rule for all panels: a percentile is right if it is in the bucket with the exact one. The exact
 * one is the smallest time that is not exceeded by this share of them. Some SDKs have other bounds than those of the conventions: then the bucket ends
 * where the next bounds of the conventions are, since panels add the histograms of all SDKs. If SDKs with several bounds are added, it is the largest
 * bucket.
 */
import type { Truth } from "../ledger";
import type { Fact, Measure } from "./facts";
import { defaultBounds, instruments, type Metric } from "./instruments";
import { sdks } from "./sdks";
import type { Process } from "./world";

/** The bounds of the conventions for a measure. */
const conventional = (measure: Measure) =>
  boundsOf(measure === "databases" ? "db.client.operation.duration" : "gen_ai.client.operation.duration");

const boundsOf = (metric: Metric) => instruments[metric].bounds as readonly number[];

/** The bounds that a process has for a measure. */
function ownBounds(measure: Measure, { sdk }: Process): readonly number[] {
  if (sdks[sdk].defaultBounds) return defaultBounds;
  return measure === "firstToken" && sdk === "agento11y" ? boundsOf("gen_ai.server.time_to_first_token") : conventional(measure);
}

const atMost = (bounds: readonly number[], value: number) => bounds.filter((bound) => bound <= value).at(-1) ?? 0;
const atLeast = (bounds: readonly number[], value: number) => bounds.find((bound) => bound >= value) ?? (bounds.at(-1) as number);

/** The middle of the bucket, with half of its width as slack. Undefined without times. */
export function percentile(share: number, measure: Measure, facts: readonly { fact: Fact; process: Process }[]): Truth | undefined {
  const times = facts.map(({ fact }) => fact.seconds as number).sort((left, right) => left - right);
  const exact = times[Math.ceil(share * times.length) - 1];
  if (exact === undefined) return undefined;
  const buckets = [...new Set(facts.map(({ process }) => ownBounds(measure, process)))].map((bounds) => {
    const below = bounds.filter((bound) => bound < exact).at(-1) ?? 0;
    return { from: atMost(conventional(measure), below), to: atLeast(conventional(measure), atLeast(bounds, exact)) };
  });
  const [from, to] = [Math.min(...buckets.map((bucket) => bucket.from)), Math.max(...buckets.map((bucket) => bucket.to))];
  return { value: (from + to) / 2, slack: (to - from) / 2 };
}
