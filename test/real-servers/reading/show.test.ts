/** How panels show responses: names, texts, colors, order, transformations, and the text without data. */
import { describe, expect, it } from "vitest";
import { exampleA, exampleB, panelsOf } from "../../support/models";
import { tempoFrames } from "../../view/reading/frames";
import { grafana } from "../../view/reading/library";
import type { Panel } from "../../view/reading/panel";
import { prepare } from "../../view/reading/prepare";
import { text } from "../../view/reading/read";
import { type Shown, show, textOf } from "../../view/reading/show";
import { loopback, matrix, streams, vector } from "./loopback";

const to = Date.UTC(2025, 0, 2, 12);
const view = { from: to - 60 * 60 * 1000, to, selected: {} };

const titled = (title: string) => [exampleA, exampleB].flatMap(panelsOf).find((panel) => panel.title === title) as Panel;

async function shown<K extends Shown["kind"]>(kind: K, panel: Panel, answer: unknown): Promise<Extract<Shown, { kind: K }>> {
  const { servers } = await loopback(answer);
  const model = panelsOf(exampleA).includes(panel as never) ? exampleA : exampleB;
  const result = await show(panel, model, view, servers);
  expect(result.kind).toBe(kind);
  return result as Extract<Shown, { kind: K }>;
}

const valuesOf = async (panel: Panel, ...series: Parameters<typeof vector>) => (await shown("values", panel, vector(...series))).values;

const withFields = (panel: Panel, defaults: object, overrides: object[] = []): Panel => ({
  ...panel,
  fieldConfig: { defaults: { ...panel.fieldConfig?.defaults, ...defaults }, overrides: overrides as never },
});

describe("a stat", () => {
  it("shows the value with its unit and its name", async () => {
    expect(await valuesOf(titled("Total Requests"), [{}, "1234567.5"])).toMatchObject([
      { name: "Requests", value: 1234567.5, text: "1,234,568" },
    ]);
    expect((await valuesOf(titled("Total Cost"), [{}, "0.0004"]))[0]?.text).toBe("$0.00");
    expect((await valuesOf(titled("Avg Cost / Request"), [{}, "0.0004"]))[0]?.text).toBe("$0.000400");
    expect((await valuesOf(titled("Total Cost"), [{}, "1234.5"]))[0]?.text).toBe("$1.23K");
    expect((await valuesOf(titled("Avg Request Duration"), [{}, "0.05"]))[0]?.text).toBe("50.00 ms");
  });

  it("colors by thresholds: a step begins at its value", async () => {
    const color = async (value: string) => (await valuesOf(titled("Avg Request Duration"), [{}, value]))[0]?.color;
    expect(await color("4.99")).toBe("#73BF69");
    expect(await color("5")).toBe("#F2495C");
    const [amber, neutral] = [await valuesOf(titled("Avg Usage Cost"), [{}, "0.5"]), await valuesOf(titled("Total Cost"), [{}, "99"])];
    expect([amber[0]?.color, neutral[0]?.color]).toEqual(["#EAB839", "#ccccdc"]);
  });

  it("without thresholds is red from 80 on, Grafana's default", async () => {
    const { thresholds: _none, ...defaults } = titled("Total Cost").fieldConfig?.defaults ?? {};
    const panel = { ...titled("Total Cost"), fieldConfig: { defaults, overrides: [] } };
    expect((await valuesOf(panel, [{}, "79"], [{}, "80"])).map(({ color }) => color)).toEqual(["#73BF69", "#F2495C"]);
  });

  it("applies decimals and mappings", async () => {
    expect((await valuesOf(withFields(titled("Total Cost"), { decimals: 4 }), [{}, "0.0004"]))[0]?.text).toBe("$0.0004");
    const mappings = [{ type: "value", options: { "0": { text: "none" } } }];
    expect((await valuesOf(withFields(titled("Total Requests"), { mappings }), [{}, "0"]))[0]?.text).toBe("none");
  });

  it("shows a scalar", async () => {
    const scalar = { status: "success", data: { resultType: "scalar", result: [1735819200, "42"] } };
    expect((await shown("values", titled("Total Requests"), scalar)).values).toMatchObject([{ name: "Requests", value: 42, text: "42" }]);
  });

  it("shows an infinite value, and 0", async () => {
    expect(await valuesOf(titled("Total Requests"), [{}, "+Inf"])).toMatchObject([{ value: Number.POSITIVE_INFINITY }]);
    expect(await valuesOf(titled("Total Requests"), [{}, "0"])).toMatchObject([{ value: 0, text: "0" }]);
  });

  it("without a value, or with NaN only, has the text of its mapping, else the panel's, else Grafana's", async () => {
    expect(await shown("nothing", titled("Total Cost"), vector())).toEqual({ kind: "nothing", text: "No data" });
    expect(await shown("nothing", titled("Total Cost"), vector([{}, "NaN"]))).toEqual({ kind: "nothing", text: "No data" });
    const unmapped = withFields(titled("Total Cost"), { mappings: [], noValue: "none" });
    expect(await shown("nothing", unmapped, vector())).toEqual({ kind: "nothing", text: "none" });
    const { noValue: _none, ...defaults } = titled("Total Cost").fieldConfig?.defaults ?? {};
    const silent = { ...titled("Total Cost"), fieldConfig: { defaults, overrides: [] } };
    expect(await shown("nothing", silent, vector())).toEqual({ kind: "nothing", text: "No data" });
  });
});

