/**
 * Percentiles of times, as far as histograms tell them. The rule for all panels: a percentile is right if it is in the bucket with the exact one. The exact
 * one is the smallest time that is not exceeded by this share of them. If an SDK has other bounds than those of the conventions, recorded buckets end where
 * the next bounds of the conventions are.
 */
import type { Truth } from "../ledger";
import type { Fact, Measure } from "./facts";
import { defaultBounds, instruments, type Metric } from "./instruments";
import { sdks } from "./sdks";

/** The bounds of the conventions for a measure. */
const conventional = (measure: Measure) =>
  boundsOf(measure === "databases" ? "db.client.operation.duration" : "gen_ai.client.operation.duration");

const boundsOf = (metric: Metric) => instruments[metric].bounds as readonly number[];

/** The bounds of an SDK for a measure. */
function ownBounds({ measure, sdk }: Fact): readonly number[] {
  if (sdks[sdk].defaultBounds) return defaultBounds;
  return measure === "firstToken" && sdk === "agento11y" ? boundsOf("gen_ai.server.time_to_first_token") : conventional(measure);
}

const atMost = (bounds: readonly number[], value: number) => bounds.filter((bound) => bound <= value).at(-1) ?? 0;
const atLeast = (bounds: readonly number[], value: number) => bounds.find((bound) => bound >= value) ?? (bounds.at(-1) as number);

/** The middle of the bucket, with half of its width as slack. Undefined without times. */
export function percentile(share: number, facts: readonly Fact[]): Truth | undefined {
  const times = facts.map(({ seconds }) => seconds as number).sort((left, right) => left - right);
  const exact = times[Math.ceil(share * times.length) - 1];
  const [first] = facts;
  if (exact === undefined || !first) return undefined;
  const buckets = facts.map((fact) => {
    const bounds = ownBounds(fact);
    const below = bounds.filter((bound) => bound < exact).at(-1) ?? 0;
    return [atMost(conventional(fact.measure), below), atLeast(conventional(fact.measure), atLeast(bounds, exact))] as const;
  });
  const [from, to] = [Math.min(...buckets.map(([from]) => from)), Math.max(...buckets.map(([, to]) => to))];
  return { value: (from + to) / 2, slack: (to - from) / 2 };
}
