/**
 * The cases of restarts, gaps and short lives, in ranges of 7 and 30 days. Samples are a minute apart only where a case needs it: the increase does not depend
 * on their number, but the time of a query does.
 */
import { atClock, type Case, type Counter, type Run, run, second } from "./counters";
import { Random } from "./telemetry/random";
import { hour, minute } from "./telemetry/world";

export const day = 24 * hour;

const [week, month] = [7 * day, 30 * day];

/** Telemetry begins this long ago. */
export const longest = 91 * day;

/** `now` is any time. */
export function createLongCases(now: number, seed: number): Case[] {
  const random = new Random(seed);
  const between = (low: number, high: number) => random.integer(Math.round(low), Math.round(high));
  const looks = (ends: () => number, count: number) =>
    [week, month].flatMap((range) => Array.from({ length: count }, () => ({ end: ends(), range })));
  const anyEnd = () => between(-day, -second);
  const one = (name: string, runs: Run[]): Counter[] => [{ name, instance: "1", runs }];

  const restarting = (from: number, every: [number, number], step: number): Run[] => {
    const runs: Run[] = [];
    for (let at = from; at < -minute; ) {
      const end = Math.min(at + between(...every), 0);
      runs.push(run(random, at, end, step, 20));
      at = end + between(4 * second, 25 * second);
    }
    return runs;
  };
  const firstSamples = (runs: readonly Run[]) => runs.map(({ samples }) => samples[0]?.[0] ?? 0);
  /** Processes with an instance id of their own, from the start of the longest range on. */
  const processes = (name: string, every: number, runsAt: (start: number) => Run[]): Counter[] =>
    Array.from({ length: Math.floor((month + day) / every) }, (_, index) => ({
      name,
      instance: `${name}-${index}`,
      runs: runsAt(-month - day + index * every + between(0, every / 2)),
    }));

  const deployed = restarting(-longest, [18 * hour, 30 * hour], 4 * minute);
  const starts = firstSamples(deployed);
  const crashing = restarting(-week - 1.2 * day, [6 * minute, 8 * minute], minute);
  const crashes = firstSamples(crashing).filter((start) => start > -day && start < -minute);
  /** Two and a half hours around the start of a range: a longer gap looks like a new process. */
  const down = (range: number) => [
    run(random, -longest, -range - 2 * hour, 20 * minute, 10),
    run(random, -range + hour / 2, 0, minute * (range / day), 200),
  ];
  /** A restart between the start of the range and the next full minute. */
  const afterStart = (range: number) =>
    starts
      .filter((start) => start < -range - minute)
      .slice(-2)
      .map((start) => ({ end: start - between(5 * second, 50 * second) + range, range }));

  const cases: Case[] = [
    { name: "steady", counters: one("steady", [run(random, -longest, 0, 30 * minute, 10)]), looks: looks(anyEnd, 5) },
    {
      name: "deployed",
      counters: one("deployed", deployed),
      looks: [
        ...looks(anyEnd, 5),
        ...starts.slice(-7, -1).flatMap((start) => looks(() => start + between(3 * second, minute), 1)),
        ...afterStart(week),
        ...afterStart(month),
      ],
    },
    {
      name: "crashing",
      counters: one("crashing", crashing),
      looks: [
        ...Array.from({ length: 5 }, () => ({ end: anyEnd(), range: week })),
        ...crashes.slice(-8).map((start) => ({ end: start + between(3 * second, 40 * second), range: week })),
      ],
    },
    ...[week, month].map((range) => ({
      name: `down ${range / day} days ago`,
      counters: one(`down ${range / day} days ago`, down(range)),
      looks: Array.from({ length: 5 }, () => ({ end: between(-1.8 * hour, 0), range })),
    })),
    // An hourly job would need the same; its series would make the queries slower.
    {
      name: "cron",
      counters: processes("cron", 12 * hour, (start) => [run(random, start, start + between(20 * second, 80 * second), minute, 9)]),
      looks: looks(anyEnd, 3),
    },
    {
      name: "pods",
      counters: processes("pods", 12 * hour, (start) => [{ ...run(random, start, start + 30 * minute, 15 * second, 5), stale: true }]),
      looks: looks(anyEnd, 3),
    },
    {
      name: "short",
      counters: processes("short", 12 * hour, (start) => {
        const restart = start + between(3 * minute, 7 * minute);
        return [run(random, start, restart, minute, 20), run(random, restart + 10 * second, start + 10 * minute, minute, 20)];
      }),
      looks: looks(anyEnd, 3),
    },
  ];
  return atClock(cases, now);
}
