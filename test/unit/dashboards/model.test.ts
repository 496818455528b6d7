/** The fields of both models other than queries: top level, links, variables, layout, axes, texts, and the rendered file. */
import { expect, it } from "vitest";
import { type DashboardModel, render } from "../../../src/dashboards/normalize";
import { exampleB, forAnyA, forAnyB, panelsOf, shownOf, variablesOf } from "../../support/models";

/** Requirements of the spec, and of plain data, for every model. */
function expectValid(model: DashboardModel): void {
  expect(model).toMatchObject({ schemaVersion: 39, time: { from: "now-24h", to: "now" }, editable: true });
  expect(typeof model.version).toBe("number");
  // Equal only without undefined, functions and class instances.
  expect(JSON.parse(render(model))).toStrictEqual(model);
  for (const { fieldConfig, targets = [], title } of shownOf(model)) {
    expect(fieldConfig?.defaults.noValue, title).toMatch(/\w/);
    expect(targets.map(({ refId }) => refId)).toEqual(targets.map((_, index) => "ABCDEF"[index]));
    for (const { datasource, legendFormat } of targets) if (datasource.type === "prometheus") expect(legendFormat).toMatch(/\w/);
  }
}

const datasourcesOf = (model: DashboardModel) => new Set(shownOf(model).map(({ datasource }) => JSON.stringify(datasource)));
const ref = (type: string, uid: string) => JSON.stringify({ type, uid });

/** A variable of a label's values. */
const query = (name: string, label: string, datasource: string) => ({
  ...{ type: "query", name, label: `${name.charAt(0).toUpperCase()}${name.slice(1)}`, query: `label_values(${label})` },
  ...{ multi: true, includeAll: true, refresh: 2, datasource: { type: "prometheus", uid: datasource }, current: { value: ["$__all"] } },
});

it("LLM Monitoring has the spec's fields, links and variables, and reads the configured datasources", () => {
  forAnyA((model, config) => {
    const { service, uids, contents } = config;
    expectValid(model);
    expect(model).toMatchObject({
      title: `${service} - LLM Monitoring`,
      uid: `${service}-llm-monitoring`,
      tags: [service, "OpenAI", "Cohere", "Anthropic"],
      refresh: "",
      timezone: "",
      annotations: { list: [{ name: "Annotations & Alerts", builtIn: 1 }] },
    });
    const links = model.links as Record<string, unknown>[];
    expect(links.map(({ title }) => title)).toEqual(["Documentation", "Community", "Source repository"]);
    for (const link of links) {
      expect(Object.keys(link)).toEqual(["icon", "tags", "targetBlank", "title", "tooltip", "type", "url"]);
      expect(link).toMatchObject({ targetBlank: true, type: "link", url: expect.stringMatching(/^https:\/\//) });
    }
    expect(variablesOf(model)).toMatchObject([
      query("Application", "applicationName", uids.prometheus),
      query("Environment", "environment", uids.prometheus),
    ]);
    const logs = contents === "hide" ? [] : [ref("loki", uids.loki)];
    expect(datasourcesOf(model)).toEqual(new Set([ref("prometheus", uids.prometheus), ...logs]));
  });
});

it("GenAI Observability has the spec's fields and variables, and reads the selected datasources", () => {
  forAnyB((model, config) => {
    expectValid(model);
    expect(model).toMatchObject({ title: "GenAI Observability", uid: config.uid, tags: [], links: [], timezone: "browser" });
    const datasource = (name: string, label: string, type: "tempo" | "prometheus") => {
      return { type: "datasource", multi: false, name, label, query: type, current: { value: config.uids[type] } };
    };
    expect(variablesOf(model)).toMatchObject([
      datasource("traceDatasource", "Trace Datasource", "tempo"),
      datasource("metricsDatasource", "Metrics Datasource", "prometheus"),
      query("application", "gen_ai_application_name", "${metricsDatasource}"),
      query("environment", "gen_ai_environment", "${metricsDatasource}"),
    ]);
    expect(datasourcesOf(model)).toEqual(new Set([ref("prometheus", "${metricsDatasource}"), ref("tempo", "${traceDatasource}")]));
    // Without the field, a row is open. Only collapsed rows contain panels.
    for (const { type, collapsed = false, panels = [] } of panelsOf(model))
      if (type === "row") expect([collapsed, panels]).toEqual([false, []]);
    const positions = panelsOf(model).map(({ gridPos: { x, y } }) => y * 24 + x);
    expect(positions).toEqual(positions.toSorted((left, right) => left - right));
  });
});

it("the comparison shows all applications, with different axes for tokens and USD", () => {
  const { description, fieldConfig } = panelsOf(exampleB).find(({ id }) => id === 15) ?? {};
  expect(description).toMatch(/all applications/i);
  const axes = fieldConfig?.overrides.map(({ matcher, properties }) => {
    const setting = (id: string) => properties.find((property) => property.id === id)?.value;
    return [matcher.options, setting("unit"), setting("custom.axisPlacement")];
  });
  expect(axes).toEqual([
    ["Avg Prompt Tokens", undefined, undefined],
    ["Avg Completion Tokens", undefined, undefined],
    ["Avg Cost", "currencyUSD", "right"],
  ]);
});
