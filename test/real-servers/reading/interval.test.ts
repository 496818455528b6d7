/** Steps and macros, with the numbers of Grafana's own tests and of this project's panels. */
import { expect, it } from "vitest";
import { aligned, macros, maxDataPoints, requestInterval, scrapeInterval, step } from "../../view/reading/interval";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const last = (length: number, to = Date.UTC(2025, 0, 2, 12)) => ({ from: to - length, to });
const stepOf = (length: number, points: number, minimum: string = scrapeInterval) =>
  step(last(length), points, requestInterval(last(length), points, minimum));

it("a panel requests as many points as it has pixels on a screen of 1920", () => {
  expect(maxDataPoints({ w: 24 })).toBe(1880);
  expect(maxDataPoints({ w: 12 })).toBe(936);
});

it.each([
  // pkg/promlib/intervalv2/intervalv2_test.go, without a minimum
  [5 * minute, 1500, "1ms", 200],
  [15 * minute, 1500, "1ms", 500],
  [30 * minute, 1500, "1ms", second],
  [hour, 1500, "1ms", 2 * second],
  // At least the interval of the datasource and of the panel
  [hour, 1880, "15s", 15 * second],
  [hour, 1880, "1m", minute],
  [day, 1880, "1m", minute],
  // 46 s and 92 s, rounded
  [day, 1880, "15s", minute],
  [day, 936, "15s", 2 * minute],
  [30 * day, 1880, "15s", 20 * minute],
])("a range of %i ms with %i points and the minimum %s has a step of %i ms", (length, points, minimum, wanted) => {
  expect(stepOf(length, points, minimum)).toBe(wanted);
});

it("if browser and backend round a bound differently, the longer interval applies", () => {
  // 15 s in 1000 points are 15 ms: the browser rounds to 20, the backend to 10.
  expect(requestInterval(last(15 * second), 1000, "1ms")).toBe(20);
  expect(stepOf(15 * second, 1000, "1ms")).toBe(20);
});

it("a query's minimum step replaces the panel's", () => {
  expect(step(last(hour), 1880, requestInterval(last(hour), 1880, "1m"), "5m")).toBe(5 * minute);
});

it("a request has at most about 11,000 points", () => {
  expect(stepOf(7 * day, 20_000)).toBe(minute);
});

it("both ends of the range are rounded down to a multiple of the step", () => {
  const from = Date.UTC(2025, 0, 1, 0, 0, 59, 999);
  expect(aligned({ from, to: from + 1 }, minute)).toEqual({ from: Date.UTC(2025, 0, 1), to: Date.UTC(2025, 0, 1, 0, 1) });
});

it("macros contain the step and the range", () => {
  expect(Object.fromEntries(macros(last(day), minute, minute))).toEqual({
    __interval: "1m",
    __interval_ms: "60000",
    __range: "86400s",
    __range_s: "86400",
    __range_ms: "86400000",
    // A step and a scrape are longer than four scrapes.
    __rate_interval: "1m15s",
    __rate_interval_ms: "75000",
  });
});

it("the range is rounded to the nearest second, as in the backend", () => {
  const { __range, __range_s, __range_ms } = Object.fromEntries(macros(last(hour + 499), minute, minute));
  expect([__range, __range_s, __range_ms]).toEqual(["3600s", "3600", "3600499"]);
  expect(Object.fromEntries(macros(last(hour + 500), minute, minute)).__range).toBe("3601s");
});

it.each([
  [20, "20ms"],
  [15 * second, "15s"],
  [20 * minute, "20m"],
  [12 * hour, "12h"],
  [7 * day, "7d"],
])("an interval of %i ms is %s", (interval, wanted) => {
  expect(Object.fromEntries(macros(last(day), interval, interval)).__interval).toBe(wanted);
});

it("the rate interval is at least four scrapes", () => {
  expect(Object.fromEntries(macros(last(hour), 15 * second, 15 * second)).__rate_interval).toBe("1m0s");
  expect(Object.fromEntries(macros(last(hour), 15 * second, 15 * second, "30s")).__rate_interval).toBe("2m0s");
});
