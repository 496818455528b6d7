/** What the samples of a counter do not show: panels show the values that src/signals/README.md documents, exact and recorded. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { tooManyResets } from "../../src/checks/arrival";
import { counterIncrease } from "../../src/signals/promql";
import { queryInstant } from "../../src/view/reading/client";
import { type Case, type Counter, increaseOf, pushCounters, type Run, second } from "./counters";
import { recordedMinutes, sumOfMinutes, totals } from "./increases";
import { type RunningPrometheus, startPrometheus } from "./servers";
import { hour, minute } from "./telemetry/world";

/** A full minute, so that recorded minutes end where the time ranges do. */
const now = Math.floor(Date.now() / minute) * minute;

/** Samples at times before `now`. */
const samples = (...values: [time: number, value: number][]): Run => ({ samples: values.map(([time, value]) => [now + time, value]) });

/** A sample in each minute: `first`, and `added` more each time. */
const running = (from: number, to: number, first: number, added: number): Run =>
  samples(
    ...Array.from(
      { length: Math.floor((to - from) / minute) + 1 },
      (_, index) => [from + index * minute, first + index * added] as [number, number],
    ),
  );

const counter = (name: string, instance: string, ...runs: Run[]): Counter => ({ name, instance, runs });

const silent = counter("silent", "1", samples([-12 * hour, 100]), samples([-8 * hour + second, 150], [-7 * hour, 170]));

/** A rare call: the restarted process makes its first one more than three hours after the last one of its predecessor. */
const rare = counter("rare", "1", samples([-9 * hour, 2], [-8 * hour, 9]), samples([-4 * hour, 1], [-2 * hour, 3]));

/** A process that restarts, and has more calls until its first export than its predecessor ever had. */
const [predecessor, successor] = [running(-6 * hour, -5 * hour, 1, 1), running(-5 * hour + 70 * second, -4 * hour, 80, 2)];
const continued = counter("continued", "1", predecessor, successor);

/** The new process exports in the minute of the old one's last two exports. */
const quick = counter(
  "quick",
  "1",
  samples([-2 * hour, 50], [-hour, 100], [-hour + 10 * second, 108]),
  samples([-hour + 40 * second, 5], [0, 30]),
);

/** Replicas that export at different seconds, the second one last in each minute. */
const replicas = [running(-2 * hour + 20 * second, 0, 1, 30), running(-2 * hour + 50 * second, 0, 1, 3)] as const;

/** A new process each seven minutes, with the labels of the one before. */
const crashing = Array.from({ length: 17 }, (_, index) =>
  running(-2 * hour + index * 7 * minute, -2 * hour + (index * 7 + 5) * minute, 1, 2),
);

/** Jobs of each hour that export once. Their values rise and fall. */
const jobs = [7, 3, 9, 9, 4, 12].map((value, index) => samples([-6 * hour + index * hour + 25 * minute + 5 * second, value]));

const cases = [
  { name: "silent", counters: [silent] },
  { name: "rare", counters: [rare] },
  { name: "continued", counters: [continued] },
  { name: "quick", counters: [quick] },
  {
    name: "replicas",
    // Of the same labels: one series with the samples of both.
    counters: [counter("replicas", "1", { samples: replicas.flatMap((run) => run.samples).sort(([left], [right]) => left - right) })],
  },
  { name: "replicas with ids", counters: replicas.map((run, index) => counter("replicas with ids", `${index}`, run)) },
  { name: "crashing", counters: [counter("crashing", "1", ...crashing)] },
  { name: "jobs", counters: [counter("jobs", "1", ...jobs)] },
  { name: "jobs with ids", counters: jobs.map((run, index) => counter("jobs with ids", `${index}`, run)) },
].map((each): Case => ({ ...each, looks: [] }));

let servers: RunningPrometheus;

beforeAll(async () => {
  servers = await startPrometheus();
  await pushCounters(cases, servers);
}, 120_000);

afterAll(() => servers?.stop());

/** The increase from `from` to `to` before now: as it is, and as panels show it. */
async function increases(name: string, from: number, to: number): Promise<{ true: number; exact: number; recorded: number }> {
  const { counters } = cases.find((each) => each.name === name) as Case;
  const selector = `calls_total{case="${name}"}`;
  const [start, end] = [now + from, now + to];
  const exact = await totals(servers.prometheus, counterIncrease(selector, "$__range"), end - start, end);
  const recorded = await recordedMinutes(servers.prometheus, selector, start, end, 0);
  return {
    true: increaseOf(counters, start, end),
    exact: exact.get("") as number,
    recorded: sumOfMinutes(recorded.get(name), start, end),
  };
}

it("a process that was silent for more than three hours counts as a new one, recorded in each range, exact if the range begins meanwhile", async () => {
  // One process, whose counter goes on: the runs of the ledger are one.
  expect(await increases("silent", -9 * hour, 0)).toMatchObject({ exact: 170, recorded: 170 });
  expect(await increases("silent", -13 * hour, 0)).toMatchObject({ exact: 170, recorded: 100 + 170 });
});

it("a restart whose first value comes more than three hours after the last one loses what the old process counted, unless it is recorded", async () => {
  expect(await increases("rare", -10 * hour, 0)).toEqual({ true: 9 + 3, exact: 3, recorded: 9 + 3 });
});

it("a process whose first value is at or above its predecessor's last one counts as its continuation", async () => {
  const found = await increases("continued", -5.5 * hour, 0);
  const lost = 61;
  expect(predecessor.samples.at(-1)?.[1]).toBe(lost);
  expect(found).toEqual({ true: found.true, exact: found.true - lost, recorded: found.true - lost });
});

it("a restart within a minute loses what the old process counted in that minute", async () => {
  expect(await increases("quick", -90 * minute, 0)).toEqual({ true: 100 - 50 + 8 + 30, exact: 100 - 50 + 30, recorded: 100 - 50 + 30 });
});

it("replicas with the same labels cannot be separated, but with ids they can", async () => {
  const together = await increases("replicas", -hour, 0);
  const [first, second] = replicas.map((run) => increaseOf([counter("", "", run)], now - hour, now)) as [number, number];
  // The first one's samples are never the last in a minute.
  expect(together).toMatchObject({ exact: second, recorded: second });
  const separate = await increases("replicas with ids", -hour, 0);
  expect(separate).toEqual({ true: first + second, exact: first + second, recorded: first + second });
});

it("the checks find replicas with the same labels, and not a crash loop", async () => {
  const { result } = await queryInstant(servers.prometheus, `max by (case) (resets(calls_total[1h])) > ${tooManyResets}`, now);
  expect(result).toMatchObject([{ metric: { case: "replicas" } }]);
});

it("jobs that run one after the other count as one process unless they have ids", async () => {
  // 7 + 3 + (9 - 3) + (9 - 9) + 4 + (12 - 4)
  expect(await increases("jobs", -7 * hour, 0)).toEqual({ true: 44, exact: 28, recorded: 28 });
  expect(await increases("jobs with ids", -7 * hour, 0)).toEqual({ true: 44, exact: 44, recorded: 44 });
});
