/** The requests of panels: every parameter of every request. */
import { describe, expect, it } from "vitest";
import { exampleA, exampleB, panelsOf } from "../../support/models";
import type { Panel, View } from "../../view/reading/panel";
import { emptyText } from "../../view/reading/read";
import { show } from "../../view/reading/show";
import { loopback, matrix, streams, vector } from "./loopback";

const to = Date.UTC(2025, 0, 2, 12, 0, 7, 250);
const day = 24 * 60 * 60 * 1000;
const view = (selected: View["selected"] = {}, length = day): View => ({ from: to - length, to, selected });

const panel = (type: string, target: Record<string, unknown>, more: Partial<Panel> = {}): Panel => ({
  id: 1,
  type,
  gridPos: { x: 0, y: 0, w: 24, h: 8 },
  options: { reduceOptions: { calcs: ["lastNotNull"], values: false } },
  targets: [{ refId: "A", ...target } as never],
  ...more,
});
const prometheus = { type: "prometheus", uid: "prom" };
const loki = { type: "loki", uid: "logs" };
const tempo = { type: "tempo", uid: "traces" };
const instant = (expr: string) => panel("stat", { datasource: prometheus, expr, instant: true });

async function requestsOf(shown: Panel, viewed: View, answer: unknown, model = exampleA) {
  const { servers, requests } = await loopback(answer);
  await show(shown, model, viewed, servers);
  return requests;
}

describe("Prometheus", () => {
  it("instant queries are evaluated at the end of the range", async () => {
    const requests = await requestsOf(instant("sum(x[$__range])"), view(), vector());
    expect(requests).toMatchObject([{ method: "POST", path: "/api/v1/query" }]);
    expect(requests[0]?.parameters).toEqual({ query: "sum(x[86400s])", time: "1735819207.25" });
  });

  it("range queries have both ends on multiples of the step", async () => {
    const graph = panel("timeseries", { datasource: prometheus, expr: "x[$__interval]", range: true });
    const requests = await requestsOf(graph, view(), matrix());
    expect(requests).toMatchObject([{ method: "POST", path: "/api/v1/query_range" }]);
    expect(requests[0]?.parameters).toEqual({ query: "x[1m]", start: "1735732800", end: "1735819200", step: "60" });
  });

  it("the step depends on the panel's interval and width", async () => {
    const narrow = { interval: "1m", gridPos: { x: 0, y: 0, w: 12, h: 8 } };
    const graph = panel("timeseries", { datasource: prometheus, expr: "x[$__interval]", range: true }, narrow);
    expect((await requestsOf(graph, view({}, day / 24), matrix()))[0]?.parameters).toMatchObject({ query: "x[1m]", step: "60" });
    expect((await requestsOf(graph, view(), matrix()))[0]?.parameters).toMatchObject({ query: "x[2m]", step: "120" });
  });

  it("a query without a type is a range query, and a hidden one is not sent", async () => {
    const graph = panel("timeseries", { datasource: prometheus, expr: "x" });
    graph.targets?.push({ refId: "B", datasource: prometheus, expr: "y", hide: true });
    expect((await requestsOf(graph, view(), matrix())).map(({ path }) => path)).toEqual(["/api/v1/query_range"]);
  });
});

describe("variables", () => {
  const queried = async (selected: View["selected"], expr = 'x{a=~"$Application", e=~"${Environment}"}') =>
    (await requestsOf(instant(expr), view(selected), vector()))[0]?.parameters.query;

  it("All is the custom value, unescaped, and the default", async () => {
    expect(await queried({})).toBe('x{a=~".+", e=~".+"}');
    expect(await queried({ Application: [] })).toBe('x{a=~".+", e=~".+"}');
  });

  it("one value is plain, several are alternatives; each variable has its own values", async () => {
    expect(await queried({ Application: ["shop"] })).toBe('x{a=~"shop", e=~".+"}');
    expect(await queried({ Application: ["shop"], Environment: ["dev", "prod"] })).toBe('x{a=~"shop", e=~"(dev|prod)"}');
  });

  it("special characters are escaped, for the regular expression and for the string literal", async () => {
    expect(await queried({ Application: ["a.b+c (d)"] })).toBe('x{a=~"a\\\\.b\\\\+c \\\\(d\\\\)", e=~".+"}');
    expect(await queried({ Application: ["back\\slash"] })).toBe('x{a=~"back\\\\\\\\slash", e=~".+"}');
  });

  it("a double quote breaks the query without the feature toggle", async () => {
    const quoted = { Application: ['say "hi"'] };
    expect(await queried(quoted)).toBe('x{a=~"say "hi"", e=~".+"}');
    const [toggled] = await requestsOf(instant('x{a=~"$Application"}'), { ...view(quoted), specialCharacters: true }, vector());
    expect(toggled?.parameters.query).toBe('x{a=~"say \\\\\\"hi\\\\\\""}');
  });

  it("a value that looks like a variable is not replaced", async () => {
    expect(await queried({ Application: ["$Environment", "[[Environment]]"] })).toContain("$Environment");
  });

  it("an unknown variable fails the test", async () => {
    await expect(queried({ application: ["shop"] })).rejects.toThrow("no variable application");
  });
});

