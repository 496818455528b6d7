/**
 * The contract of "GenAI Observability (OpenTelemetry)": the filters of its queries, and what empty panels say, for any legal settings. Its panels are
 * in panels.test.ts. Which tokens and databases they count is in test/truth.
 */
import { describe, expect, it } from "vitest";
import { openTelemetryAlerts } from "../../../src/alerts/opentelemetry";
import type { AlertLimits } from "../../../src/alerts/rule";
import { openTelemetryRecordingRules } from "../../../src/signals/opentelemetry-rules";
import { budgetedC, exampleC, forAnyC, nameOf, type Panel, panelsOf, shownOf, targetsOf, variablesOf } from "../../support/models";
import { PromQL } from "./promql";
import { passes, TraceQL } from "./traceql";

/** The variables, which are the labels of recorded series. */
const variables = ["application", "environment", "provider", "model"];

it("has variables of the labels that panels select. All is any value, and the values are those of the series that panels read", () => {
  forAnyC((model, { uid, uids }) => {
    expect(model).toMatchObject({ title: "GenAI Observability (OpenTelemetry)", uid, schemaVersion: 39, editable: true });
    const [traces, metrics, ...others] = variablesOf(model);
    expect(traces).toMatchObject({ name: "traceDatasource", query: "tempo", current: { value: uids.tempo } });
    expect(metrics).toMatchObject({ name: "metricsDatasource", query: "prometheus", current: { value: uids.prometheus } });
    expect(others.map(({ name }) => name)).toEqual(variables);
    for (const variable of others) {
      const any = { includeAll: true, allValue: ".*", current: { value: ["$__all"] } };
      expect(variable).toMatchObject({ type: "query", multi: true, refresh: 2, ...any });
      const [, selector = "", label] = /^label_values\((.*), (.*)\)$/.exec(String(variable.query)) ?? [];
      expect(label).toBe(variable.name);
      expect(new PromQL(selector).errors).toEqual([]);
      expect(selector).toContain("application:gen_ai_requests_count:increase1m");
    }
  });
});

it("shows budgets by application by the query of their alerts", () => {
  const limits: AlertLimits = { window: "hour", errorRate: 5, latency: 30, costPerHour: 50, budget: undefined, budgets: { shop: 10 } };
  const rules = openTelemetryAlerts(limits, "prometheus").filter(({ id }) => id.startsWith("otel-budgets-"));
  const { target } = targetsOf(budgetedC, "prometheus").find(({ panel }) => panel.id === 38) ?? {};
  expect(rules.map(({ query }) => query)).toEqual([target?.expr, target?.expr, target?.expr]);
});

it("metric queries select by all variables: requests to models by all labels, other operations by application and environment", () => {
  for (const { panel, target } of targetsOf(exampleC, "prometheus")) {
    for (const { series, matchers } of new PromQL(target.expr ?? "").selectors()) {
      expect(series).toMatch(/^application:/);
      const wanted = (panel.id ?? 0) < 23 || panel.id === 37 ? variables : variables.slice(0, 2);
      const found = matchers.slice(0, wanted.length);
      expect(found, nameOf(panel)).toEqual(wanted.map((label) => ({ label, op: "=~", value: `$${label}` })));
    }
  }
});

// Steps of agents contain requests that are counted themselves. Names are those of OpenLIT, Envoy AI Gateway, Spring AI, LangChain4j, kagent and the conventions.
it.each([
  [
    true,
    "chat,text_completion,generate_content,embeddings,generateText,streamText,image,audio,messages,responses,completion,embedding,rerank",
  ],
  [true, "image_generation,speech_to_text,moderation,tomorrow"],
  [false, "create_agent,invoke_agent,invoke_workflow,execute_tool,retrieval,search_memory,plan,framework,vectordb,task"],
])("a request to a model is %s for the operations %s: in recording rules, and in the table", (isRequest, operations) => {
  const rules = openTelemetryRecordingRules("prometheus").filter(({ name }) => /gen_ai_(requests|tokens)/.test(name));
  const matchers = rules.flatMap(({ query }) => new PromQL(query).selectors().flatMap((selector) => selector.matchers));
  const filters = [
    ...matchers.filter(({ label, op }) => label === "gen_ai_operation_name" && op !== "="),
    new TraceQL(targetsOf(exampleC, "tempo")[0]?.target.query ?? "").conditions()[0],
  ];
  expect(filters.length).toBeGreaterThan(10);
  for (const operation of operations.split(","))
    for (const filter of filters) expect([operation, filter && passes(filter, operation)]).toEqual([operation, isRequest]);
});

