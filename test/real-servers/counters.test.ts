/** What the samples of a counter do not show: panels show the values that src/signals/README.md documents, read directly and recorded. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { tooManyResets } from "../../src/checks/arrival";
import { counterIncrease } from "../../src/signals/promql";
import { queryInstant, queryRange } from "../view/reading/client";
import { type RunningPrometheus, startPrometheus } from "./servers";
import { push } from "./telemetry/push";
import { remoteWrite, remoteWriteHeaders } from "./telemetry/service";
import { hour, minute } from "./world/world";

/** The samples of one run of a process: their times and the counter's values, which begin anew in each run. */
type Run = [time: number, value: number][];

/** The runs of one series. */
interface Case {
  name: string;
  runs: Run[];
}

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
  { name: "a silence of more than three hours counts as a new process", runs: silent, from: -13 * hour, true: 170, shown: 100 + 170 },
  { name: "a silence across the start of the range, too", runs: silent, from: -9 * hour, true: 170 - 100, shown: 170 },
  {
    name: "restarts more than three hours after the last value, such as that of a rare model, lose nothing",
    runs: [at([-9 * hour, 2], [-8 * hour, 9]), at([-4 * hour, 11], [-2 * hour, 13])],
    ...{ from: -10 * hour, true: 9 + 13, shown: 9 + 13 },
  },
  {
    name: "a process whose first value is at or above its predecessor's last one counts as its continuation",
    runs: [running(-6 * hour, -5 * hour, 1, 1), running(-5 * hour + minute, -4 * hour, 80, 2)],
    ...{ from: -7 * hour, true: 61 + 198, shown: 198 },
  },
  {
    name: "a restart within a minute loses what the old process counted in that minute",
    runs: [at([-2 * hour, 50], [-hour, 100], [-hour + 10 * second, 108]), at([-hour + 40 * second, 5], [0, 30])],
    ...{ from: -1.5 * hour, true: 108 - 50 + 30, shown: 100 - 50 + 30 },
  },
  {
    name: "jobs with the same labels, one after the other within three hours, count as one process",
    runs: [7, 3, 9, 9, 4, 12].map((value, index) => at([(index - 6) * hour + 25 * minute + 5 * second, value])),
    ...{ from: -7 * hour, true: 7 + 3 + 9 + 9 + 4 + 12, shown: 7 + 3 + (9 - 3) + (9 - 9) + 4 + (12 - 4) },
  },
];

/** Replicas with the same labels, which export at different seconds: one series has the samples of both. */
const replicas = [running(-2 * hour + 20 * second, -40 * second, 1, 30), running(-2 * hour + 50 * second, -10 * second, 1, 3)];
const shared: Case = { name: "replicas", runs: [replicas.flat().sort(([left], [right]) => left - right)] };

/** A new process each seven minutes, with the labels of the one before. */
const crashLoop: Case = {
  name: "crash loop",
  runs: Array.from({ length: 17 }, (_, index) => running((index * 7 - 120) * minute, (index * 7 - 115) * minute, 1, 2)),
};

const selector = "calls_total";
let servers: RunningPrometheus;

beforeAll(async () => {
  servers = await startPrometheus();
  const series = [...cases, shared, crashLoop].map(({ name, runs }) => ({
    labels: { __name__: selector, case: name },
    samples: runs.flat(),
  }));
  await push(remoteWrite(series), `${servers.prometheus}/api/v1/write`, remoteWriteHeaders);
}, 120_000);

afterAll(() => servers?.stop());

/** The true increase in a time range of full minutes that ends now. */
const trueSince = (from: number, { runs }: Case) =>
  runs
    .flatMap((run) => run.map(([time, value], index) => ({ time, increase: value - (run[index - 1]?.[1] ?? 0) })))
    .reduce((sum, { time, increase }) => sum + (time > now + from ? increase : 0), 0);

/** The increase in a time range that ends now, as panels show it in both modes. */
async function shownSince(from: number, name: string): Promise<number> {
  const ofCase = `${selector}{case="${name}"}`;
  const { result } = await queryInstant(servers.prometheus, counterIncrease(ofCase, `${-from / minute}m`), now);
  const direct = Number((result as { value: [number, string] }[])[0]?.value[1]);
  const recorded = await queryRange(servers.prometheus, counterIncrease(ofCase, "1m"), { from: now + from + minute, to: now }, minute);
  const minutes = (recorded.result as { values: [number, string][] }[]).flatMap(({ values }) => values.map(([, value]) => Number(value)));
  expect(minutes.reduce((sum, value) => sum + value, 0)).toBe(direct);
  return direct;
}

it.each(cases)("$name", async ({ name, from, shown, ...each }) => {
  expect(trueSince(from, { name, ...each })).toBe(each.true);
  expect(await shownSince(from, name)).toBe(shown);
});

it("replicas with the same labels cannot be separated: the last one in each minute counts", async () => {
  expect(await shownSince(-hour, shared.name)).toBe(3 * 60);
});

it("a process that crashes again and again counts whole", async () => {
  expect(await shownSince(-2.1 * hour, crashLoop.name)).toBe(trueSince(-2.1 * hour, crashLoop));
});

it("the checks find replicas with the same labels, and not a crash loop", async () => {
  const { result } = await queryInstant(servers.prometheus, `max by (case) (resets(${selector}[1h])) > ${tooManyResets}`, now);
  expect(result).toMatchObject([{ metric: { case: shared.name } }]);
});
