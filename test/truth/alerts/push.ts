/** Pushes a timeline to Prometheus: what the gateway, the recording rules and, for one of them, the SDKs write, part by part. */
import { recordedBudget } from "../../../src/signals/costs";
import { pushSeries } from "../telemetry/push";
import { type Series, serviceSeries } from "../telemetry/service";
import { hour, minute } from "../world/world";
import { applications } from "./applications";
import { createCalls } from "./calls";
import { Recorded, sentSeries } from "./recorded";
import { limitsAt, type Rate, stories } from "./stories";
import { storyAt, timelineOf, timesOf } from "./timeline";

export async function pushTimeline(prometheus: string, seed: number, rate: Rate): Promise<void> {
  const { all } = timelineOf(rate);
  const budgets = Object.entries(limitsAt(rate).budgets ?? {});
  const calls = createCalls(seed, rate, all, (call, random) => storyAt(call.start, rate)?.change?.(call, random) ?? [call]);
  const silentAt = (time: number) => storyAt(time, rate)?.silent;
  const gateway = serviceSeries(calls.filter(({ error, end }) => !error && !silentAt(end)?.gateway)).map(takeUntil);
  const recorded = applications.map((application) => {
    const own = calls.filter(({ process }) => process === application);
    const isLost = (time: number) => silentAt(time)?.sdk?.(application.application) ?? false;
    return new Recorded(application, own, isLost, (time) => silentAt(time)?.recording ?? false);
  });
  let sent: Promise<unknown> = Promise.resolve();
  for (let from = all.from; from < all.to; from += part) {
    const range = { from, to: from + part };
    const minutes = Array.from({ length: part / minute }, (_, index) => from + index * minute);
    const written = [
      ...budgets.map(([application, usd]) => ({
        labels: { __name__: recordedBudget, application },
        samples: minutes.map((time): [number, number] => [time, usd]),
      })),
      ...gateway.map((take) => take(range.to)),
      ...recorded.flatMap((each) => each.samplesOf(range)),
    ];
    // The server works while the next part is made.
    await sent;
    sent = pushSeries(prometheus, written);
  }
  await sent;
  // The rule that watches the recording compares it with what SDKs send.
  const silences = stories.flatMap((story) => (story.silent?.recording ? (timesOf(story, rate) ?? []) : []));
  const watched = silences.flatMap(({ from, to }) => applications.map((each) => sentSeries(each, { from: from - hour, to: to + hour })));
  await pushSeries(prometheus, watched);
}

/** Takes the next samples of a series, which are in the order of their times, up to a time. */
const takeUntil = ({ labels, samples }: Series) => {
  let next = 0;
  return (to: number): Series => {
    const first = next;
    while ((samples[next]?.[0] ?? to) < to) next += 1;
    return { labels, samples: samples.slice(first, next) };
  };
};

/** Prometheus takes samples up to half of its `min-block-duration` after newer ones of other series at once, later ones with more work. */
const part = 6 * hour;
export const startFlags = ["--storage.tsdb.min-block-duration=1d"];
