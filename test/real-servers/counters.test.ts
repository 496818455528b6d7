/** Increases of counters are exact at restarts, after gaps, and for short-lived processes, in total, by a label, and in graphs of any time zone. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { counterIncrease } from "../../src/signals/promql";
import { aligned } from "../../src/view/reading/interval";
import { createCases } from "./counter-cases";
import { type Case, increaseOf, pushCounters } from "./counters";
import { graph, recordedMinutes, sumOfMinutes, totals } from "./increases";
import { recordedWindow } from "./ledger";
import { type RunningPrometheus, startPrometheus } from "./servers";
import { hour, minute } from "./telemetry/world";

const now = Math.floor(Date.now() / 1000) * 1000 + 123;
const cases = createCases(now, 5);

let servers: RunningPrometheus;

beforeAll(async () => {
  servers = await startPrometheus();
  await pushCounters(cases, servers);
}, 120_000);

afterAll(() => servers?.stop());

it.each(cases)("$name: the total of any time range", async ({ name, counters, looks }) => {
  const query = counterIncrease(`calls_total{case="${name}"}`, "$__range");
  expect(looks.length).toBeGreaterThan(5);
  for (const { end, range } of looks) {
    const expected = increaseOf(counters, end - range, end);
    const shown = (await totals(servers.prometheus, query, range, end)).get("") ?? 0;
    expect(shown, `${range / minute} min until ${(now - end) / 1000} s ago`).toBeCloseTo(expected, 6);
  }
});

it("all at once, by a label", async () => {
  const query = counterIncrease("calls_total", "$__range", "case");
  for (const { end, range } of (cases[1] as Case).looks.slice(0, 12)) {
    const shown = await totals(servers.prometheus, query, range, end);
    for (const { name, counters } of cases) expect(shown.get(name) ?? 0, name).toBeCloseTo(increaseOf(counters, end - range, end), 6);
  }
});

// UTC, Berlin in winter, India, Nepal, South Australia.
it.each([0, 1, 5.5, 5.75, 9.5])("each interval of a graph, with the reader's time zone %s h from UTC", async (zone) => {
  for (const step of [minute, 15 * minute, 2 * hour]) {
    const range = aligned({ from: now - 40 * step, to: now }, step, zone * hour);
    for (const { name, counters } of cases) {
      const query = counterIncrease(`calls_total{case="${name}"}`, "$__interval");
      const shown = (await graph(servers.prometheus, query, range, step)).get("");
      // Telemetry begins 31 hours ago; the first interval has no earlier value.
      for (let time = range.from; time <= range.to; time += step) {
        if (time - step < now - 30 * hour) continue;
        const expected = increaseOf(counters, time - step, time);
        expect(shown?.get(time) ?? 0, `${name}, ${step / minute} min until ${(now - time) / 1000} s ago`).toBeCloseTo(expected, 6);
      }
    }
  }
});

describe.each([0, 19_522])("recorded %s ms after each full minute", (second) => {
  it("each minute, and the total of any time range", async () => {
    const recorded = await recordedMinutes(servers.prometheus, "calls_total", now - 30 * hour, now, second);
    for (const { name, counters, looks } of cases) {
      const minutes = recorded.get(name);
      for (const [time, value] of minutes ?? [])
        expect(value, `${name}, the minute until ${(now - time) / 1000} s ago`).toBeCloseTo(increaseOf(counters, time - minute, time), 6);
      for (const { end, range } of looks) {
        const { from, to } = recordedWindow(second)({ from: end - range, to: end });
        const shown = sumOfMinutes(minutes, end - range, end);
        expect(shown, `${name}, ${range / minute} min until ${(now - end) / 1000} s ago`).toBeCloseTo(increaseOf(counters, from, to), 6);
      }
    }
  });
});
