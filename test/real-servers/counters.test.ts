/** Increases of counters are exact at restarts, after gaps, and for short-lived processes, in total, by a label, and in graphs of any time zone. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { counterIncrease } from "../../src/signals/promql";
import { queryInstant, queryRange } from "../../src/view/reading/client";
import { aligned } from "../../src/view/reading/interval";
import { type Case, counterWrite, createCases, increaseOf } from "./counters";
import { type RunningPrometheus, startPrometheus } from "./servers";
import { push } from "./telemetry/push";
import { remoteWriteHeaders } from "./telemetry/service";

const now = Math.floor(Date.now() / 1000) * 1000 + 123;
const cases = createCases(now, 5);

let servers: RunningPrometheus;

beforeAll(async () => {
  servers = await startPrometheus();
  for (const { counters } of cases) {
    const body = counterWrite(counters, ({ name, instance }) => ({ __name__: "calls_total", case: name, instance }));
    await push(body, `${servers.prometheus}/api/v1/write`, remoteWriteHeaders);
  }
}, 120_000);

afterAll(() => servers?.stop());

const withMacros = (query: string, macro: "$__range" | "$__interval", milliseconds: number) =>
  query.replaceAll(macro, `${milliseconds / 1000}s`);

type Vector = { metric: Record<string, string>; value: [number, string] }[];

async function totals(query: string, range: number, end: number): Promise<Map<string, number>> {
  const { result } = await queryInstant(servers.prometheus, withMacros(query, "$__range", range), end);
  return new Map((result as Vector).map(({ metric, value }) => [metric.case ?? "", Number(value[1])]));
}

it.each(cases)("$name: the total of any time range", async ({ name, counters, looks }) => {
  const query = counterIncrease(`calls_total{case="${name}"}`, "$__range");
  expect(looks.length).toBeGreaterThan(5);
  for (const { end, range } of looks) {
    const expected = increaseOf(counters, end - range, end);
    const shown = (await totals(query, range, end)).get("") ?? 0;
    expect(shown, `${range / 60_000} min until ${(now - end) / 1000} s ago`).toBeCloseTo(expected, 6);
  }
});

it("all at once, by a label", async () => {
  const query = counterIncrease("calls_total", "$__range", "case");
  for (const { end, range } of (cases[1] as Case).looks.slice(0, 12)) {
    const shown = await totals(query, range, end);
    for (const { name, counters } of cases) expect(shown.get(name) ?? 0, name).toBeCloseTo(increaseOf(counters, end - range, end), 6);
  }
});

// UTC, Berlin in winter, India, Nepal, South Australia.
it.each([0, 1, 5.5, 5.75, 9.5])("each interval of a graph, with the reader's time zone %s h from UTC", async (zone) => {
  for (const step of [60_000, 900_000, 7_200_000]) {
    const range = { from: now - 40 * step, to: now };
    const { from, to } = aligned(range, step, zone * 3_600_000);
    for (const { name, counters } of cases) {
      const query = withMacros(counterIncrease(`calls_total{case="${name}"}`, "$__interval"), "$__interval", step);
      const { result } = await queryRange(servers.prometheus, query, { from, to }, step);
      const [series] = result as { values: [number, string][] }[];
      const shown = new Map(series?.values.map(([time, value]) => [Math.round(time * 1000), Number(value)]));
      // Telemetry begins 31 hours ago; the first interval has no earlier value.
      for (let time = from; time <= to; time += step) {
        if (time - step < now - 30 * 3_600_000) continue;
        const expected = increaseOf(counters, time - step, time);
        expect(shown.get(time) ?? 0, `${name}, ${step / 60_000} min until ${(now - time) / 1000} s ago`).toBeCloseTo(expected, 6);
      }
    }
  }
});
