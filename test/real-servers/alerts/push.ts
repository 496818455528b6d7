/** Pushes a timeline to Prometheus: what the SDKs' processes, the gateway and the recording rules write, part by part. */
import { push } from "../telemetry/push";
import { remoteWrite, remoteWriteHeaders, type Series } from "../telemetry/service";
import { hour } from "../world/world";
import { applications } from "./applications";
import { ExportingProcess } from "./exports";
import { gatewaySeries } from "./gateway";
import { Recorded } from "./recorded";
import type { Rate } from "./stories";
import { createTimeline, storyAt, timelineOf } from "./timeline";

/**
 * @param stored when Prometheus gets the samples of SDKs, too, and not only the recorded ones
 * @returns the number of samples by the name of their series
 */
export async function pushTimeline(
  prometheus: string,
  seed: number,
  rate: Rate,
  stored: readonly { from: number; to: number }[],
): Promise<Map<string, number>> {
  const { calls, processes } = createTimeline(seed, rate);
  const timeline = timelineOf(rate);
  const silentAt = (time: number) => storyAt(time, rate)?.silent;
  const recorded = new Recorded();
  const callsOf = new Map(applications.map(({ name }) => [name, calls.filter(({ application }) => application === name)]));
  const exporting = processes.map((process) => {
    const own = (callsOf.get(process.application.name) ?? []).filter(({ end }) => end > process.start && end <= process.end);
    return new ExportingProcess(
      process,
      own,
      recorded,
      (application, time) => silentAt(time)?.sdk?.(application) ?? false,
      (_application, time) => stored.some(({ from, to }) => time > from && time <= to),
    );
  });
  const gateway = gatewaySeries(calls, (time) => silentAt(time)?.gateway ?? false);
  const pushed = new Map<string, number>();
  let sent: Promise<unknown> = Promise.resolve();
  for (let from = timeline.all.from; from < timeline.all.to; from += part) {
    const to = from + part;
    const written = [
      ...gateway.map(({ labels, samples }) => ({ labels, samples: samples.filter(([time]) => time >= from && time < to) })),
      ...exporting.flatMap((process) => process.exportedUntil(to)),
      ...recorded.before(to).map(({ labels, samples }) => ({ labels, samples: samples.filter(([time]) => !silentAt(time)?.recording) })),
    ].filter((series) => series.samples.length > 0);
    for (const { labels, samples } of written) {
      const name = labels.__name__ as string;
      pushed.set(name, (pushed.get(name) ?? 0) + samples.length);
    }
    // The server works while the next part is made.
    await sent;
    sent = pushInTurns(inBodies(written), `${prometheus}/api/v1/write`);
  }
  await sent;
  return pushed;
}

/** Prometheus takes samples up to half of its `min-block-duration` after newer ones of other series at once, later ones with more work. */
const part = 6 * hour;
export const startFlags = ["--storage.tsdb.min-block-duration=1d"];

async function pushInTurns(bodies: readonly Series[][], address: string): Promise<void> {
  for (const body of bodies) await push(remoteWrite(body), address, remoteWriteHeaders);
}

/** Prometheus accepts bodies of up to 32 MB. */
const samplesOfBody = 200_000;

function inBodies(all: readonly Series[]): Series[][] {
  const bodies: Series[][] = [[]];
  let samples = 0;
  for (const series of all) {
    if (samples > samplesOfBody) {
      bodies.push([]);
      samples = 0;
    }
    bodies.at(-1)?.push(series);
    samples += series.samples.length;
  }
  return bodies;
}
