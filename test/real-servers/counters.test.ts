/**
 * The increase of counters is exact for full minutes of the clock, read directly and recorded: at births, restarts and gaps, for short-lived processes, in
 * totals and in graphs of any time zone. Ranges include their end and exclude their start, as in Prometheus from 3.0 on.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aligned } from "../view/reading/interval";
import { createCases, day, type Extent } from "./counter-cases";
import { directGraph, directTotals, minutesOf, pushCounters, recordedMinutes, sumIn } from "./counters";
import { recordedWindow, type Window } from "./ledger";
import { type RunningPrometheus, startPrometheus } from "./servers";
import { Random } from "./telemetry/random";
import { hour, minute } from "./telemetry/world";

// The same second of the minute in each run: the same seed gives the same minutes.
const now = Math.floor(Date.now() / minute) * minute + 22_123;

interface Size extends Extent {
  title: string;
  ranges: number[];
  /** The number of totals of each range, at any end. */
  totals: number;
  graphs: { step: number; points: number }[];
  /** The seconds of the minute at which rules run, in milliseconds. */
  seconds: number[];
}

const sizes: Size[] = [
  {
    title: "up to a day",
    ...{ age: 31 * hour, step: minute, deployed: 40 * minute, short: { age: 30 * hour, every: 20 * minute } },
    ranges: [5 * minute, hour, 6 * hour, day],
    totals: 12,
    graphs: [minute, 15 * minute, 2 * hour].map((step) => ({ step, points: 40 })),
    seconds: [0, 17_000, 41_007],
  },
  {
    title: "up to 90 days",
    ...{ age: 91 * day, step: 20 * minute, deployed: day, short: { age: 31 * day, every: 12 * hour } },
    ranges: [7 * day, 30 * day],
    totals: 3,
    graphs: [
      { step: 6 * hour, points: 56 },
      { step: 2 * day, points: 45 },
    ],
    seconds: [41_007],
  },
];

describe.each(sizes)("$title", ({ ranges, totals, graphs, seconds, ...extent }) => {
  const random = new Random(6);
  const cases = createCases(now, 5, extent).map((each) => ({ ...each, minutes: minutesOf(each) }));
  const windows = ranges.flatMap((range) =>
    Array.from({ length: totals }, (): Window => {
      const to = now - random.integer(0, 6 * hour);
      return { from: to - range, to };
    }),
  );
  const all = { from: Math.min(...windows.map(({ from }) => from)), to: now };
  let servers: RunningPrometheus;

  beforeAll(async () => {
    servers = await startPrometheus(`${extent.age / hour + 24}h`);
    await pushCounters(cases, servers.prometheus);
  }, 120_000);

  afterAll(() => servers?.stop());

  type Known = (typeof cases)[number];
  /** The cases whose shown increase is not the expected one. */
  const differing = (expected: (each: Known) => number, shown: (each: Known) => number | undefined) =>
    cases.flatMap((each) => {
      const [should, is] = [expected(each), shown(each) ?? 0];
      return Math.abs(is - should) < 1e-6 ? [] : [{ case: each.name, should, is }];
    });

  it("totals, read directly", async () => {
    for (const window of windows) {
      const shown = await directTotals(servers.prometheus, window);
      const wrong = differing(
        ({ minutes }) => sumIn(minutes, window),
        ({ name }) => shown.get(name),
      );
      expect(wrong, JSON.stringify(window)).toEqual([]);
    }
  });

  // UTC, Berlin in winter, India, Nepal, South Australia.
  it.each([0, 1, 5.5, 5.75, 9.5])("graphs, read directly, with the reader's time zone %s h from UTC", async (zone) => {
    for (const { step, points } of graphs) {
      const range = aligned({ from: now - points * step, to: now }, step, zone * hour);
      const shown = await directGraph(servers.prometheus, range, step);
      for (let to = range.from; to <= range.to; to += step) {
        const wrong = differing(
          ({ minutes }) => sumIn(minutes, { from: to - step, to }),
          ({ name }) => shown.get(name)?.get(to),
        );
        expect(wrong, `${step / minute} min until ${(now - to) / 1000} s ago`).toEqual([]);
      }
    }
  });

  it.each(seconds)("what a rule records %s ms after each full minute: the minutes, and in total what is read directly", async (second) => {
    const recorded = await recordedMinutes(servers.prometheus, all, second);
    const { from, to } = recordedWindow(second)(all);
    for (let end = from + minute; end <= to; end += minute) {
      const wrong = differing(
        ({ minutes }) => minutes.get(end) ?? 0,
        ({ name }) => recorded.get(name)?.get(end + second),
      );
      expect(wrong, `the minute until ${(now - end) / 1000} s ago`).toEqual([]);
    }
    for (const window of windows) {
      const direct = await directTotals(servers.prometheus, recordedWindow(second)(window));
      const wrong = differing(
        ({ name }) => direct.get(name) ?? 0,
        ({ name }) => sumIn(recorded.get(name), window),
      );
      expect(wrong, JSON.stringify(window)).toEqual([]);
    }
  });
});
