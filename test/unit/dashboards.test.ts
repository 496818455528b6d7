/** Both models against the spec's tables of top-level fields, variables and links, for any legal settings. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DashboardModel, render } from "../../src/dashboards/finish";
import { type GenaiObservabilityConfig, genaiObservability } from "../../src/dashboards/genai-observability";
import { type LlmMonitoringConfig, llmMonitoring } from "../../src/dashboards/llm-monitoring";

interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { refId: string; expr: string; datasource: { uid: string } }[];
}

const word = fc.stringMatching(/^[a-z_][a-z0-9_]{0,24}$/);
const uid = fc.stringMatching(/^[a-zA-Z0-9_-]{1,40}$/);
const address = fc.webUrl();
const configA = fc.record({
  service: word,
  prometheusUid: uid,
  lokiUid: uid,
  documentationUrl: address,
  communityUrl: address,
  repositoryUrl: address,
});
const configB = fc.record({ uid, sdkName: fc.string({ minLength: 1, unit: "grapheme" }), prometheusUid: uid, tempoUid: uid });

const panelsOf = (model: DashboardModel) => model.panels as Panel[];
const [exampleA] = fc.sample(configA, 1) as [LlmMonitoringConfig];
const [exampleB] = fc.sample(configB, 1) as [GenaiObservabilityConfig];

/** What holds of every model. */
function expectValid(model: DashboardModel): void {
  expect(model).toMatchObject({ schemaVersion: 39, version: 0, time: { from: "now-24h", to: "now" }, editable: true });
  expect(JSON.parse(render(model))).toEqual(model);
  expect(render(model)).not.toMatch(/: null/);
  const panels = panelsOf(model);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  for (const { gridPos, type, description, targets } of panels) {
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    if (type === "row") continue;
    expect(description?.length).toBeGreaterThan(20);
    expect(targets?.map(({ refId }) => refId)).toEqual(["A"]);
  }
}

describe("LLM Monitoring", () => {
  it("has the spec's fields, links and variables", () => {
    fc.assert(
      fc.property(configA, (config) => {
        const { service, prometheusUid } = config;
        const model = llmMonitoring(config);
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
        expect(links.map(({ url }) => url)).toEqual([config.documentationUrl, config.communityUrl, config.repositoryUrl]);
        for (const link of links) {
          expect(Object.keys(link)).toEqual(["icon", "tags", "targetBlank", "title", "tooltip", "type", "url"]);
          expect(link).toMatchObject({ targetBlank: true, type: "link" });
        }
        const variable = { type: "query", multi: true, includeAll: true, datasource: { type: "prometheus", uid: prometheusUid } };
        const current = { value: ["$__all"] };
        expect((model.templating as { list: unknown[] }).list).toMatchObject([
          { ...variable, name: "Application", label: "Application", query: "label_values(applicationName)", current },
          { ...variable, name: "Environment", label: "Environment", query: "label_values(environment)", current },
        ]);
        for (const { targets = [] } of panelsOf(model)) {
          for (const { expr, datasource } of targets) {
            expect(datasource.uid).toBe(prometheusUid);
            const filters = `{job="${service}", applicationName=~"$Application", environment=~"$Environment"}`;
            expect(expr.split("{").length - 1).toBe(expr.split(filters).length - 1);
          }
        }
      }),
    );
  });

  it("has the first row of the spec", () => {
    expect(panelsOf(llmMonitoring(exampleA)).map(({ title, type }) => [title, type])).toEqual([
      ["Total Requests", "stat"],
      ["Avg Request Duration", "stat"],
      ["Avg Tokens per Request", "stat"],
      ["Avg Cost / Request", "stat"],
      ["Total Cost", "stat"],
    ]);
  });
});

describe("GenAI Observability", () => {
  it("has the spec's fields and variables", () => {
    fc.assert(
      fc.property(configB, (config) => {
        const model = genaiObservability(config);
        expectValid(model);
        expect(model).toMatchObject({ title: "GenAI Observability", uid: config.uid, tags: [], links: [], timezone: "browser" });
        const query = { type: "query", multi: true, includeAll: true, datasource: { type: "prometheus", uid: "${metricsDatasource}" } };
        expect((model.templating as { list: unknown[] }).list).toMatchObject([
          { name: "traceDatasource", type: "datasource", label: "Trace Datasource", query: "tempo", multi: false },
          { name: "metricsDatasource", type: "datasource", label: "Metrics Datasource", query: "prometheus", multi: false },
          { ...query, name: "application", label: "Application", query: "label_values(gen_ai_application_name)" },
          { ...query, name: "environment", label: "Environment", query: "label_values(gen_ai_environment)" },
        ]);
      }),
    );
  });

  it("has the first row of the spec", () => {
    expect(panelsOf(genaiObservability(exampleB)).map(({ title, type }) => [title, type])).toEqual([
      ["Row title", "row"],
      ["Total Successful GenAI Requests", "stat"],
      ["Total Successful VectorDB Requests", "stat"],
    ]);
  });
});

it("the same settings give the same bytes", () => {
  expect(render(llmMonitoring({ ...exampleA }))).toBe(render(llmMonitoring({ ...exampleA })));
  expect(render(genaiObservability({ ...exampleB }))).toBe(render(genaiObservability({ ...exampleB })));
});
