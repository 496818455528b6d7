/** The contract of every query: the kind of its window, and the spec's filters, for any legal settings. Panels are in panels.test.ts. */
import { parser as logql } from "@grafana/lezer-logql";
import { describe, expect, it } from "vitest";
import { expandMacros, unquote } from "../../support/expand";
import { exampleA, exampleB, exampleC, forAnyA, forAnyB, nameOf, shownOf, targetsOf } from "../../support/models";
import { all, type Matcher, PromQL } from "./promql";
import { passes, TraceQL } from "./traceql";

describe.each([
  ["LLM Monitoring", exampleA],
  ["GenAI Observability", exampleB],
  ["GenAI Observability (OpenTelemetry)", exampleC],
])("%s", (_name, model) => {
  it("graphs, and courses of numbers, send range queries per interval, others instant queries of the time range", () => {
    for (const panel of shownOf(model)) {
      for (const { datasource, expr = "", legendFormat, instant = false, range = false } of panel.targets ?? []) {
        if (datasource.type !== "prometheus") continue;
        const graph = panel.type === "timeseries" || legendFormat === "course";
        expect({ instant, range }, nameOf(panel)).toEqual({ instant: !graph, range: graph });
        expect(/\$__(?:rate_)?interval\b/.test(expr), `${nameOf(panel)} reads intervals: ${expr}`).toBe(graph);
        // A graph selects the largest ones of the time range.
        expect(/\$__range\b(?!\] @ end\(\))/.test(expr), `${nameOf(panel)} reads the time range: ${expr}`).toBe(!graph);
      }
    }
  });
});

const filter = (label: string, op: string, value: string): Matcher => ({ label, op, value });

describe("filters", () => {
  const application = filter("applicationName", "=~", "$Application");
  const environment = filter("environment", "=~", "$Environment");
  const genaiFilters = (sdkName: string) => [
    filter("telemetry_sdk_name", "=", sdkName),
    filter("gen_ai_application_name", "=~", "$application"),
    filter("gen_ai_environment", "=~", "$environment"),
  ];

  it("LLM Monitoring: metric queries read the service's metrics by job, application and environment", () => {
    forAnyA((model, { service }) => {
      const targets = targetsOf(model, "prometheus");
      expect(targets.length).toBeGreaterThan(0);
      for (const { panel, target } of targets) {
        const selectors = new PromQL(target.expr ?? "").selectors();
        expect(selectors.length, nameOf(panel)).toBeGreaterThan(0);
        for (const { series, matchers } of selectors) {
          expect(series.startsWith(`${service}_llm_`), `${nameOf(panel)} reads ${series}`).toBe(true);
          expect(matchers, nameOf(panel)).toEqual(expect.arrayContaining([filter("job", "=", service), application, environment]));
        }
      }
    });
  });

  it("LLM Monitoring: log queries read the service's streams by job, type, application and environment", () => {
    forAnyA((model, { service, contents }) => {
      const targets = targetsOf(model, "loki");
      expect(targets.length).toBe(contents === "hide" ? 0 : 2);
      for (const { panel, target } of targets) {
        const query = expandMacros(target.expr ?? "");
        const matchers = all(logql.parse(query).topNode, "Matcher").map((node) => {
          const parts = [node.firstChild, node.firstChild?.nextSibling, node.lastChild];
          const [label = "", op = "", value = ""] = parts.map((part) => (part ? query.slice(part.from, part.to) : ""));
          return filter(label, op, unquote(value));
        });
        expect(matchers, nameOf(panel)).toEqual(expect.arrayContaining([filter("job", "=", service), application, environment]));
        expect(matchers.map(({ label }) => label, nameOf(panel))).toContain("type");
      }
    });
  });

  it("GenAI Observability: metric queries filter by SDK, application and environment; the spec's exceptions by SDK only", () => {
    forAnyB((model, { sdkName }) => {
      const targets = targetsOf(model, "prometheus");
      expect(targets.length).toBeGreaterThan(0);
      for (const { panel, target } of targets) {
        const ofAll = panel.id === 15 && ["Avg Completion Tokens", "Avg Cost"].includes(target.legendFormat ?? "");
        const all = genaiFilters(sdkName);
        const selectors = new PromQL(target.expr ?? "").selectors();
        expect(selectors.length, nameOf(panel)).toBeGreaterThan(0);
        for (const { matchers } of selectors) {
          // `le` selects a bucket of a histogram: it is part of the calculation.
          const filters = matchers.filter(({ label }) => label !== "le");
          const wanted = ofAll ? all.slice(0, 1) : all;
          expect(filters, `${nameOf(panel)}, ${target.legendFormat}`).toEqual(wanted);
        }
      }
    });
  });

  it("GenAI Observability: trace queries filter by status, SDK, application and environment, all with the scope of the span", () => {
    forAnyB((model, { sdkName }) => {
      const targets = targetsOf(model, "tempo");
      expect(targets.length).toBeGreaterThan(0);
      for (const { panel, target } of targets) {
        const query = new TraceQL(target.query ?? "");
        const conditions = query.conditions();
        expect(conditions, nameOf(panel)).toContainEqual({ field: "status", op: "=", value: "ok" });
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
