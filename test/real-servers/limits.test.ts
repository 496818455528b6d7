/** What the samples of a counter do not show: panels show the values that src/signals/README.md documents, read directly and recorded. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { tooManyResets } from "../../src/checks/arrival";
import { queryInstant } from "../view/reading/client";
import { type Case, directTotals, minutesOf, pushCounters, type Run, recordedMinutes, sumIn } from "./counters";
import { type RunningPrometheus, startPrometheus } from "./servers";
import { hour, minute } from "./telemetry/world";

const second = 1000;

/** A full minute: neither end of a time range is within one. */
const now = Math.floor(Date.now() / minute) * minute;

/** Samples at times before `now`. */
const at = (...values: Run): Run => values.map(([time, value]) => [now + time, value]);

/** A sample in each minute: `first`, and `added` more each time. */
const running = (from: number, to: number, first: number, added: number): Run =>
  at(...Array.from({ length: (to - from) / minute + 1 }, (_, index): Run[number] => [from + index * minute, first + index * added]));

const silent = [at([-12 * hour, 100], [-8 * hour + second, 150], [-7 * hour, 170])];

const cases: (Case & { from: number; true: number; shown: number })[] = [
  { name: "a silence of more than three hours counts as a new process", series: [silent], from: -13 * hour, true: 170, shown: 100 + 170 },
  { name: "a silence across the start of the range, too", series: [silent], from: -9 * hour, true: 170 - 100, shown: 170 },
  {
    name: "restarts more than three hours after the last value, such as that of a rare model, lose nothing",
    series: [[at([-9 * hour, 2], [-8 * hour, 9]), at([-4 * hour, 11], [-2 * hour, 13])]],
    ...{ from: -10 * hour, true: 9 + 13, shown: 9 + 13 },
  },
  {
    name: "a process whose first value is at or above its predecessor's last one counts as its continuation",
    series: [[running(-6 * hour, -5 * hour, 1, 1), running(-5 * hour + minute, -4 * hour, 80, 2)]],
    ...{ from: -7 * hour, true: 61 + 198, shown: 198 },
  },
  {
    name: "a restart within a minute loses what the old process counted in that minute",
    series: [[at([-2 * hour, 50], [-hour, 100], [-hour + 10 * second, 108]), at([-hour + 40 * second, 5], [0, 30])]],
    ...{ from: -1.5 * hour, true: 108 - 50 + 30, shown: 100 - 50 + 30 },
  },
  {
    name: "jobs with the same labels, one after the other within three hours, count as one process",
    series: [[7, 3, 9, 9, 4, 12].map((value, index) => at([(index - 6) * hour + 25 * minute + 5 * second, value]))],
    ...{ from: -7 * hour, true: 7 + 3 + 9 + 9 + 4 + 12, shown: 7 + 3 + (9 - 3) + (9 - 9) + 4 + (12 - 4) },
  },
];

/** Replicas with the same labels, which export at different seconds: one series has the samples of both. */
const replicas = [running(-2 * hour + 20 * second, -40 * second, 1, 30), running(-2 * hour + 50 * second, -10 * second, 1, 3)];
const shared: Case = { name: "replicas", series: [[replicas.flat().sort(([left], [right]) => left - right)]] };

/** A new process each seven minutes, with the labels of the one before. */
const crashLoop: Case = {
  name: "crash loop",
  series: [Array.from({ length: 17 }, (_, index) => running((index * 7 - 120) * minute, (index * 7 - 115) * minute, 1, 2))],
};

let servers: RunningPrometheus;

beforeAll(async () => {
  servers = await startPrometheus();
  await pushCounters([...cases, shared, crashLoop], servers.prometheus);
}, 120_000);

afterAll(() => servers?.stop());

/** The increase in a time range that ends now, as panels show it in both modes. */
async function shownSince(from: number, name: string): Promise<number> {
  const window = { from: now + from, to: now };
  const direct = (await directTotals(servers.prometheus, window)).get(name);
  const recorded = await recordedMinutes(servers.prometheus, window, 0);
  expect(sumIn(recorded.get(name), window)).toBe(direct);
  return direct ?? 0;
}

it.each(cases)("$name", async ({ name, from, shown, ...each }) => {
  expect(sumIn(minutesOf({ name, ...each }), { from: now + from, to: now })).toBe(each.true);
  expect(await shownSince(from, name)).toBe(shown);
});

it("replicas with the same labels cannot be separated: the last one in each minute counts", async () => {
  expect(await shownSince(-hour, shared.name)).toBe(3 * 60);
});

it("the checks find replicas with the same labels, and not a crash loop", async () => {
  const { result } = await queryInstant(servers.prometheus, `max by (case) (resets(calls_total[1h])) > ${tooManyResets}`, now);
  expect(result).toMatchObject([{ metric: { case: shared.name } }]);
});
