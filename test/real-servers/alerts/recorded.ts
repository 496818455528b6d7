/**
 * What the recording rules write, calculated without Prometheus, as promtool takes many minutes for weeks: in the sum over the processes of a label set, the
 * increase of a counter in each minute of the clock. The test compares it with the rules' own queries.
 */
import type { Labels, Series } from "../telemetry/service";
import { hour, minute } from "../telemetry/world";

/** How long before the minute a rule searches for the value before it. */
const search = 3 * hour;

interface Sums {
  labels: Labels;
  byMinute: Map<number, number>;
}

/** The minutes of one counter, whichever process has it. */
export class Minutes {
  private last: { time: number; value: number; minute: number } | undefined;
  private before: { time: number; value: number } | undefined;

  constructor(private readonly sums: Sums) {}

  add(time: number, value: number): void {
    // A window excludes its start and includes its end.
    const end = Math.ceil(time / minute) * minute;
    if (end !== this.last?.minute) this.close();
    this.last = { time, value, minute: end };
  }

  /** Adds the increase of the last minute. */
  close(before = Number.POSITIVE_INFINITY): void {
    const { last } = this;
    if (!last || last.minute >= before) return;
    const continues = this.before && this.before.time > last.minute - minute - search && this.before.value <= last.value;
    const increase = continues && this.before ? last.value - this.before.value : last.value;
    this.sums.byMinute.set(last.minute, (this.sums.byMinute.get(last.minute) ?? 0) + increase);
    this.before = last;
    this.last = undefined;
  }
}

/**
 * All recorded series. A rule runs a minute after the end of its minute: its samples have the time at which they are there, because an alert of that time
 * cannot see later ones.
 */
export class Recorded {
  private readonly sums = new Map<string, Sums>();
  private readonly minutes = new Map<string, Minutes>();

  minutesOf(counter: string, labels: Labels): Minutes {
    const key = JSON.stringify(labels);
    const sums = this.sums.get(key) ?? { labels, byMinute: new Map<number, number>() };
    this.sums.set(key, sums);
    const found = this.minutes.get(counter) ?? new Minutes(sums);
    this.minutes.set(counter, found);
    return found;
  }

  /** The samples of minutes that end before `time`, each once. */
  before(time: number): Series[] {
    for (const minutes of this.minutes.values()) minutes.close(time);
    return [...this.sums.values()].flatMap(({ labels, byMinute }): Series[] => {
      const ended = [...byMinute].filter(([end]) => end < time).sort(([left], [right]) => left - right);
      for (const [end] of ended) byMinute.delete(end);
      return ended.length > 0 ? [{ labels, samples: ended.map(([end, sum]) => [end + delay, sum]) }] : [];
    });
  }
}

/** `query_offset` of the rules. */
export const delay = minute;