describe("Loki", () => {
  const logs = panel("logs", { datasource: loki, expr: '{a=~"$Application"}', queryType: "range" });

  it("requests 1000 lines, newest first, in nanoseconds, with labels by category", async () => {
    const requests = await requestsOf(logs, view({ Application: ["a.b", "c"] }), streams());
    expect(requests).toMatchObject([{ method: "GET", path: "/loki/api/v1/query_range" }]);
    expect(requests[0]?.parameters).toEqual({
      query: '{a=~"a\\\\.b|c"}',
      direction: "backward",
      limit: "1000",
      start: "1735732807250000000",
      end: "1735819207250000000",
      step: "60000ms",
    });
    expect(requests[0]?.headers["x-loki-response-encoding-flags"]).toBe("categorize-labels");
  });

  it("uses the query's number of lines and direction", async () => {
    const few = panel("logs", { datasource: loki, expr: "{}", maxLines: 5, direction: "forward" });
    expect((await requestsOf(few, view(), streams()))[0]?.parameters).toMatchObject({ limit: "5", direction: "forward" });
  });
});

describe("Tempo", () => {
  const query = "{ a =~ `${application:regex}` && e =~ `$environment` }";
  const table = panel("table", { datasource: tempo, query, limit: 20, spss: 7 });
  const requestFor = async (selected: View["selected"]) => (await requestsOf(table, view(selected), { traces: [] }, exampleB))[0];

  it("requests a range of full seconds, rounded down", async () => {
    const request = await requestFor({});
    expect(request).toMatchObject({ method: "GET", path: "/api/search" });
    expect(request?.parameters).toEqual({
      q: "{ a =~ `.+` && e =~ `.+` }",
      limit: "20",
      spss: "7",
      start: "1735732807",
      end: "1735819207",
    });
  });

  it("escapes values only if the query names the format", async () => {
    const request = await requestFor({ application: ["a.b/c", "d"], environment: ["a.b", "c"] });
    expect(request?.parameters.q).toBe("{ a =~ `(a\\.b\\/c|d)` && e =~ `a.b|c` }");
  });
});

describe("errors", () => {
  const failing = async (status: number, answer: unknown, shown = instant('bad{"')) => {
    const { servers } = await loopback(answer, status);
    return show(shown, exampleA, view(), servers);
  };

  it("have the message of Prometheus and the query", async () => {
    const answer = { status: "error", errorType: "bad_data", error: "parse error: unterminated quoted string" };
    await expect(failing(400, answer)).rejects.toThrow(/400: bad_data: parse error: unterminated quoted string\nbad\{"/);
    await expect(failing(200, answer)).rejects.toThrow(/bad_data: parse error/);
  });

  it("have the messages of Loki and Tempo", async () => {
    const logs = panel("logs", { datasource: loki, expr: "{}" });
    await expect(failing(400, "queries require at least one matcher\n", logs)).rejects.toThrow(
      "400: queries require at least one matcher\n{}",
    );
    const table = panel("table", { datasource: tempo, query: "{ nonsense" });
    await expect(failing(500, { message: "unexpected end" }, table)).rejects.toThrow("500: unexpected end\n{ nonsense");
  });

  it("are thrown if no server responds", async () => {
    const nowhere = "http://127.0.0.1:1";
    await expect(show(instant("x"), exampleA, view(), { prometheus: nowhere, loki: nowhere, tempo: nowhere })).rejects.toThrow(nowhere);
  });
});

it.each([exampleA, exampleB])("all queries of $title can be sent", async (model) => {
  for (const each of panelsOf(model).filter(({ type }) => type !== "row")) {
    const { servers, requests } = await loopback(({ path }: { path: string }) => (path === "/api/search" ? {} : empty(path)));
    expect(await show(each, model, view(), servers)).toEqual({ kind: "nothing", text: emptyText(each.type, each.fieldConfig as never) });
    expect(requests.length).toBe(each.targets?.length);
    for (const { parameters } of requests) expect(JSON.stringify(parameters).replaceAll("$1", "")).not.toContain("$");
  }
});

const empty = (path: string) => (path.startsWith("/loki") ? streams() : path.endsWith("range") ? matrix() : vector());
