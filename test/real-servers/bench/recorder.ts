/**
 * What recording rules write, calculated without Prometheus: in the sum over the processes of a label set, the increase of a counter in each minute. The
 * names and labels are those of the rules; `requireRecorded` compares the values with the rules' own queries.
 */
import type { RecordingRule } from "../../../src/signals/counters";
import type { Labels, Series } from "../telemetry/service";
import { hour, minute } from "./data";

/** How long before the minute a rule searches for the value before it. */
const search = 3 * hour;

export interface Recorder {
  /** Takes a sample of a counter, in the order of time. */
  add(counter: number, time: number, value: number): void;
  /** The recorded series with their samples before a time, each sample once. */
  before(time: number): Series[];
}

/** @param counters the labels of each counter, `__name__` included */
export function recorder(rules: readonly RecordingRule[], counters: readonly Labels[]): Recorder {
  const recorded = new Map<string, { labels: Labels; sums: Map<number, number> }>();
  const sumsOf = counters.map((counter) => {
    const labels = recordedLabels(rules, counter);
    const key = JSON.stringify(labels);
    const found = recorded.get(key) ?? { labels, sums: new Map<number, number>() };
    recorded.set(key, found);
    return found.sums;
  });
  const unused = rules.find(({ reads }) => !counters.some(({ __name__ }) => __name__ === reads));
  if (unused) throw new Error(`No telemetry of the benchmark is for the recording rule ${unused.name}`);

  // By counter: its last sample, the end of that sample's minute, and the last sample before that minute.
  const numbers = (initial: number) => new Float64Array(counters.length).fill(initial);
  const [lastTime, lastValue, lastMinute] = [numbers(0), numbers(0), numbers(Number.POSITIVE_INFINITY)];
  const [earlierTime, earlierValue] = [numbers(Number.NEGATIVE_INFINITY), numbers(0)];
  const at = (values: Float64Array, counter: number) => values[counter] as number;

  /** Adds the increase of the counter's last minute, unless that was done before. */
  const close = (counter: number) => {
    const end = at(lastMinute, counter);
    if (end === Number.POSITIVE_INFINITY) return;
    const last = at(lastValue, counter);
    const continues = at(earlierTime, counter) > end - minute - search && at(earlierValue, counter) <= last;
    const sums = sumsOf[counter] as Map<number, number>;
    sums.set(end, (sums.get(end) ?? 0) + (continues ? last - at(earlierValue, counter) : last));
    earlierTime[counter] = at(lastTime, counter);
    earlierValue[counter] = last;
    lastMinute[counter] = Number.POSITIVE_INFINITY;
  };

  return {
    add(counter, time, value) {
      // A window excludes its start and includes its end.
      const end = Math.ceil(time / minute) * minute;
      if (end !== at(lastMinute, counter)) close(counter);
      lastTime[counter] = time;
      lastValue[counter] = value;
      lastMinute[counter] = end;
    },
    before(time) {
      for (let counter = 0; counter < counters.length; counter += 1) if (at(lastMinute, counter) < time) close(counter);
      return [...recorded.values()].flatMap(({ labels, sums }): Series[] => {
        const samples = [...sums].filter(([end]) => end < time).sort(([left], [right]) => left - right);
        for (const [end] of samples) sums.delete(end);
        return samples.length > 0 ? [{ labels, samples }] : [];
      });
    },
  };
}

/** The labels of the series in which a rule records the counter. */
function recordedLabels(rules: readonly RecordingRule[], { __name__: series = "", ...labels }: Labels): Labels {
  const rule = rules.find(({ reads }) => reads === series);
  const kept = /sum by \(([^)]*)\)/.exec(rule?.query ?? "")?.[1]?.split(", ");
  if (!rule || !kept) throw new Error(`No recording rule for ${series} with "sum by (…)"`);
  return { __name__: rule.name, ...Object.fromEntries(Object.entries(labels).filter(([name]) => kept.includes(name))) };
}
