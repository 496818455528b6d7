/** Harmful but valid settings in dashboards: queries keep their meaning, and no part of a value becomes a variable, Markdown or HTML. */
// For modules that the program requires at run time, see src/dashboards/definitions.ts.
import "../../../src/load.cjs";
import fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { defineDashboards } from "../../../src/dashboards/definitions";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { formatProblems, parseSettings, type Settings } from "../../../src/settings";
import { type Panel, shownOf, targetsOf } from "../../support/models";
import { PromQL } from "../dashboards/promql";
import { passes, TraceQL } from "../dashboards/traceql";
import { complete, stackConfig, untrustedText } from "./values";

const read = (values: Record<string, string>) => parseSettings(stackConfig({ values: { ...complete, ...values }, misplaced: [] }), "dev");

function settingsOf(values: Record<string, string>): Settings {
  const result = read(values);
  if ("problems" in result) throw new Error(formatProblems(result.problems, "dev"));
  return result.settings;
}

const isLegal = (key: string, value: string) => "settings" in read({ [key]: value });
const modelsOf = (values: Record<string, string>) => {
  const uids = { prometheus: "prometheus", loki: "loki", tempo: "tempo" };
  const { llmMonitoring, genai } = defineDashboards(settingsOf(values));
  return { service: llmMonitoring.model(uids), genai: genai?.model(uids) as DashboardModel };
};
const usual = modelsOf({ sdkName: "openlit" });

/** References that Grafana replaces in a text (its `variableRegex`). */
const references = (text: string) => text.match(/\$(\w+)|\[\[(\w+?)(?::(\w+))?\]\]|\$\{(\w+)(?:\.([^:^}]+))?(?::([^}]+))?\}/g) ?? [];

const queriesOf = (model: DashboardModel, type: string) => targetsOf(model, type).map(({ target }) => target.expr ?? target.query ?? "");
const usualQueries = queriesOf(usual.genai, "prometheus");
const usualMetrics = usualQueries.map((query) => new PromQL(query));
const textsOf = ({ description = "", fieldConfig, title = "" }: Panel) => [title, description, fieldConfig?.defaults.noValue ?? ""];

/** The text of a description and its HTML tags, rendered as Markdown. */
function rendered(markdown: string): { text: string; tags: string[] } {
  const html = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
  const entities: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"' };
  const text = html.replace(/<[^>]*>/g, "").replace(/&(\w+);/g, (_, name) => entities[name] ?? "?");
  return { text: text.replace(/\s+/g, " ").trim(), tags: [...new Set(html.match(/<[/!]?\w*/g) ?? [])].sort() };
}

/** The model without the texts that contain a name of the settings. */
function withoutTexts(model: DashboardModel): unknown {
  return JSON.parse(JSON.stringify(model), (key, value) => (["expr", "query", "description", "noValue"].includes(key) ? undefined : value));
}

describe("a name of an SDK", () => {
  /** Every query filters by exactly this name, and otherwise equals the query for a usual name. */
  function expectUnchanged(sdkName: string): void {
    const { genai, service } = modelsOf({ sdkName });
    expect(service).toEqual(usual.service);
    expect(withoutTexts(genai)).toEqual(withoutTexts(usual.genai));
    for (const [index, text] of queriesOf(genai, "prometheus").entries()) {
      const [query, like] = [new PromQL(text), usualMetrics[index] as PromQL];
      expect(query.errors).toEqual([]);
      expect(references(text)).toEqual(references(usualQueries[index] ?? ""));
      const named = like.selectors().map(({ series, matchers }) => ({
        series,
        matchers: matchers.map((matcher) => (matcher.label === "telemetry_sdk_name" ? { ...matcher, value: sdkName } : matcher)),
      }));
      expect(query.selectors()).toEqual(named);
      expect(query.shape).toEqual(like.shape);
    }
    for (const [index, text] of queriesOf(genai, "tempo").entries()) {
      const [query, like] = [new TraceQL(text), new TraceQL(queriesOf(usual.genai, "tempo")[index] ?? "")];
      expect(query.errors).toEqual([]);
      expect(references(text)).toEqual(references(queriesOf(usual.genai, "tempo")[index] ?? ""));
      const isName = ({ field }: { field: string }) => field === "span.telemetry.sdk.name";
      expect(query.conditions().filter((each) => !isName(each))).toEqual(like.conditions().filter((each) => !isName(each)));
      const [condition, ...others] = query.conditions().filter(isName);
      expect(others).toEqual([]);
      for (const other of [sdkName, `${sdkName}x`, "openlit"]) {
        expect(condition && passes(condition, other)).toBe(other === sdkName);
      }
    }
    expectLiteralTexts(genai, usual.genai);
  }

  it.each(["a", "OpenLIT", "1", "a.b-c_d", "by", "sum", "true1"])(
    "of letters, digits and single marks between them is unchanged: %s",
    expectUnchanged,
  );

  it("with any other sign is rejected", () => {
    fc.assert(
      fc.property(untrustedText, (text) => {
        fc.pre(!/^(?:true|false)$/.test(text.trim()));
        expect(isLegal("sdkName", text)).toBe(
          /^[\t-\r ]*(?!www\.)[a-zA-Z0-9]+([._-][a-zA-Z0-9]+)*[\t-\r ]*$/.test(text) && text.trim().length <= 10_000,
        );
      }),
    );
    for (const name of ['"} or vector(1)', "$application", "www.evil.example", "__init__", "[x](y)"])
      expect(isLegal("sdkName", name)).toBe(false);
  });
});

/** The texts have no references other than those of a usual model, and no markup. */
function expectLiteralTexts(model: DashboardModel, like: DashboardModel): void {
  for (const [index, panel] of shownOf(model).entries()) {
    const usualTexts = textsOf(shownOf(like)[index] as Panel);
    for (const [number, text] of textsOf(panel).entries()) {
      expect(references(text)).toEqual(references(usualTexts[number] ?? ""));
      expect(text.length).toBeLessThan(1_000);
    }
    expect(rendered(panel.description ?? "").tags).toEqual(["</p", "<p"]);
  }
}

describe("a name of a service", () => {
  it.each(["llmobs", "_", "__a__", "_a_b_", "A_", "by", "sum", "constructor"])("%s is unchanged in titles and descriptions", (service) => {
    const model = modelsOf({ service }).service;
    expectLiteralTexts(model, modelsOf({ service: "llmobs" }).service);
    for (const text of queriesOf(model, "prometheus")) {
      const query = new PromQL(text);
      expect(query.errors).toEqual([]);
      for (const { matchers } of query.selectors()) expect(matchers).toContainEqual({ label: "job", op: "=", value: service });
    }
    for (const panel of shownOf(model)) {
      const targets = targetsOf(model, "prometheus").filter(({ panel: of }) => of === panel);
      const series = targets.flatMap(({ target }) => new PromQL(target.expr ?? "").series());
      for (const name of series) expect(rendered(panel.description ?? "").text).toContain(name);
    }
  });

  it("with any other character is rejected", () => {
    fc.assert(
      fc.property(untrustedText, (text) => {
        // Only white space of a keyboard may surround it, and a boolean is not a name.
        expect(isLegal("service", text)).toBe(/^[\t-\r ]*(?!(?:true|false)[\t-\r ]*$)[a-zA-Z_][a-zA-Z0-9_]{0,24}[\t-\r ]*$/.test(text));
      }),
    );
  });
});
