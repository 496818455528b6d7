/** What panels ask for, as Grafana does: steps and macros with the numbers of Grafana's own tests, and every parameter of every request. */
import { expect, it } from "vitest";
import { exampleA, exampleB } from "../../support/models";
import { requestInterval, scrapeInterval, step } from "../../view/reading/interval";
import type { Panel, View } from "../../view/reading/panel";
import { type Request, requestsOf } from "../requests";

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
const asked = (panel: Panel, selected: View["selected"] = {}, model = exampleA, ...answer: [object?, number?]) =>
  requestsOf([panel], model, { ...last(day), selected }, ...answer);

const panelOf = (type: string, datasource: string, target: object): Panel => ({
  id: 1,
  type,
  gridPos: { x: 0, y: 0, w: 24, h: 8 },
  options: { reduceOptions: { calcs: ["lastNotNull"], values: false } },
  targets: [{ refId: "A", datasource: { type: datasource, uid: datasource }, ...target } as never],
});
const instant = (expr: string) => panelOf("stat", "prometheus", { expr, instant: true });
const graph = panelOf("timeseries", "prometheus", { expr: "x[$__interval]", range: true });
const logs = panelOf("logs", "loki", { expr: '{a=~"$Application"}', queryType: "range" });
const table = panelOf("table", "tempo", { query: "{ a =~ `${application:regex}` && e =~ `$environment` }", limit: 20, spss: 7 });

it.each<[string, Panel, Request["parameters"]]>([
  ["an instant query at the end of the range", instant("sum(x[$__range])"), { query: "sum(x[86400s])", time: "1735819207.25" }],
  ["a range query with ends on multiples of the step", graph, { query: "x[1m]", start: "1735732800", end: "1735819200", step: "60" }],
])("Prometheus: %s", async (_, panel, parameters) => {
  expect(await asked(panel)).toEqual([{ method: "POST", path: `/api/v1/query${parameters.time ? "" : "_range"}`, parameters }]);
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

it("Loki returns 1000 lines, newest first, in nanoseconds", async () => {
  const range = { start: "1735732807250000000", end: "1735819207250000000", step: "60000ms" };
  const parameters = { query: '{a=~"a\\\\.b|c"}', direction: "backward", limit: "1000", ...range };
  expect(await asked(logs, { Application: ["a.b", "c"] })).toEqual([{ method: "GET", path: "/loki/api/v1/query_range", parameters }]);
});

it("Tempo's range has full seconds, and values are escaped only if the query names the format", async () => {
  const parameters = { q: "{ a =~ `(a\\.b\\/c|d)` && e =~ `a.b|c` }", limit: "20", spss: "7", start: "1735732807", end: "1735819207" };
  const selected = { application: ["a.b/c", "d"], environment: ["a.b", "c"] };
  expect(await asked(table, selected, exampleB)).toEqual([{ method: "GET", path: "/api/search", parameters }]);
});

it("an error has the server's message and the query", async () => {
  const answer = { status: "error", errorType: "bad_data", error: "parse error: unterminated quoted string" };
  await expect(asked(instant('bad{"'), {}, exampleA, answer, 400)).rejects.toThrow(/400: bad_data: parse error.*\nbad\{"/);
});