describe("names of series", () => {
  const named = async (legendFormat: string | undefined, ...metrics: Record<string, string>[]) => {
    const [target] = titled("Top models by usage").targets ?? [];
    const panel: Panel = {
      ...titled("Top models by usage"),
      targets: [{ ...target, expr: "topk(5, x[$__range])", legendFormat } as never],
    };
    return (await valuesOf(panel, ...metrics.map((metric): [Record<string, string>, string] => [metric, "1"]))).map(({ name }) => name);
  };

  it("come from labels in the legend, without white space in the braces", async () => {
    expect(await named("{{model}} by {{ team }}", { model: "gpt", team: "x" })).toEqual(["gpt by x"]);
    expect(await named("{{model}} by {{team}}", { model: "gpt" })).toEqual(["gpt by "]);
  });

  it("without a legend are the series in Prometheus' notation, without labels the query", async () => {
    expect(await named(undefined, { __name__: "x", b: "2", a: 'say "1"' })).toEqual(['x{a="say \\"1\\"", b="2"}']);
    expect(await named(undefined, { __name__: "x" })).toEqual(["x"]);
    expect(await named(undefined, {})).toEqual(["topk(5, x[3600s])"]);
  });

  it("of an empty legend are Grafana's: the label that differs", async () => {
    expect(await named("{{nothing}}", { model: "gpt" }, { model: "claude" })).toEqual(["gpt", "claude"]);
    expect(await named("__auto", { model: "gpt", team: "x" }, { model: "claude", team: "x" })).toEqual([
      '{model="gpt", team="x"}',
      '{model="claude", team="x"}',
    ]);
  });
});

