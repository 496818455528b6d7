/** Increases of counters are exact in ranges of weeks and months, too: totals of 7 and 30 days, graphs of 14 and 90 days. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { counterIncrease } from "../../src/signals/promql";
import { aligned, step as stepOf } from "../../src/view/reading/interval";
import { increaseOf, pushCounters } from "./counters";
import { graph, recordedMinutes, sumOfMinutes, totals } from "./increases";
import { recordedWindow } from "./ledger";
import { createLongCases, day, longest } from "./long-cases";
import { type RunningPrometheus, startPrometheus } from "./servers";
import { hour, minute } from "./telemetry/world";

const now = Math.floor(Date.now() / 1000) * 1000 + 123;
const cases = createLongCases(now, 8);

let servers: RunningPrometheus;

beforeAll(async () => {
  servers = await startPrometheus(`${longest / day + 1}d`);
  await pushCounters(cases, servers);
}, 120_000);

afterAll(() => servers?.stop());

it.each(cases)("$name: the total of 7 and 30 days", async ({ name, counters, looks }) => {
  const query = counterIncrease(`calls_total{case="${name}"}`, "$__range");
  for (const { end, range } of looks) {
    const shown = (await totals(servers.prometheus, query, range, end)).get("");
    expect(shown, `${range / day} days until ${(now - end) / 1000} s ago`).toBeCloseTo(increaseOf(counters, end - range, end), 6);
  }
});

/** Points of a graph in half of the dashboard's width. */
const points = 50;

// UTC, Berlin in winter, India, Nepal, South Australia. Each zone ends at another time: after restarts, and at any time.
const ends = (cases.find(({ name }) => name === "deployed")?.looks ?? []).map(({ end }) => end).reverse();

it.each([0, 1, 5.5, 5.75, 9.5])("each interval of a graph of 14 and 90 days, with the reader's time zone %s h from UTC", async (zone) => {
  for (const [days, selector] of [
    [14, "calls_total"],
    // Without the many short-lived processes of the last month.
    [90, 'calls_total{instance="1"}'],
  ] as const) {
    const to = ends[[0, 1, 5.5, 5.75, 9.5].indexOf(zone)] as number;
    const step = stepOf({ from: to - days * day, to }, points, minute);
    const range = aligned({ from: to - days * day, to }, step, zone * hour);
    const shown = await graph(servers.prometheus, counterIncrease(selector, "$__interval", "case"), range, step);
    for (const { name, counters } of cases) {
      if (days === 90 && counters.length > 1) continue;
      for (let time = range.from; time <= range.to; time += step) {
        // The first interval of a series has no earlier value.
        if (time - step < now - longest + hour) continue;
        const expected = increaseOf(counters, time - step, time);
        expect(shown.get(name)?.get(time) ?? 0, `${name}, ${step / hour} h until ${(now - time) / 1000} s ago`).toBeCloseTo(expected, 6);
      }
    }
  }
});

it("recorded: the total of 7 and 30 days", async () => {
  const second = 41_007;
  const recorded = await recordedMinutes(servers.prometheus, "calls_total", now - 38 * day, now, second);
  for (const { name, counters, looks } of cases) {
    for (const { end, range } of looks) {
      const { from, to } = recordedWindow(second)({ from: end - range, to: end });
      const shown = sumOfMinutes(recorded.get(name), end - range, end);
      expect(shown, `${name}, ${range / day} days until ${(now - end) / 1000} s ago`).toBeCloseTo(increaseOf(counters, from, to), 6);
    }
  }
});
