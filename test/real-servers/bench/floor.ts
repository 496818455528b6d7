/** The minimum that a dashboard reads: the samples that its panels need, each once. */
import { value } from "./measure";
import { type Query, readBy, timeOf } from "./queries";

export interface Floor {
  /** A mean of samples needs their sum and their number: two functions of the range, so two reads. */
  samples: number;
  /** With one read for a mean, too. No query achieves this: see below. */
  strict: number;
}

/**
 * A panel needs each sample of its series in the range.
 *
 * A mean over several series is (sum of sums) / (sum of counts): two numbers per series. A function of a range returns one number per series. PromQL has no
 * name for a range that is used twice, and a subquery reads values at the points of a grid, not the samples. So no query reads them once.
 */
export async function floorOf(server: string, queries: readonly Query[], range: { from: number; to: number }): Promise<Floor> {
  const floor: Floor = { samples: 0, strict: 0 };
  const known = new Map<string, number>();
  for (const query of queries) {
    const { selectors, twice } = readBy(query);
    const { at, seconds } = timeOf(query, range);
    for (const selector of selectors) {
      const counted = `sum(count_over_time(${selector}[${seconds}s]))`;
      const needed = known.get(`${counted} ${at}`) ?? (await value(server, counted, at));
      known.set(`${counted} ${at}`, needed);
      floor.samples += twice ? 2 * needed : needed;
      floor.strict += needed;
    }
  }
  return floor;
}
