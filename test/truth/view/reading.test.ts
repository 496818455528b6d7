/** The steps of graphs are Grafana's: the numbers of its own tests. */
import { expect, it } from "vitest";
import { requestInterval, scrapeInterval, step } from "../../view/reading/interval";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const to = Date.UTC(2025, 0, 2, 12, 0, 7, 250);
const last = (length: number) => ({ from: to - length, to });

it.each([
  // pkg/promlib/intervalv2/intervalv2_test.go, without a minimum
  [5 * minute, 1500, "1ms", 200],
  [30 * minute, 1500, "1ms", second],
  [hour, 1500, "1ms", 2 * second],
  // At least the interval of the datasource and of the panel
  [hour, 1880, scrapeInterval, 15 * second],
  [hour, 1880, "1m", minute],
  // 46 s and 92 s, rounded
  [day, 1880, scrapeInterval, minute],
  [day, 936, scrapeInterval, 2 * minute],
  // The browser rounds to 20, the backend to 10: the longer interval applies.
  [15 * second, 1000, "1ms", 20],
  // A request has at most about 11,000 points.
  [7 * day, 20_000, scrapeInterval, minute],
])("a range of %i ms with %i points and the minimum %s has a step of %i ms", (length, points, minimum, wanted) => {
  expect(step(last(length), points, requestInterval(last(length), points, minimum))).toBe(wanted);
});
