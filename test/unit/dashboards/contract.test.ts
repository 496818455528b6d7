/** The panels of both models against the spec's tables (spec.ts), for any legal settings. */
import { parser as logql } from "@grafana/lezer-logql";
import { describe, expect, it } from "vitest";
import { expandMacros, unquote, windowOf } from "../../support/expand";
import { exampleA, exampleB, forAnyA, forAnyB, type Panel, panelsOf, type Target, targetsOf } from "../../support/models";
import { panelsA, panelsB, type SpecPanel, type SpecQuery } from "../../support/spec";
import { all, PromQL } from "./promql";
import { passes, TraceQL } from "./traceql";

const titles = (panels: Pick<Panel, "title" | "type">[]) => panels.map(({ title, type }) => [title ?? "", type]);
const named = (specified: SpecPanel[]) => titles(specified.map(({ title = "", type }) => ({ title, type })));

const sets: { name: string; specified: SpecPanel[]; panels: Panel[]; prefix: string }[] = [
  { name: "LLM Monitoring", specified: panelsA, panels: panelsOf(exampleA), prefix: "llmobs_llm_" },
  { name: "GenAI Observability", specified: panelsB, panels: panelsOf(exampleB), prefix: "" },
];

describe.each(sets)("$name", ({ specified, panels, prefix }) => {
  it("has the spec's panels in the spec's order", () => {
    expect(titles(panels)).toEqual(named(specified));
  });

  describe.each(specified.map((wanted, index) => ({ name: `${wanted.title ?? "untitled"} (${wanted.type})`, wanted, index })))(
    "$name",
    ({ wanted, index }) => {
      const panel = panels[index] as Panel;
      const targets = panel?.targets ?? [];
      const defaults = panel?.fieldConfig?.defaults ?? {};

      it("has the spec's thresholds and no other", () => {
        const [base, ...steps] = defaults.thresholds?.steps ?? [];
        expect(base?.value).toBeUndefined();
        expect(steps.map(({ value }) => value)).toEqual(wanted.thresholds?.map(([value]) => value) ?? []);
        for (const [place, [, color]] of wanted.thresholds?.entries() ?? []) expect(steps[place]?.color).toMatch(color);
      });

      if (wanted.unit) it("has the spec's unit", () => expect(defaults.unit).toBe(wanted.unit));

      if (wanted.queries)
        it("reads the spec's series in the spec's way", () => {
          expect(targets).toHaveLength(wanted.queries?.length ?? 0);
          for (const [place, query] of wanted.queries?.entries() ?? []) {
            const target = targets[place] as Target;
            expectAggregation(new PromQL(target.expr ?? ""), query, prefix);
            if (query.legend) expect(target.legendFormat).toBe(query.legend);
          }
        });

      if (wanted.queries)
        it("asks for one value of the time range, or for one per interval", () => {
          const graph = wanted.type === "timeseries";
          const windows = graph ? [windowOf.interval, windowOf.rateInterval] : [windowOf.range];
          for (const { expr = "", instant, range } of targets) {
            expect([instant ?? false, range ?? false]).toEqual([!graph, graph]);
            const query = new PromQL(expr);
            expect(query.windows()).not.toEqual([]);
            for (const window of query.windows()) expect(windows).toContain(window);
            expect(query.instants()).toEqual([]);
          }
        });

      if (wanted.queries)
        it("groups by the spec's label, and its legend shows that label", () => {
          for (const { expr = "", legendFormat = "" } of targets) {
            const query = new PromQL(expr);
            expect(query.groupedBy()).toEqual(wanted.groupBy ? [wanted.groupBy] : []);
            const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].flatMap(([, label = ""]) => query.origin(label));
            expect(shown).toEqual(wanted.groupBy ? [wanted.groupBy] : []);
          }
        });

      if (wanted.queries && wanted.limit)
        it("shows the largest 5", () => {
          expect(targets.map(({ expr = "" }) => new PromQL(expr).limits())).toEqual([[wanted.limit]]);
        });

      if (wanted.type === "logs")
        it("shows the newest line first", () => {
          expect(panel.options).toMatchObject({ sortOrder: "Descending" });
        });

      if (wanted.limit === 20)
        it("asks Tempo for at most 20 spans", () => {
          expect(targets).toMatchObject([{ queryType: "traceql", limit: 20, tableType: "spans" }]);
        });

      if (wanted.selects)
        it("selects the spec's attributes", () => {
          expect(new TraceQL(targets[0]?.query ?? "").selected().sort()).toEqual([...(wanted.selects ?? [])].sort());
        });

      if (wanted.vectorDatabase !== undefined)
        it("tells spans of vector databases from others", () => {
          const types = new TraceQL(targets[0]?.query ?? "").conditions().filter(({ field }) => field === "span.gen_ai.type");
          // To Tempo, a missing attribute does not differ from "vectordb": it has to be asked for.
          const others = [
            { field: "span.gen_ai.type", op: "!=", value: "vectordb" },
            { field: "span.gen_ai.type", op: "=", value: "nil" },
          ];
          expect(types).toEqual(wanted.vectorDatabase ? [{ field: "span.gen_ai.type", op: "=", value: "vectordb" }] : others);
        });
    },
  );
});

