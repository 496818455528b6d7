/** The contract of "GenAI Observability (OpenTelemetry)": its panels, the filters of its queries, and what empty panels say, for any legal settings. */
import { describe, expect, it } from "vitest";
import { inferenceOperations } from "../../../src/signals/names/conventions";
import { labelName, namings } from "../../../src/signals/names/translate";
import type { Reading } from "../../../src/signals/opentelemetry-builder";
import { vectorDatabases } from "../../../src/signals/opentelemetry-measures";
import { openTelemetryRecordingRules } from "../../../src/signals/opentelemetry-rules";
import { exampleC, forAnyC, nameOf, panelsOf, shownOf, targetsOf, variablesOf } from "../../support/models";
import { PromQL } from "./promql";
import { passes, TraceQL } from "./traceql";

/** The labels by which panels select, by variable. */
function labelsOf({ mode, environmentAttribute = "deployment.environment" }: Reading): Record<string, string> {
  if (mode === "recorded") return { application: "application", environment: "environment", provider: "provider", model: "model" };
  const [environment, model] = [environmentAttribute, "gen_ai.request.model"].map(labelName) as [string, string];
  return { application: "job", environment, model };
}

/** Links to panels contain the id: an id never changes. */
const panels: [id: number, type: string, title: string, unit?: string][] = [
  [2, "stat", "Requests", "locale"],
  [3, "stat", "Error Rate", "percentunit"],
  [4, "stat", "p95 Latency", "s"],
  [5, "stat", "Tokens", "short"],
  [6, "stat", "Cost", "currencyUSD"],
  [7, "stat", "Cost / Request", "currencyUSD"],
  [9, "timeseries", "Requests by Outcome", "locale"],
  [10, "timeseries", "p95 Latency by Application", "suffix:s"],
  [11, "timeseries", "p95 Time to First Token", "suffix:s"],
  [12, "timeseries", "Tokens by Type", "short"],
  [13, "timeseries", "Cost by Model", "prefix:$"],
  [15, "bargauge", "Top Models by Requests", "locale"],
  [16, "bargauge", "Top Models by Tokens", "short"],
  [17, "bargauge", "Top Models by Cost", "currencyUSD"],
  [18, "piechart", "Requests by Provider", "locale"],
  [19, "piechart", "Requests by Operation", "locale"],
  [20, "piechart", "Requests by Environment", "locale"],
  [21, "piechart", "Requests by Application", "locale"],
  [22, "bargauge", "Errors by Type", "locale"],
  [24, "piechart", "Invocations by Agent", "locale"],
  [26, "piechart", "MCP Operations by Method", "locale"],
  [27, "piechart", "Tool Calls by Tool", "locale"],
  [28, "piechart", "Tool Errors by Tool", "locale"],
  [25, "timeseries", "Mean Duration by Agent", "suffix:s"],
  [30, "piechart", "Requests by System", "locale"],
  [31, "piechart", "Requests by DB Operation", "locale"],
  [32, "timeseries", "p95 Latency by System", "suffix:s"],
  [34, "table", ""],
  [36, "table", ""],
];

it("has these panels, with unique titles", () => {
  const found = shownOf(exampleC).map(({ id, type, title = "", fieldConfig }) => [id, type, title, fieldConfig?.defaults.unit]);
  expect(found).toEqual(panels.map(([id, type, title, unit]) => [id, type, title, unit]));
  const titles = shownOf(exampleC).flatMap(({ title }) => title || []);
  expect(new Set(titles).size).toBe(titles.length);
});

it("has variables of the labels that panels select. All is any value, and the values are those of the series that panels read", () => {
  forAnyC((model, { mode, environmentAttribute, uid, prometheusUid, tempoUid }) => {
    expect(model).toMatchObject({ title: "GenAI Observability (OpenTelemetry)", uid, schemaVersion: 39, editable: true });
    const [traces, metrics, ...others] = variablesOf(model);
    expect(traces).toMatchObject({ name: "traceDatasource", type: "datasource", query: "tempo", current: { value: tempoUid } });
    expect(metrics).toMatchObject({
      name: "metricsDatasource",
      type: "datasource",
      query: "prometheus",
      current: { value: prometheusUid },
    });
    const labels = labelsOf({ mode, environmentAttribute });
    expect(others.map(({ name }) => name)).toEqual(Object.keys(labels));
    for (const variable of others) {
      expect(variable).toMatchObject({ type: "query", multi: true, includeAll: true, allValue: ".*", current: { value: ["$__all"] } });
      const [, selector = "", label] = /^label_values\((.*), (.*)\)$/.exec(String(variable.query)) ?? [];
      expect(label).toBe(labels[variable.name as keyof typeof labels]);
      expect(new PromQL(selector).errors).toEqual([]);
      expect(selector.includes("application:")).toBe(mode === "recorded");
    }
  });
});

