/** The least that a dashboard could read: the samples that its panels need, each once. */
import { value } from "./measure";
import { type Query, readBy, timeOf } from "./queries";

export interface Floor {
  /** A mean of samples needs their sum and their number: two functions of the range, and so two readings. */
  samples: number;
  /** Even so, only once. No query does that: see below. */
  strict: number;
}

/**
 * A panel of one number, of slices or of points over a range needs each sample of its series in the range.
 *
 * A mean over several series is (sum of sums) / (sum of counts), two numbers for each series. A function of a range gives one for each series, and an
 * aggregation adds up one; a name for a range that is used twice does not exist in PromQL, and a subquery, in which one could pack both numbers into
 * one, sees values at the points of a grid and not the samples. So no query of Prometheus reads them once.
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
