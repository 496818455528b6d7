/** What the samples of a counter do not show: panels show the values that src/signals/README.md documents. */
import { expect, it } from "vitest";
import { tooManyResets } from "../../src/checks/arrival";
import { counterIncrease } from "../../src/signals/promql";
import { queryInstant } from "../view/reading/client";
import { server, usePrometheus } from "./set-up";
import { pushSeries } from "./telemetry/push";
import { hour, minute } from "./world/world";

type Samples = [time: number, value: number][];

/** A full minute: neither end of a time range is within one. */
const now = Math.floor(Date.now() / minute) * minute;
const range = 9 * hour;

/** A sample in each minute: `first`, and `added` more each time. Times are before `now`. */
const running = (from: number, to: number, first: number, added: number): Samples =>
  Array.from({ length: (to - from) / minute + 1 }, (_, index) => [now + from + index * minute, first + index * added]);

const second = 1000;
const byTime = ([left]: Samples[number], [right]: Samples[number]) => left - right;

const cases: { name: string; samples: Samples; true: number; shown: number }[] = [
  {
    name: "a silence of more than three hours counts as a new process",
    samples: [...running(-6 * hour, -5 * hour, 10, 1), ...running(-hour, 0, 70, 1)],
    ...{ true: 130, shown: 70 + 130 },
  },
  {
    name: "a process whose first value is at or above its predecessor's last one counts as its continuation",
    samples: [...running(-6 * hour, -5 * hour, 1, 1), ...running(-5 * hour + minute, -4 * hour, 80, 2)],
    ...{ true: 61 + 198, shown: 198 },
  },
  {
    name: "of replicas with the same labels, the last one in each minute counts",
    samples: [...running(-hour + 20 * second, -40 * second, 30, 30), ...running(-hour + 50 * second, -10 * second, 3, 3)].sort(byTime),
    ...{ true: 60 * 33, shown: 60 * 3 },
  },
  {
    name: "a counter that is no number any more counts until then, and after the restart",
    samples: [
      ...running(-60 * minute, -40 * minute, 10, 1),
      ...running(-39 * minute, -35 * minute, Number.NaN, 1),
      ...running(-34 * minute, -31 * minute, Number.POSITIVE_INFINITY, 1),
      ...running(-30 * minute, 0, 5, 1),
    ],
    ...{ true: 30 + 35, shown: 30 + 35 },
  },
  {
    name: "a process that crashes again and again counts whole",
    samples: Array.from({ length: 17 }, (_, index) => running((index * 7 - 120) * minute, (index * 7 - 115) * minute, 1, 2)).flat(),
    ...{ true: 17 * 11, shown: 17 * 11 },
  },
];

const selector = "calls_total";
usePrometheus(120_000, async () => {
  const series = cases.map(({ name, samples }) => ({ labels: { __name__: selector, case: name }, samples }));
  await pushSeries(server.prometheus, series);
});

it.each(cases)("$name: $shown instead of $true", async ({ name, shown }) => {
  const { result } = await queryInstant(server.prometheus, counterIncrease(`${selector}{case="${name}"}`, `${range / minute}m`), now);
  expect(result).toMatchObject([{ value: [now / 1000, String(shown)] }]);
});

it("the checks find replicas with the same labels, and not a crash loop", async () => {
  const { result } = await queryInstant(server.prometheus, `max by (case) (resets(${selector}[1h])) > ${tooManyResets}`, now);
  expect(result).toMatchObject([{ metric: { case: expect.stringContaining("replicas") } }]);
});
