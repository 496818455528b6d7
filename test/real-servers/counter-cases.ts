/** The cases of restarts, gaps and short lives, in ranges up to a day. */
import { atClock, type Case, type Run, run, second } from "./counters";
import { Random } from "./telemetry/random";
import { hour, minute } from "./telemetry/world";

const ranges = [5 * minute, hour, 6 * hour, 24 * hour];

/** The cases of restarts, gaps and short lives. `now` is any time. */
export function createCases(now: number, seed: number): Case[] {
  const random = new Random(seed);
  const between = (low: number, high: number) => random.integer(Math.round(low), Math.round(high));
  const anyLooks = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      end: between(-5 * hour, -10 * second),
      range: ranges[index % ranges.length] as number,
    }));
  const restarting = (every: [number, number], step: number, perSample: number, from = -31 * hour): { runs: Run[]; starts: number[] } => {
    const runs: Run[] = [];
    for (let at = from; at < -20 * second; ) {
      const end = Math.min(at + between(...every), 0);
      runs.push(run(random, at, end, step, perSample));
      at = end + between(4 * second, 25 * second);
    }
    return { runs, starts: runs.map(({ samples }) => samples[0]?.[0] ?? 0) };
  };
  const afterRestarts = (starts: readonly number[], low: number, high: number) =>
    starts
      .filter((start) => start > -5 * hour && start < -high)
      .slice(-24)
      .map((start, index) => ({ end: start + between(low, high), range: ranges[index % ranges.length] as number }));

  const deployed = restarting([35 * minute, 45 * minute], minute, 20);
  const crashing = restarting([6 * minute, 8 * minute], minute, 10);
  const down: Run[] = [run(random, -31 * hour, -7.2 * hour, minute, 10), run(random, -5.1 * hour, 0, minute, 40)];
  const pods = Array.from({ length: 60 }, (_, index) => {
    const start = -31 * hour + index * 31 * minute + between(0, minute);
    return {
      name: "pods",
      instance: `pod-${index}`,
      runs: [{ ...run(random, start, start + between(20 * minute, 35 * minute), 15 * second, 5), stale: true }],
    };
  });
  const jobs = Array.from({ length: 120 }, (_, index) => {
    const start = -30 * hour + index * 15 * minute + between(0, minute);
    return {
      name: "jobs",
      instance: `job-${index}`,
      runs: [{ ...run(random, start, start + between(5, 45) * second, 15 * second, 5), stale: true }],
    };
  });
  const short = Array.from({ length: 20 }, (_, index) => {
    const start = -5.5 * hour + index * 15 * minute + between(0, minute);
    const restart = start + between(3, 7) * minute;
    return {
      name: "short",
      instance: `short-${index}`,
      runs: [run(random, start, restart, minute, 20), run(random, restart + 10 * second, start + 10 * minute, minute, 20)],
    };
  });

  const cases: Case[] = [
    { name: "steady", counters: [{ name: "steady", instance: "1", runs: [run(random, -31 * hour, 0, minute, 10)] }], looks: anyLooks(24) },
    {
      name: "deployed",
      counters: [{ name: "deployed", instance: "1", runs: deployed.runs }],
      looks: [...anyLooks(24), ...afterRestarts(deployed.starts, 3 * second, 60 * second)],
    },
    {
      name: "crashing",
      counters: [{ name: "crashing", instance: "1", runs: crashing.runs }],
      looks: [...anyLooks(24), ...afterRestarts(crashing.starts, 3 * second, 40 * second)],
    },
    {
      name: "down at the start",
      counters: [{ name: "down at the start", instance: "1", runs: down }],
      looks: Array.from({ length: 24 }, () => ({ end: between(-1.1 * hour, 0), range: 6 * hour })),
    },
    {
      name: "restart after the start",
      counters: [{ name: "restart after the start", instance: "1", runs: restarting([35 * minute, 45 * minute], minute, 20).runs }],
      looks: [],
    },
    { name: "pods", counters: pods, looks: anyLooks(40) },
    { name: "jobs", counters: jobs, looks: anyLooks(40) },
    { name: "short", counters: short, looks: anyLooks(40) },
  ];
  const late = cases.find(({ name }) => name === "restart after the start") as Case;
  const starts = late.counters[0]?.runs.map(({ samples }) => samples[0]?.[0] ?? 0) ?? [];
  late.looks = starts
    .filter((start) => start > -7 * hour && start < -hour - 50 * second)
    .map((start) => ({ end: start - between(5 * second, 50 * second) + hour, range: hour }));
  return atClock(cases, now);
}
