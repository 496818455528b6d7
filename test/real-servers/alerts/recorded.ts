/**
 * What the recording rules write, calculated without Prometheus, as promtool takes many minutes for weeks: in the sum over the processes of a label set, the
 * increase of a counter in each full minute. The test compares it with the rules' own queries.
 */
import type { Labels, Series } from "../telemetry/service";
import { hour, minute } from "../world/world";

/** How long a rule searches for the last value of a counter. */
export const search = 3 * hour;

/** `query_offset` of the rules: their samples have the time at which they are there, because an alert of that time cannot see later ones. */
export const delay = minute;

/** The end of the minute in which a sample counts. A window excludes its start and includes its end. */
export const endOfMinute = (time: number) => Math.ceil(time / minute) * minute;

/** A recorded series. */
class Sums {
  readonly byMinute = new Map<number, number>();
  private filled = 0;

  constructor(readonly labels: Labels) {}

  /** @param lasts how long there are values of 0 after the last increase */
  add(time: number, increase: number, lasts = 0): void {
    const end = endOfMinute(time);
    for (this.filled = Math.max(this.filled, end); this.filled < time + lasts; this.filled += minute) this.byMinute.set(this.filled, 0);
    this.byMinute.set(end, (this.byMinute.get(end) ?? 0) + increase);
  }
}

/** A counter, whichever process has it. */
export class Samples {
  private last: { time: number; value: number } | undefined;

  constructor(private readonly sums: Sums) {}

  add(time: number, value: number): void {
    const { last } = this;
    const continues = last && last.time > endOfMinute(time) - minute - search && last.value <= value;
    this.sums.add(time, continues ? value - last.value : value, search);
    this.last = { time, value };
  }
}

/** All recorded series. */
export class Recorded {
  private readonly sums = new Map<string, Sums>();
  private readonly samples = new Map<string, Samples>();

  sumsOf(labels: Labels): Sums {
    return found(this.sums, JSON.stringify(labels), () => new Sums(labels));
  }

  samplesOf(counter: string, labels: Labels): Samples {
    return found(this.samples, counter, () => new Samples(this.sumsOf(labels)));
  }

  /** The samples of minutes that end before `time`, each once. */
  before(time: number): Series[] {
    return [...this.sums.values()].map(({ labels, byMinute }) => {
      const ended = [...byMinute].filter(([end]) => end < time);
      for (const [end] of ended) byMinute.delete(end);
      return { labels, samples: ended.map(([end, sum]) => [end + delay, sum]) };
    });
  }
}

function found<V>(all: Map<string, V>, key: string, create: () => V): V {
  const value = all.get(key) ?? create();
  all.set(key, value);
  return value;
}