/** The series are added up, counted or divided as the spec says. */
function expectAggregation(query: PromQL, { series, aggregation, per = [] }: SpecQuery, prefix: string): void {
  const own = `${prefix}${series}`;
  const functions = query.functions();
  expect(functions).toContain("sum");
  // A mean of means weighs an idle hour like a busy one.
  for (const name of functions) expect(name).not.toMatch(/^avg/);
  const divisions = query.divisions();
  if (aggregation !== "mean") {
    expect(divisions).toEqual([]);
    expect(query.series()).toEqual([own]);
    if (prefix) expect(functions).toContain(aggregation === "count" ? "count_over_time" : "sum_over_time");
    if (prefix) expect(functions).not.toContain(aggregation === "count" ? "sum_over_time" : "count_over_time");
    return;
  }
  expect(divisions).toHaveLength(1);
  for (const { numerator, denominator } of divisions) {
    expect(query.functions(numerator)).toContain("sum");
    expect(query.functions(denominator)).toContain("sum");
    expect(query.series(numerator)).toEqual([own]);
    expect(per.map((name) => `${prefix}${name}`)).toEqual(expect.arrayContaining(query.series(denominator)));
    if (!prefix) continue;
    expect(query.functions(numerator)).toEqual(["sum", "sum_over_time"]);
    expect(query.functions(denominator)).toEqual(["count_over_time", "sum"]);
  }
}

const byLabel = (matchers: { label: string; op: string; value: string }[]) =>
  matchers.map(({ label, op, value }) => [label, op, value]).sort(([left = ""], [right = ""]) => (left < right ? -1 : 1));

describe("filters", () => {
  it("LLM Monitoring: every selector of every metric query has the three", () => {
    forAnyA((model, { service }) => {
      const wanted = [
        ["applicationName", "=~", "$Application"],
        ["environment", "=~", "$Environment"],
        ["job", "=", service],
      ];
      const targets = targetsOf(model, "prometheus");
      expect(targets.length).toBeGreaterThan(0);
      for (const { target } of targets) {
        const selectors = new PromQL(target.expr ?? "").selectors();
        expect(selectors.length).toBeGreaterThan(0);
        for (const { series, matchers } of selectors) {
          expect(byLabel(matchers)).toEqual(wanted);
          expect(series.startsWith(`${service}_llm_`)).toBe(true);
        }
      }
    });
  });

  it("LLM Monitoring: log queries have job, type, application and environment", () => {
    forAnyA((model, { service }) => {
      const streams = targetsOf(model, "loki").map(({ target }) => {
        const query = expandMacros(target.expr ?? "");
        const text = (from: number, to: number) => query.slice(from, to);
        const matchers = all(logql.parse(query).topNode, "Matcher").map((node) => {
          const [label, op, value] = [node.firstChild, node.firstChild?.nextSibling, node.lastChild].map((part) =>
            part ? text(part.from, part.to) : "",
          );
          return { label: label as string, op: op as string, value: unquote(value as string) };
        });
        return byLabel(matchers);
      });
      const stream = (type: string) => [
        ["applicationName", "=~", "$Application"],
        ["environment", "=~", "$Environment"],
        ["job", "=", service],
        ["type", "=", type],
      ];
      expect(streams).toEqual([stream("prompt"), stream("response")]);
    });
  });

  it("GenAI Observability: every selector has the three, but the comparison's completions and costs only the SDK's name", () => {
    forAnyB((model, { sdkName }) => {
      const ofSdk = ["telemetry_sdk_name", "=", sdkName];
      const rest = [
        ["gen_ai_application_name", "=~", "$application"],
        ["gen_ai_environment", "=~", "$environment"],
      ];
      for (const [index, { queries = [] }] of panelsB.entries()) {
        for (const [place, { allApplications }] of queries.entries()) {
          const selectors = new PromQL(panelsOf(model)[index]?.targets?.[place]?.expr ?? "").selectors();
          expect(selectors.length).toBeGreaterThan(0);
          for (const { series, matchers } of selectors) {
            const all = series.endsWith("_bucket") ? [["le", "=", "+Inf"]] : [];
            expect(byLabel(matchers)).toEqual([...(allApplications ? [] : rest), ...all, ofSdk]);
          }
        }
      }
    });
  });

  it("GenAI Observability: spans have status ok, the SDK's name, application and environment, all scoped to the span", () => {
    forAnyB((model, { sdkName }) => {
      const targets = targetsOf(model, "tempo");
      expect(targets).toHaveLength(3);
      for (const { target } of targets) {
        const query = new TraceQL(target.query ?? "");
        const conditions = query.conditions();
        expect(conditions).toContainEqual({ field: "status", op: "=", value: "ok" });
        const names = conditions.filter(({ field }) => field === "span.telemetry.sdk.name");
        expect(names.map((name) => [sdkName, `${sdkName}x`, `x${sdkName}`].map((value) => passes(name, value)))).toEqual([
          [true, false, false],
        ]);
        expect(conditions).toContainEqual({ field: "span.gen_ai.application_name", op: "=~", value: "${application:regex}" });
        expect(conditions).toContainEqual({ field: "span.gen_ai.environment", op: "=~", value: "${environment:regex}" });
        for (const attribute of query.attributes()) expect(attribute).toMatch(/^span\./);
      }
    });
  });
});