it("numbers of many digits, small costs and axes of fractions have no fixed decimal places: 12.3 Mil, $0.000874, 0.5 s", () => {
  const free = panelsOf(exampleC).filter(({ fieldConfig }) => fieldConfig?.defaults.unit && fieldConfig.defaults.decimals === undefined);
  const isFree = ([id, type, , unit]: (typeof panels)[number]) =>
    unit === "short" || [7, 17].includes(id) || (type === "timeseries" && unit !== "locale");
  expect(free.map(({ id }) => id)).toEqual(panels.filter(isFree).map(([id]) => id));
});

describe("metric queries", () => {
  it("select by all variables: requests to models by all labels, other operations by application and environment", () => {
    forAnyC((model, config) => {
      const labels = Object.entries(labelsOf(config));
      for (const { panel, target } of targetsOf(model, "prometheus")) {
        const wanted = (panel.id ?? 0) < 23 ? labels : labels.slice(0, 2);
        const query = new PromQL(target.expr ?? "");
        expect(query.errors, nameOf(panel)).toEqual([]);
        for (const { matchers } of query.selectors())
          expect(matchers.slice(0, wanted.length), nameOf(panel)).toEqual(
            wanted.map(([variable, label]) => ({ label, op: "=~", value: `$${variable}` })),
          );
      }
    });
  });

  it("read only operations that are requests to models, tokens that are no subsets of others, and vector databases", () => {
    for (const { panel, target } of targetsOf(exampleC, "prometheus")) {
      for (const { series, matchers } of new PromQL(target.expr ?? "").selectors()) {
        const of = (label: string) => {
          const { op, value } = matchers.find((matcher) => matcher.label === label) ?? { op: "=~", value: ".*" };
          return new RegExp(op.startsWith("!") ? `^(?!(?:${value})$)` : `^(?:${value})$`);
        };
        if (series.startsWith("gen_ai_client_operation_duration") && (panel.id ?? 0) < 23) {
          for (const operation of ["chat", "embeddings", ""]) expect(operation).toMatch(of("gen_ai_operation_name"));
          for (const operation of ["invoke_agent", "execute_tool", "invoke_workflow", "retrieval"])
            expect(operation).not.toMatch(of("gen_ai_operation_name"));
        }
        if (series === "gen_ai_client_token_usage_sum") {
          const isCached = of("gen_ai_token_type").test("cache_read");
          expect(["input", "output", "reasoning"].map((type) => of("gen_ai_token_type").test(type))).toEqual([!isCached, !isCached, false]);
        }
        if (series.startsWith("db_")) {
          expect("postgresql").not.toMatch(of("db_system_name"));
          for (const system of vectorDatabases) expect(system).toMatch(of("db_system_name"));
        }
        expect(matchers.map(({ label }) => label)).not.toContain("telemetry_sdk_name");
      }
    }
  });

  it.each(namings)("%s: recorded series have rules, with the labels of the panels", (naming) => {
    const rules = openTelemetryRecordingRules(naming);
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
    for (const { query } of rules) expect(new PromQL(query).errors).toEqual([]);
    forAnyC((model, config) => {
      if (config.mode === "direct" || config.naming !== naming) return;
      for (const { panel, target } of targetsOf(model, "prometheus")) {
        const query = new PromQL(target.expr ?? "");
        for (const { series, matchers } of query.selectors()) {
          const rule = new PromQL(rules.find(({ name }) => name === series)?.query ?? "");
          // `le` is made of the bounds at last.
          const labels = [...matchers.map(({ label }) => label), ...query.groupings()].filter((label) => label !== "le");
          expect(rule.groupings(), `${nameOf(panel)}: ${series}`).toEqual(expect.arrayContaining(labels));
        }
      }
    });
  });
});

it("an error rate of 0 is no green number: some SDKs measure only successful requests", () => {
  const { fieldConfig, description } = panelsOf(exampleC).find(({ title }) => title === "Error Rate") ?? {};
  expect(JSON.stringify(fieldConfig?.defaults)).toMatch(/"0":\{"color":"gray",[^}]*"text":"None measured"/);
  expect(description).toMatch(/None measured can mean/);
});

