/** Pushes a timeline to Prometheus: what the gateway, the recording rules and, for one of them, the SDKs write, part by part. */
import { inBatches } from "../telemetry/otlp";
import { push } from "../telemetry/push";
import { remoteWrite, remoteWriteHeaders, type Series, serviceSeries } from "../telemetry/service";
import { hour } from "../world/world";
import { applications } from "./applications";
import { createCalls } from "./calls";
import { Recorded, sentSeries } from "./recorded";
import { type Rate, stories } from "./stories";
import { storyAt, timelineOf, timesOf } from "./timeline";

export async function pushTimeline(prometheus: string, seed: number, rate: Rate): Promise<void> {
  const { all } = timelineOf(rate);
  const calls = createCalls(seed, rate, all, (call, random) => storyAt(call.start, rate)?.change?.(call, random) ?? [call]);
  const silentAt = (time: number) => storyAt(time, rate)?.silent;
  const gateway = serviceSeries(calls.filter(({ error, end }) => !error && !silentAt(end)?.gateway));
  const recorded = applications.map((application) => {
    const own = calls.filter(({ process }) => process === application);
    return new Recorded(application, own, (time) => silentAt(time)?.sdk?.(application.application) ?? false);
  });
  const write = async (series: readonly Series[]) => {
    // Prometheus accepts bodies of up to 32 MB.
    for (const body of inBatches(
      series.filter(({ samples }) => samples.length > 0),
      100,
    ))
      await push(remoteWrite(body), `${prometheus}/api/v1/write`, remoteWriteHeaders);
  };
  let sent: Promise<unknown> = Promise.resolve();
  for (let from = all.from; from < all.to; from += part) {
    const range = { from, to: from + part };
    const written = [
      ...gateway.map(({ labels, samples }) => ({ labels, samples: samples.filter(([time]) => time >= from && time < range.to) })),
      ...recorded
        .flatMap((each) => each.samplesOf(range))
        .map(({ labels, samples }) => ({ labels, samples: samples.filter(([time]) => !silentAt(time)?.recording) })),
    ];
    // The server works while the next part is made.
    await sent;
    sent = write(written);
  }
  await sent;
  // The rule that watches the recording compares it with what SDKs send.
  for (const times of stories.flatMap((story) => (story.silent?.recording ? (timesOf(story, rate) ?? []) : [])))
    await write(applications.map((application) => sentSeries(application, { from: times.from - hour, to: times.to + hour })));
}

/** Prometheus takes samples up to half of its `min-block-duration` after newer ones of other series at once, later ones with more work. */
const part = 6 * hour;
export const startFlags = ["--storage.tsdb.min-block-duration=1d"];
