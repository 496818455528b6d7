/**
 * Percentiles of times, as far as histograms tell them. The rule for all panels: a percentile is right if it is in the bucket with the exact one. The exact
 * one is the smallest of the times that is not exceeded by this share of them. If histograms of several SDKs are added, it is in the largest of these
 * buckets.
 */
import type { Truth } from "../ledger";
import type { Fact, Measure } from "./facts";
import { defaultBounds, instruments, type Metric } from "./instruments";
import { sdks } from "./sdks";
import type { Process } from "./world";

/** The histogram in which an SDK counts a measure. */
function histogramOf(measure: Measure, { sdk }: Process): Metric {
  if (measure === "databases") return "db.client.operation.duration";
  if (measure === "firstToken" && (sdk === "openllmetry" || sdk === "agento11y")) return "gen_ai.server.time_to_first_token";
  return "gen_ai.client.operation.duration";
}

function boundsOf(measure: Measure, process: Process): readonly number[] {
  if (sdks[process.sdk].defaultBounds) return defaultBounds;
  return instruments[histogramOf(measure, process)].bounds as readonly number[];
}

/** The middle of the bucket, with half of its width as slack. Undefined without times. */
export function percentile(share: number, measure: Measure, facts: readonly { fact: Fact; process: Process }[]): Truth | undefined {
  const times = facts.map(({ fact }) => fact.seconds as number).sort((left, right) => left - right);
  const exact = times[Math.ceil(share * times.length) - 1];
  if (exact === undefined) return undefined;
  const layouts = [...new Set(facts.map(({ process }) => boundsOf(measure, process)))];
  const from = Math.min(...layouts.map((bounds) => bounds.filter((bound) => bound < exact).at(-1) ?? 0));
  const to = Math.max(...layouts.map((bounds) => bounds.find((bound) => bound >= exact) ?? (bounds.at(-1) as number)));
  return { value: (from + to) / 2, slack: Math.abs(to - from) / 2 };
}
