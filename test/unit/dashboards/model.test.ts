/** The fields of both models other than queries: top level, links, variables, layout, axes, texts, and the rendered file. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { genaiObservability } from "../../../src/dashboards/genai-observability";
import { llmMonitoring } from "../../../src/dashboards/llm-monitoring";
import { type DashboardModel, render } from "../../../src/dashboards/normalize";
import {
  configA,
  configB,
  exampleB,
  forAnyA,
  forAnyB,
  type Panel,
  panelsOf,
  shownOf,
  type Target,
  variablesOf,
} from "../../support/models";

const current = { value: ["$__all"] };

/** Requirements of the spec, and of plain data, for every model. */
function expectValid(model: DashboardModel): void {
  expect(model).toMatchObject({ schemaVersion: 39, time: { from: "now-24h", to: "now" }, editable: true });
  expect(typeof model.version).toBe("number");
  // Equal only without undefined, functions and class instances.
  expect(JSON.parse(render(model))).toStrictEqual(model);
  expect(violations(model)).toEqual([]);
  for (const { description, fieldConfig, targets = [], title } of shownOf(model)) {
    expect(description?.length, title).toBeGreaterThan(20);
    expect(fieldConfig?.defaults.noValue, title).toMatch(/\w/);
    expect(targets.length, title).toBeGreaterThan(0);
    expect(targets.map(({ refId }) => refId)).toEqual(targets.map((_, index) => "ABCDEF"[index]));
    for (const { datasource, legendFormat } of targets) {
      expect(datasource.uid).not.toBe("");
      if (datasource.type === "prometheus") expect(legendFormat).toMatch(/\w/);
    }
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

const datasourcesOf = (model: DashboardModel) =>
  new Set(
    shownOf(model).flatMap(({ datasource, targets = [] }) =>
      [datasource, ...targets.map((target) => target.datasource)].map((ref) => JSON.stringify(ref)),
    ),
  );
const ref = (type: string, uid: string) => JSON.stringify({ type, uid });

describe("LLM Monitoring", () => {
  it("has the spec's fields, links and variables, and reads the configured datasources", () => {
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
      const variable = { type: "query", multi: true, includeAll: true, datasource: { type: "prometheus", uid: uids.prometheus }, current };
      expect(variablesOf(model)).toHaveLength(2);
      expect(variablesOf(model)).toMatchObject([
        { ...variable, name: "Application", label: "Application", query: "label_values(applicationName)" },
        { ...variable, name: "Environment", label: "Environment", query: "label_values(environment)" },
      ]);
      const logs = contents === "hide" ? [] : [ref("loki", uids.loki)];
      expect(datasourcesOf(model)).toEqual(new Set([ref("prometheus", uids.prometheus), ...logs]));
    });
  });
});

describe("GenAI Observability", () => {
  it("has the spec's fields and variables, and reads the selected datasources", () => {
    forAnyB((model, config) => {
      expectValid(model);
      expect(model).toMatchObject({ title: "GenAI Observability", uid: config.uid, tags: [], links: [], timezone: "browser" });
      const query = {
        type: "query",
        multi: true,
        includeAll: true,
        datasource: { type: "prometheus", uid: "${metricsDatasource}" },
        current,
      };
      const datasource = { type: "datasource", multi: false };
      expect(variablesOf(model)).toHaveLength(4);
      expect(variablesOf(model)).toMatchObject([
        { ...datasource, name: "traceDatasource", label: "Trace Datasource", query: "tempo", current: { value: config.uids.tempo } },
        {
          ...datasource,
          name: "metricsDatasource",
          label: "Metrics Datasource",
          query: "prometheus",
          current: { value: config.uids.prometheus },
        },
        { ...query, name: "application", label: "Application", query: "label_values(gen_ai_application_name)" },
        { ...query, name: "environment", label: "Environment", query: "label_values(gen_ai_environment)" },
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

  describe("the comparison", () => {
    const panel = panelsOf(exampleB).find(({ title }) => title?.includes("Comparison")) as Panel;
    const [prompts, completions, costs] = (panel.targets ?? []) as [Target, Target, Target];

    it("mentions in its description the series of all applications", () => {
      expect(panel.description).toMatch(/all applications/i);
    });

    it("has different axes for tokens and USD", () => {
      expect(settingOf(panel, costs, "unit")).toBe("currencyUSD");
      expect(settingOf(panel, costs, "custom.axisPlacement")).toBe("right");
      for (const tokens of [prompts, completions]) {
        expect(settingOf(panel, tokens, "unit")).not.toBe("currencyUSD");
        expect(settingOf(panel, tokens, "custom.axisPlacement")).not.toBe("right");
      }
    });
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

describe("rendering", () => {
  it("the same settings give the same bytes", () => {
    fc.assert(
      fc.property(configA, configB, (a, b) => {
        expect(render(llmMonitoring({ ...a }))).toBe(render(llmMonitoring({ ...a })));
        expect(render(genaiObservability({ ...b }))).toBe(render(genaiObservability({ ...b })));
      }),
    );
  });

  it("other settings give other bytes", () => {
    const settings = fc.uniqueArray(configB, { minLength: 2, maxLength: 2, selector: (config) => JSON.stringify(config) });
    fc.assert(
      fc.property(settings, ([left, right]) => {
        if (left && right) expect(render(genaiObservability(left))).not.toBe(render(genaiObservability(right)));
      }),
    );
  });
});