describe("order", () => {
  const unsorted: Parameters<typeof vector> = [
    [{ model: "b", platform: "b", provider: "b" }, "2"],
    [{ model: "c", platform: "c", provider: "c" }, "3"],
    [{ model: "a", platform: "a", provider: "a" }, "1"],
  ];

  it("of a bar gauge is that of the response", async () => {
    expect((await valuesOf(titled("Top models by usage"), ...unsorted)).map(({ name }) => name)).toEqual(["b", "c", "a"]);
  });

  it("of a pie chart is by value, descending by default", async () => {
    const pie = titled("Usage cost by Provider");
    const sorted = async (sort?: string) => {
      const panel = { ...pie, options: { ...pie.options, ...(sort && { sort }) } };
      return (await valuesOf(panel, ...unsorted)).map(({ name, text }) => `${name} ${text}`);
    };
    expect(await sorted()).toEqual(["c $3.00", "b $2.00", "a $1.00"]);
    expect(await sorted("asc")).toEqual(["a $1.00", "b $2.00", "c $3.00"]);
    expect(await sorted("none")).toEqual(["b $2.00", "c $3.00", "a $1.00"]);
  });

  it("does not change the color of a series: it depends on the position in the response", async () => {
    const pie = titled("Usage cost by Provider");
    const colorsOf = async (sort: string) =>
      Object.fromEntries(
        (await valuesOf({ ...pie, options: { ...pie.options, sort } }, ...unsorted)).map(({ name, color }) => [name, color]),
      );
    const colors = await colorsOf("desc");
    expect(await colorsOf("asc")).toEqual(colors);
    expect(new Set(Object.values(colors)).size).toBe(3);
  });

  it("known names have one color in all panels, whatever their position", async () => {
    const color = async (title: string, label: string, names: string[], wanted: string) =>
      (await valuesOf(titled(title), ...names.map((name): [Record<string, string>, string] => [{ [label]: name }, "1"]))).find(
        ({ name }) => name === wanted,
      )?.color;
    const openai = await color("Usage cost by Provider", "provider", ["Mistral", "OpenAI"], "OpenAI");
    expect(await color("GenAI Requests by Platform", "gen_ai_system", ["openai", "cohere", "mistral"], "openai")).toBe(openai);
    const production = await color("Usage cost by Environment", "environment", ["production"], "production");
    expect(await color("GenAI Requests by Environment", "gen_ai_environment", ["dev", "production"], "production")).toBe(production);
    expect(production).not.toBe(openai);
  });

  it("a pie chart has no slice for NaN, and none without data", async () => {
    const pie = titled("Usage cost by Provider");
    expect((await valuesOf(pie, [{ provider: "a" }, "NaN"], [{ provider: "b" }, "1"])).map(({ name }) => name)).toEqual(["b"]);
    expect(await shown("nothing", pie, vector())).toMatchObject({ text: pie.fieldConfig?.defaults.noValue });
  });
});

describe("a graph", () => {
  it("has a series for each label value, with gaps for missing and non-finite values", async () => {
    const answer = matrix(
      [{ model: "a" }, [1735819140, "1"], [1735819155, "NaN"], [1735819170, "+Inf"], [1735819200, "2.5"]],
      [{ model: "b" }, [1735819200, "7"]],
    );
    const { step, series } = await shown("series", titled("Token usage by model"), answer);
    expect(step).toBe(30_000);
    expect(series).toMatchObject([
      {
        name: "a",
        unit: "locale",
        points: [
          [1735819140000, 1],
          [1735819200000, 2.5],
        ],
      },
      { name: "b", unit: "locale", points: [[1735819200000, 7]] },
    ]);
  });

  it("has another unit for one series by its name", async () => {
    const panel = titled("Average Token Consumption vs. Average Usage Cost Comparison");
    const { step, series } = await shown("series", panel, matrix([{}, [1735819200, "0.5"]]));
    expect(step).toBe(60_000);
    expect(series.map(({ name, unit, text }) => [name, unit, text(0.25)])).toEqual([
      ["Avg Prompt Tokens", "locale", "0"],
      ["Avg Completion Tokens", "locale", "0"],
      ["Avg Cost", "currencyUSD", "$0.2500"],
    ]);
    expect([textOf(panel, 0.25, "Avg Cost"), textOf(panel, 1234, "Avg Prompt Tokens"), textOf(panel, 1234)]).toEqual([
      "$0.2500",
      "1,234",
      "1,234",
    ]);
  });

  it("without series has the panel's text", async () => {
    const panel = titled("Token usage by model");
    expect(await shown("nothing", panel, matrix())).toEqual({ kind: "nothing", text: panel.fieldConfig?.defaults.noValue });
  });
});

