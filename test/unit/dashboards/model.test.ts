/** The fields of both models other than queries: top level, links, variables, layout, axes, texts, and the rendered file. */
import { describe, expect, it } from "vitest";
import { type DashboardModel, render } from "../../../src/dashboards/normalize";
import { exampleB, forAnyA, forAnyB, type Panel, panelsOf, shownOf, type Target, variablesOf } from "../../support/models";

/** Requirements of the spec, and of plain data, for every model. */
function expectValid(model: DashboardModel): void {
  expect(model).toMatchObject({ schemaVersion: 39, time: { from: "now-24h", to: "now" }, editable: true });
  expect(typeof model.version).toBe("number");
  // Equal only without undefined, functions and class instances.
  expect(JSON.parse(render(model))).toStrictEqual(model);
  expect(violations(model)).toEqual([]);
  for (const { fieldConfig, targets = [], title } of shownOf(model)) {
    expect(fieldConfig?.defaults.noValue, title).toMatch(/\w/);
    expect(targets.map(({ refId }) => refId)).toEqual(targets.map((_, index) => "ABCDEF"[index]));
    for (const { datasource, legendFormat } of targets) if (datasource.type === "prometheus") expect(legendFormat).toMatch(/\w/);
  }
}

/** Paths of nulls and of objects with unsorted keys. */
function violations(value: unknown, path = ""): string[] {
  if (value === null) return [path];
  if (typeof value !== "object") return [];
  const keys = Object.keys(value);
  const unsorted = !Array.isArray(value) && keys.some((key, index) => index > 0 && (keys[index - 1] as string) > key);
  return [...(unsorted ? [path] : []), ...Object.entries(value).flatMap(([key, part]) => violations(part, `${path}/${key}`))];
}

const datasourcesOf = (model: DashboardModel) => new Set(shownOf(model).map(({ datasource }) => JSON.stringify(datasource)));
const ref = (type: string, uid: string) => JSON.stringify({ type, uid });

/** A variable of a label's values. */
const query = (name: string, label: string, datasource: string) => ({
  ...{
    type: "query",
    multi: true,
    includeAll: true,
    refresh: 2,
    datasource: { type: "prometheus", uid: datasource },
    current: { value: ["$__all"] },
  },
  ...{ name, label: `${name.charAt(0).toUpperCase()}${name.slice(1)}`, query: `label_values(${label})` },
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

describe("GenAI Observability", () => {
  it("has the spec's fields and variables, and reads the selected datasources", () => {
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
    });
  });

  it("has open rows, each above its panels", () => {
    const rows = panelsOf(exampleB).filter(({ type }) => type === "row");
    expect(rows).toHaveLength(3);
    for (const { collapsed, panels, gridPos } of rows) {
      // Without the field, a row is open. Only collapsed rows contain panels.
      expect(collapsed ?? false).toBe(false);
      expect(panels ?? []).toEqual([]);
      expect(gridPos).toMatchObject({ x: 0, w: 24, h: 1 });
    }
    const positions = panelsOf(exampleB).map(({ gridPos: { x, y } }) => y * 24 + x);
    expect(positions).toEqual([...positions].sort((left, right) => left - right));
  });

  it("the comparison shows all applications, with different axes for tokens and USD", () => {
    const panel = panelsOf(exampleB).find(({ id }) => id === 15) as Panel;
    expect(panel.description).toMatch(/all applications/i);
    const axes = (panel.targets ?? []).map((target) => ["unit", "custom.axisPlacement"].map((id) => settingOf(panel, target, id)));
    expect(axes).toEqual([
      ["locale", undefined],
      ["locale", undefined],
      ["currencyUSD", "right"],
    ]);
  });

  it("converts Tempo's nanoseconds into seconds", () => {
    const panel = panelsOf(exampleB).find(({ type }) => type === "histogram");
    expect(panel?.fieldConfig?.defaults.unit).toBe("s");
    expect(JSON.stringify(panel)).toMatch(/1000000000|1e9|1e-9/);
  });
});

/** An option of a target's series: of the last override that matches it by name or refId, else the panel's default. */
function settingOf({ fieldConfig }: Panel, target: Target, id: string): unknown {
  const matches: Record<string, unknown> = { byName: target.legendFormat, byFrameRefID: target.refId };
  const properties = (fieldConfig?.overrides ?? [])
    .filter(({ matcher }) => matcher.options === matches[matcher.id])
    .flatMap((override) => override.properties.filter((property) => property.id === id));
  return properties.at(-1)?.value ?? (fieldConfig?.defaults as Record<string, unknown> | undefined)?.[id];
}
