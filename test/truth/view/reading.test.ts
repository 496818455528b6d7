/** What panels ask for, as Grafana does: steps with the numbers of Grafana's own tests, and variables. */
import { expect, it } from "vitest";
import { exampleA } from "../../support/models";
import { requestInterval, scrapeInterval, step } from "../../view/reading/interval";
import type { Panel, View } from "../../view/reading/panel";
import { requestsOf } from "../requests";

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

/** The requests of a panel for a day, to a server that answers all of them. */
const asked = (panel: Panel, selected: View["selected"] = {}) => requestsOf([panel], exampleA, { ...last(day), selected });

const instant = (expr: string): Panel => ({
  id: 1,
  type: "stat",
  gridPos: { x: 0, y: 0, w: 24, h: 8 },
  options: { reduceOptions: { calcs: ["lastNotNull"], values: false } },
  targets: [{ refId: "A", datasource: { type: "prometheus", uid: "prometheus" }, expr, instant: true }],
});

it.each([
  [{}, 'x{a=~".+", e=~".+"}'],
  [{ Application: ["shop"] }, 'x{a=~"shop", e=~".+"}'],
  [{ Application: ["$Environment"], Environment: ["dev", "prod"] }, 'x{a=~"\\\\$Environment", e=~"(dev|prod)"}'],
  [{ Application: ["a.b (d)"] }, 'x{a=~"a\\\\.b \\\\(d\\\\)", e=~".+"}'],
])("variables are replaced once, escaped for regular expression and literal: %j", async (selected, query) => {
  const [request] = await asked(instant('x{a=~"$Application", e=~"${Environment}"}'), selected);
  expect(request?.parameters.query).toBe(query);
});