it("panels without data say who sends it, or that costs are not sent", () => {
  const emptyOf = (id: number) => panelsOf(exampleC).find((panel) => panel.id === id)?.fieldConfig?.defaults;
  for (const id of [6, 7, 17]) {
    expect(emptyOf(id)?.noValue).toBe("Not sent");
    expect(JSON.stringify(emptyOf(id))).toMatch(/"mappings":.*"text":"Not sent"/);
  }
  expect(emptyOf(13)?.noValue).toMatch(/OpenLIT and LiteLLM/);
  for (const id of [24, 25, 26, 27, 28, 30, 31, 32]) expect(emptyOf(id)?.noValue).toMatch(/^N.* send.*\.$/);
  for (const panel of shownOf(exampleC).filter(({ id = 0 }) => [6, 7, 13, 17].includes(id)))
    expect(panel.description).toMatch(/Only OpenLIT/);
});

describe("trace queries", () => {
  it("filter by what is selected, and never by status", () => {
    forAnyC((model, { mode, environmentAttribute = "deployment.environment" }) => {
      const targets = targetsOf(model, "tempo");
      expect(targets).toHaveLength(2);
      for (const { panel, target } of targets) {
        const query = new TraceQL(target.query ?? "");
        expect(query.errors).toEqual([]);
        const conditions = query.conditions();
        expect(conditions.map(({ field }) => field)).not.toContain("status");
        // The provider would take too many bytes: see test/real-servers/selections.test.ts.
        const variables = ["application", "environment", ...(panel.id === 34 ? ["model"] : [])];
        const found = ["application", "environment", "provider", "model"].filter((name) =>
          conditions.some(({ op, value }) => /^[=!]~$/.test(op) && value === `\${${name}:regex}`),
        );
        expect(found).toEqual(variables);
        const environments = mode === "direct" ? [environmentAttribute] : ["deployment.environment.name", "deployment.environment"];
        const inResource = query.attributes().filter((name) => name.startsWith("resource."));
        expect(new Set(inResource)).toEqual(new Set(["service.name", ...environments].map((name) => `resource.${name}`)));
        const [excluded] = (panel.transformations ?? []).flatMap(({ id, options }) => (id === "organize" ? [options] : []));
        expect(Object.keys((excluded as { excludeByName: object }).excludeByName)).toEqual(expect.arrayContaining(environments));
        expect(target.query).toContain("select(status,");
      }
    });
  });

  it("find requests to models or to vector databases", () => {
    const [models, databases] = targetsOf(exampleC, "tempo").map(({ target }) => new TraceQL(target.query ?? "").conditions()[0]);
    const others = ["create_agent", "invoke_agent", "invoke_workflow", "execute_tool", "retrieval", "vectordb"];
    expect([...inferenceOperations, ...others].filter((value) => models && passes(models, value))).toEqual(inferenceOperations);
    expect(["qdrant", "postgresql"].map((value) => databases && passes(databases, value))).toEqual([true, false]);
  });

  it("read prompts and completions, or none with the setting contents", () => {
    forAnyC((model, { contents }) => {
      const selected = targetsOf(model, "tempo").flatMap(({ target }) => new TraceQL(target.query ?? "").attributes());
      const messages = selected.filter((name) => /messages|content/.test(name));
      expect(messages).toHaveLength(contents === "hide" ? 0 : 4);
      expect(/personal data/.test(JSON.stringify(model))).toBe(contents !== "hide");
    });
  });

  it("mark failed spans, and link each span", () => {
    for (const panel of panelsOf(exampleC).filter(({ type }) => type === "table")) {
      const overrides = panel.fieldConfig?.overrides ?? [];
      const status = overrides.find(({ matcher }) => matcher.options === "status")?.properties ?? [];
      expect(JSON.stringify(status)).toMatch(/"error":\{"color":"red".*"text":"failed"/);
      expect(overrides.find(({ matcher }) => matcher.options === "Span ID")?.properties).toContainEqual({
        id: "displayName",
        value: "Trace",
      });
      const [excluded] = (panel.transformations ?? []).flatMap(({ id, options }) => (id === "organize" ? [options] : []));
      expect(Object.keys((excluded as { excludeByName: object }).excludeByName)).not.toContain("status");
    }
  });
});