it("an error rate of 0 is no green number: some SDKs measure only successful requests", () => {
  const { fieldConfig, description } = panelsOf(exampleC).find(({ id }) => id === 3) ?? {};
  expect(JSON.stringify(fieldConfig?.defaults)).toMatch(/"0":\{"color":"gray",[^}]*"text":"None measured"/);
  expect(description).toMatch(/None measured can mean/);
});

it("panels without data say who sends it, or that costs are not sent", () => {
  const panels = new Map(shownOf(exampleC).map((panel) => [panel.id, panel]));
  const emptyOf = (id: number) => panels.get(id)?.fieldConfig?.defaults;
  for (const id of [6, 7, 17]) expect(JSON.stringify(emptyOf(id))).toMatch(/"mappings":.*"text":"Not sent".*"noValue":"Not sent"/);
  expect(emptyOf(13)?.noValue).toBe("No SDK sends costs, and no model has a price.");
  for (const id of [24, 25, 26, 27, 28, 30, 31, 32]) expect(emptyOf(id)?.noValue).toMatch(/^N.* send.*\.$/);
  for (const id of [6, 7, 13, 17]) expect(panels.get(id)?.description).toMatch(/Measured by the SDK/);
});

describe("trace queries", () => {
  const excludedIn = ({ transformations = [] }: Panel) =>
    transformations.flatMap(({ id, options }) => (id === "organize" ? Object.keys(Object(options).excludeByName) : []));

  it("filter by what is selected, and never by status", () => {
    forAnyC((model) => {
      const targets = targetsOf(model, "tempo");
      expect(targets).toHaveLength(2);
      for (const { panel, target } of targets) {
        const query = new TraceQL(target.query ?? "");
        const conditions = query.conditions();
        expect(conditions.map(({ field }) => field)).not.toContain("status");
        // The provider would take too many bytes: see test/truth/dashboards.test.ts.
        const found = variables.filter((name) => conditions.some(({ op, value }) => /^[=!]~$/.test(op) && value === `\${${name}:regex}`));
        expect(found).toEqual(["application", "environment", ...(panel.id === 34 ? ["model"] : [])]);
        const environments = ["deployment.environment.name", "deployment.environment"];
        const inResource = query.attributes().filter((name) => name.startsWith("resource."));
        expect(new Set(inResource)).toEqual(new Set(["service.name", ...environments].map((name) => `resource.${name}`)));
        expect(excludedIn(panel)).toEqual(expect.arrayContaining(environments));
        expect(excludedIn(panel)).not.toContain("status");
        expect(target.query).toContain("select(status,");
      }
    });
  });

  it("of vector databases find no other ones", () => {
    const [, databases] = targetsOf(exampleC, "tempo").map(({ target }) => new TraceQL(target.query ?? "").conditions()[0]);
    expect(["qdrant", "postgresql"].map((value) => databases && passes(databases, value))).toEqual([true, false]);
  });

  it("mark failed spans, and link each span", () => {
    for (const panel of panelsOf(exampleC).filter(({ type }) => type === "table")) {
      const overrides = panel.fieldConfig?.overrides ?? [];
      const status = overrides.find(({ matcher }) => matcher.options === "status")?.properties ?? [];
      expect(JSON.stringify(status)).toMatch(/"error":\{"color":"red".*"text":"failed"/);
      const spanId = overrides.find(({ matcher }) => matcher.options === "Span ID")?.properties;
      expect(spanId).toContainEqual({ id: "displayName", value: "Trace" });
    }
  });
});
