/**
 * Percentiles of times, as far as histograms tell them. The rule for all panels: a percentile is right if it is in the bucket with the exact one. The exact
 * one is the smallest time that is not exceeded by this share of them.
 */
import type { CounterMode } from "../../src/signals/signal";
import type { Fact } from "./facts";
import type { Truth } from "./ledger";
import { instruments } from "./telemetry/instruments";

const bounds = instruments["gen_ai.client.operation.duration"].bounds ?? [];

/** Rules take all bounds to those of the conventions; of first tokens, to those that all SDKs have. */
function recordedBounds({ measure, bounds: own }: Fact): readonly number[] {
  if (measure === "databases") return own;
  return measure === "firstToken" ? bounds.filter((bound) => bound <= 10.24) : bounds;
}

/** The middle of the bucket, with half of its width as slack. Times are those of SDKs with the same bounds. */
export function percentile(share: number, facts: readonly [Fact, ...Fact[]], mode: CounterMode): Truth {
  const times = facts.map(({ seconds }) => seconds).sort((left, right) => left - right);
  const exact = times[Math.ceil(share * times.length) - 1] as number;
  const [first] = facts;
  const own = [first.bounds.findLast((bound) => bound < exact) ?? 0, first.bounds.find((bound) => bound >= exact)] as const;
  const read = mode === "recorded" ? recordedBounds(first) : first.bounds;
  const highest = read.at(-1) as number;
  const from = read.findLast((bound) => bound <= own[0]) ?? 0;
  const to = read.find((bound) => bound >= (own[1] ?? highest)) ?? highest;
  return { value: (from + to) / 2, slack: (to - from) / 2 };
}
