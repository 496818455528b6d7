/** Compares noisy measurements: one run of each contestant in every round, and ratios within a round. */
import type { Cost } from "./measure";

/** A compared program. */
export interface Contestant {
  name: string;
  run(): Promise<Cost>;
}

/** The costs of each contestant, by round. */
export type Results = ReadonlyMap<string, readonly Cost[]>;

/** Runs each contestant once in every round, in alternating order, because processes may outlive a run. The first round fills caches and does not count. */
export async function compete(contestants: readonly Contestant[], rounds: number): Promise<Results> {
  const results = new Map<string, Cost[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const { name, run } of round % 2 === 0 ? contestants : [...contestants].reverse()) {
      const cost = await run();
      if (round > 0) results.get(name)?.push(cost);
    }
    process.stderr.write(`${contestants.map(({ name }) => name).join(", ")}: ${round === 0 ? "warm" : `round ${round} of ${rounds}`}\n`);
  }
  return results;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** A figure of each round. Undefined if the machine does not provide it. */
export function byRound(results: Results, name: string, figure: keyof Cost): number[] | undefined {
  const costs = results.get(name)?.map((cost) => cost[figure]);
  return costs?.every((cost) => cost !== undefined) ? costs : undefined;
}

/** The median of a figure computed from several contestants in the same round. */
export function within(
  results: Results,
  names: readonly string[],
  figure: keyof Cost,
  of: (...figures: number[]) => number,
): number | undefined {
  const columns = names.map((name) => byRound(results, name, figure));
  if (!columns.every((column) => column !== undefined)) return undefined;
  return median((columns[0] ?? []).map((_, round) => of(...columns.map((column) => column[round] ?? Number.NaN))));
}

/** The ratio of two contestants. */
export const ratio = (results: Results, name: string, other: string, figure: keyof Cost) =>
  within(results, [name, other], figure, (own, others) => own / others);