describe("logs", () => {
  const answer = streams(
    [{ app: "a" }, ["1735819200000000002", "second", { structuredMetadata: { trace_id: "t" } }], ["1735819199000000000", "first"]],
    [{ app: "b" }, ["1735819200000000003", "third"], ["1735819200000000002", "also second"]],
  );

  it("are sorted by nanoseconds, newest first; equal times keep their order", async () => {
    const { rows } = await shown("logs", titled("Prompts"), answer);
    expect(rows.map(({ line }) => line)).toEqual(["third", "second", "also second", "first"]);
    expect(rows[1]).toEqual({ time: 1735819200000000002n, line: "second", labels: { app: "a", trace_id: "t" } });
  });

  it("without lines have a fixed text", async () => {
    expect(await shown("nothing", titled("Prompts"), streams())).toEqual({ kind: "nothing", text: "No data" });
  });

  it("are sorted oldest first with that option", async () => {
    const panel = { ...titled("Prompts"), options: { sortOrder: "Ascending" } };
    expect((await shown("logs", panel, answer)).rows.map(({ line }) => line)).toEqual(["first", "second", "also second", "third"]);
  });
});

describe("spans", () => {
  const attribute = (key: string, value: object) => ({ key, value });
  const span = (spanID: string, start: string, durationNanos: string, ...attributes: object[]) => ({
    spanID,
    name: `span ${spanID}`,
    startTimeUnixNano: start,
    durationNanos,
    attributes: [
      attribute("status", { stringValue: "ok" }),
      attribute("telemetry.sdk.name", { stringValue: "llmsdk" }),
      attribute("gen_ai.application_name", { stringValue: `app ${spanID}` }),
      attribute("gen_ai.environment", { stringValue: "prod" }),
      ...attributes,
    ],
  });
  const trace = (traceID: string, start: string, ...spans: object[]) => ({
    traceID,
    rootServiceName: "shop",
    rootTraceName: "buy",
    startTimeUnixNano: start,
    durationMs: 12,
    spanSets: [{ spans, matched: spans.length }],
  });
  const answer = {
    traces: [
      trace(
        "t1",
        "1735819000000000000",
        span("1a", "1735819000000000000", "1500000000", attribute("gen_ai.usage.cost", { doubleValue: 0.0004 })),
        span("1b", "1735819190000000000", "250000000", attribute("gen_ai.usage.cost", { doubleValue: 0.25 })),
      ),
      trace("t2", "1735819100000000000", span("2a", "1735819100000000001", "2000000"), span("2b", "1735819100000000002", "2000000")),
    ],
  };
  const [table, other] = panelsOf(exampleB).filter(({ type }) => type === "table") as Panel[];

  it("are rows of a table, newest first, without constant attributes", async () => {
    const { columns, rows } = await shown("table", table as Panel, answer);
    expect(columns).toEqual(["Time", "Application", "Cost", "Duration", "Environment", "Trace"]);
    expect(rows.map(({ Trace }) => Trace?.text)).toEqual(["1b", "2b", "2a", "1a"]);
    expect(rows[0]).toMatchObject({
      Time: { value: 1735819190000, text: "01-02 11:59" },
      Application: { text: "app 1b" },
      Environment: { text: "prod" },
      Duration: { value: 250000000, text: "250 ms" },
    });
    expect((await shown("table", other as Panel, answer)).rows[0]).toMatchObject({ Operation: { text: "span 1b" } });
  });

  it("have a cost in USD, or none: null of Grafana's backend, or undefined beside text of the browser, up to 12.3", async () => {
    const costs = async (frames: ReturnType<typeof tempoFrames>, transformations = table?.transformations) => {
      const panel = { ...(table as Panel), transformations: transformations ?? [] };
      const [frame] = await prepare(panel, frames, { theme: grafana.createTheme(), timeZone: "utc" });
      const cost = frame?.fields.find(({ name }) => name === "gen_ai.usage.cost");
      return cost?.values.map((value) => text(cost.display?.(value)));
    };
    const ofBackend = tempoFrames(answer.traces as never, "A");
    const inBrowser = ofBackend.map((frame) => {
      const isCost = ({ name }: (typeof frame.fields)[number]) => name === "gen_ai.usage.cost";
      const text = { type: grafana.FieldType.string, values: [undefined, undefined, "0.0004", "0.25"] };
      return { ...frame, fields: frame.fields.map((field) => (isCost(field) ? { ...field, ...text } : field)) };
    });
    for (const frames of [ofBackend, inBrowser]) expect(await costs(frames)).toEqual(["$0.250000", "–", "–", "$0.000400"]);
    // Up to 13.0, a conversion makes a missing cost 0.
    const conversions = [{ targetField: "gen_ai.usage.cost", destinationType: "number" }];
    const zero = "$0.000000";
    expect(await costs(ofBackend, [{ id: "convertFieldType", options: { conversions } }])).toEqual([zero, zero, "$0.000400", "$0.250000"]);
  });

  it("have the panel's text in an empty cell without overrides", async () => {
    const without = { ...table, fieldConfig: { ...(table as Panel).fieldConfig, overrides: [] } } as Panel;
    expect((await shown("table", without, answer)).rows[1]?.["gen_ai.usage.cost"]?.text).toBe(table?.fieldConfig?.defaults.noValue);
  });

  it("with text and numbers in one attribute are an error, as in Grafana's backend", async () => {
    const mixed = JSON.parse(JSON.stringify(answer).replace('{"doubleValue":0.25}', '{"stringValue":"0.25"}'));
    await expect(shown("table", table as Panel, mixed)).rejects.toThrow("gen_ai.usage.cost as number and as string");
  });

  it("are limited after sorting", async () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      trace(
        `t${index}`,
        `${1735819000000000000n + BigInt(index)}`,
        span(`s${index}`, `${1735819000000000000n + BigInt(index) * 1_000_000n}`, "1"),
      ),
    );
    const { rows } = await shown("table", table as Panel, { traces: many });
    expect(rows.map((row) => row.Trace?.text)).toEqual(Array.from({ length: 20 }, (_, index) => `s${29 - index}`));
  });

  it("without rows are headers only", async () => {
    expect(await shown("nothing", other as Panel, { traces: [] })).toEqual({ kind: "nothing", text: "" });
    expect(await shown("nothing", other as Panel, {})).toMatchObject({ kind: "nothing" });
  });

  it("hide a column by an override, but not by the option of Grafana 11, with which Tempo's datasource hides two", async () => {
    const bare = { ...table, transformations: [], fieldConfig: { defaults: {}, overrides: [] } } as unknown as Panel;
    expect((await shown("table", bare, answer)).columns).toContain("traceIdHidden");
    expect((await shown("table", table as Panel, answer)).columns).not.toContain("traceIdHidden");
    const columns = async (property: object) => {
      const overrides = [{ matcher: { id: "byName", options: "Start time" }, properties: [property] }];
      return (await shown("table", withFields(table as Panel, {}, overrides), answer)).columns;
    };
    expect(await columns({ id: "custom.hidden", value: true })).toContain("Start time");
    expect(await columns({ id: "custom.hideFrom.viz", value: true })).not.toContain("Start time");
  });

  it("have a histogram of their durations in seconds", async () => {
    const { unit, buckets } = await shown("histogram", titled("Request Duration Distribution"), answer);
    expect(unit).toBe("s");
    expect(buckets.filter(({ count }) => count > 0)).toEqual([
      { from: 0, to: 0.25, count: 2 },
      { from: 0.25, to: 0.5, count: 1 },
      { from: 1.5, to: 1.75, count: 1 },
    ]);
    expect(await shown("nothing", titled("Request Duration Distribution"), { traces: [] })).toEqual({ kind: "nothing", text: "" });
  });
});

it("an unknown transformation or panel type is an error, not an empty panel", async () => {
  const { servers } = await loopback(vector());
  const total = titled("Total Cost");
  await expect(show({ ...total, transformations: [{ id: "sortby", options: {} }] }, exampleA, view, servers)).rejects.toThrow('"sortby"');
  await expect(show({ ...total, type: "gauge" }, exampleA, view, servers)).rejects.toThrow("gauge");
});
