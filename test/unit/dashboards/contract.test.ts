/** The contract of every query: the kind of its window, and the name of the SDK. That queries filter by what is selected, real servers show: test/truth. */
import { expect, it } from "vitest";
import { exampleA, exampleB, exampleC, forAnyB, nameOf, shownOf, targetsOf } from "../../support/models";
import { passes, TraceQL } from "./traceql";

it.each([
  ["LLM Monitoring", exampleA],
  ["GenAI Observability", exampleB],
  ["GenAI Observability (OpenTelemetry)", exampleC],
])("%s: graphs, and courses of numbers, send range queries per interval, others instant queries of the time range", (_name, model) => {
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

it("GenAI Observability: trace queries find successful spans of exactly this SDK, whatever its name", () => {
  forAnyB((model, { sdkName }) => {
    const targets = targetsOf(model, "tempo");
    expect(targets.length).toBeGreaterThan(0);
    for (const { panel, target } of targets) {
      const conditions = new TraceQL(target.query ?? "").conditions();
      expect(conditions, nameOf(panel)).toContainEqual({ field: "status", op: "=", value: "ok" });
      const names = conditions.filter(({ field }) => field === "span.telemetry.sdk.name");
      expect(names.map((name) => [sdkName, `${sdkName}x`, `x${sdkName}`].map((value) => passes(name, value)))).toEqual([
        [true, false, false],
      ]);
    }
  });
});
