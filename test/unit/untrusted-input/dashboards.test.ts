/** Harmful but valid settings in dashboards: queries keep their meaning, and no value becomes a variable, Markdown or HTML. */
// For what the program requires where it is needed, see src/dashboards/models.ts.
import "ts-node/register";
import fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { dashboardModels } from "../../../src/arguments";
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
const modelsOf = (values: Record<string, string>) => dashboardModels(settingsOf(values));
const usual = modelsOf({ sdkName: "openlit" });

/** The references to variables in a text, by Grafana's `variableRegex`. */
const references = (text: string) => text.match(/\$(\w+)|\[\[(\w+?)(?::(\w+))?\]\]|\$\{(\w+)(?:\.([^:^}]+))?(?::([^}]+))?\}/g) ?? [];

const queriesOf = (model: DashboardModel, type: string) => targetsOf(model, type).map(({ target }) => target.expr ?? target.query ?? "");
const usualQueries = queriesOf(usual.genai, "prometheus");
const usualMetrics = usualQueries.map((query) => new PromQL(query));
const wordsOf = ({ description = "", fieldConfig, title = "" }: Panel) => [title, description, fieldConfig?.defaults.noValue ?? ""];

/** The text of a description rendered as Markdown, and its HTML tags. */
function rendered(markdown: string): { text: string; tags: string[] } {
  const html = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
  const entities: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"' };
  const text = html.replace(/<[^>]*>/g, "").replace(/&(\w+);/g, (_, name) => entities[name] ?? "?");
  return { text: text.replace(/\s+/g, " ").trim(), tags: [...new Set(html.match(/<[/!]?\w*/g) ?? [])].sort() };
}

/** The model without the properties that contain names from the settings. */
function withoutWords(model: DashboardModel): unknown {
  return JSON.parse(JSON.stringify(model), (key, value) => (["expr", "query", "description", "noValue"].includes(key) ? undefined : value));
}

describe("a name of an SDK", () => {
  const names: [what: string, name: string][] = [
    ["quotes", `"'\`"`],
    ["a query's end", '"} or vector(1) or x{a="'],
    ["a condition's end", '" || true || span.a = "'],
    ["backslashes", '\\\\\\" \\n \\$ \\x41 \\u0041'],
    ["variables", "$application ${application} ${application:raw} [[application]] $__range ${__from:date} ${__user.login} $1 $$"],
    ["brackets of variables", "[[[[application]]]]"],
    ["templates", "{{label}} {{ .Value }} {% x %} #{x} %s %{x}"],
    ["characters of regular expressions", "^.*+?()[]{}|$"],
    ["HTML", "<b>x</b><img src=x onerror=alert(1)><a href=javascript:alert(1)>x</a> &amp; <!-- --> </p>"],
    ["Markdown", "[x](javascript:alert) ![x](https://evil.example) `a` **b** _c_ ~~d~~ | e | # f https://evil.example www.evil.example"],
    ["other alphabets", "grüße 🙂 שלום سلام openlіt"],
    ["invisible characters", "a\u200bb\u202ec\u2028d\ufeffe"],
    ["a leading underscore", "__init__"],
    ["10,240 letters", "a".repeat(10_240)],
    ["10 kB", '"\\${x}'.repeat(10_240 / 6).slice(0, 10_240)],
  ];

  /** Every query filters on exactly this name, and otherwise equals the query with a usual name. */
  function expectItself(sdkName: string): void {
    const { genai, service } = modelsOf({ sdkName });
    expect(service).toEqual(usual.service);
    expect(withoutWords(genai)).toEqual(withoutWords(usual.genai));
    for (const [place, text] of queriesOf(genai, "prometheus").entries()) {
      const [query, like] = [new PromQL(text), usualMetrics[place] as PromQL];
      expect([...query.errors, ...query.typeErrors()]).toEqual([]);
      expect(references(text)).toEqual(references(usualQueries[place] ?? ""));
      const named = like.selectors().map(({ series, matchers }) => ({
        series,
        matchers: matchers.map((matcher) => (matcher.label === "telemetry_sdk_name" ? { ...matcher, value: sdkName } : matcher)),
      }));
      expect(query.selectors()).toEqual(named);
      expect(query.shape).toEqual(like.shape);
    }
    for (const [place, text] of queriesOf(genai, "tempo").entries()) {
      const [query, like] = [new TraceQL(text), new TraceQL(queriesOf(usual.genai, "tempo")[place] ?? "")];
      expect(query.errors).toEqual([]);
      expect(references(text)).toEqual(references(queriesOf(usual.genai, "tempo")[place] ?? ""));
      const isName = ({ field }: { field: string }) => field === "span.telemetry.sdk.name";
      expect(query.conditions().filter((each) => !isName(each))).toEqual(like.conditions().filter((each) => !isName(each)));
      const [condition, ...others] = query.conditions().filter(isName);
      expect(others).toEqual([]);
      for (const other of [sdkName, `${sdkName}x`, "openlit"]) {
        expect(condition && passes(condition, other)).toBe(other === sdkName);
      }
    }
    expectLiteralWords(genai, usual.genai);
  }

  it.each(names)("with %s keeps its meaning", (_what, name) => expectItself(name));

  it("that is valid keeps its meaning", () => {
    const name = untrustedText.map((text) => text.trim()).filter((text) => text !== "openlit" && isLegal("sdkName", text));
    fc.assert(fc.property(name, expectItself), { numRuns: 100 });
  }, 300_000);
});

/** Texts have only the references of a usual model, and no markup. */
function expectLiteralWords(model: DashboardModel, like: DashboardModel): void {
  for (const [place, panel] of shownOf(model).entries()) {
    const usualWords = wordsOf(shownOf(like)[place] as Panel);
    for (const [which, words] of wordsOf(panel).entries()) {
      expect(references(words)).toEqual(references(usualWords[which] ?? ""));
      expect(words.length).toBeLessThan(1_000);
    }
    expect(rendered(panel.description ?? "").tags).toEqual(["</p", "<p"]);
  }
}

describe("a name of a service", () => {
  it.each(["llmobs", "_", "__a__", "_a_b_", "A_", "by", "sum", "constructor"])("%s is unchanged in titles and descriptions", (service) => {
    const model = modelsOf({ service }).service;
    expectLiteralWords(model, modelsOf({ service: "llmobs" }).service);
    for (const text of queriesOf(model, "prometheus")) {
      const query = new PromQL(text);
      expect([...query.errors, ...query.typeErrors()]).toEqual([]);
      for (const { matchers } of query.selectors()) expect(matchers).toContainEqual({ label: "job", op: "=", value: service });
    }
    for (const panel of shownOf(model)) {
      const { series = [] } = {
        series: targetsOf(model, "prometheus").flatMap(({ panel: of, target }) =>
          of === panel ? new PromQL(target.expr ?? "").series() : [],
        ),
      };
      for (const name of series) expect(rendered(panel.description ?? "").text).toContain(name);
    }
  });

  it("with any other character is refused", () => {
    fc.assert(
      fc.property(untrustedText, (text) => {
        // Only ASCII white space may surround it, and a boolean is no name.
        expect(isLegal("service", text)).toBe(/^[\t-\r ]*(?!(?:true|false)[\t-\r ]*$)[a-zA-Z_][a-zA-Z0-9_]{0,24}[\t-\r ]*$/.test(text));
      }),
    );
  });
});

describe("a link", () => {
  const keys = ["documentationUrl", "communityUrl", "repositoryUrl"];

  it.each([
    ["javascript:alert(1)", "http:// or https://"],
    ["JavaScript:alert(1)//https://x", "http:// or https://"],
    ["data:text/html,<script>alert(1)</script>", "http:// or https://"],
    ["https:javascript", "http:// or https://"],
    ["https:\\\\evil.example", "http:// or https://"],
    ["https:///evil.example", "must have a host"],
    ["https://docs.example.com\\@evil.example", "backslashes"],
    ["https://docs.example.com/\njavascript:alert(1)", "line breaks"],
    ["https://docs.example.com/?app=$application", "write %24 or %5B"],
    ["https://docs.example.com/?from=${__from}", "write %24 or %5B"],
    ["https://docs.example.com/[[application]]", "write %24 or %5B"],
  ])("%j is refused", (url, reason) => {
    for (const key of keys) {
      const result = read({ [key]: url });
      expect("problems" in result && result.problems).toMatchObject([{ key, reason: expect.stringContaining(reason) }]);
    }
  });

  it("that is valid is unchanged and contains no variable", () => {
    const url = fc
      .tuple(fc.webUrl({ withQueryParameters: true, withFragments: true }), untrustedText)
      .map((parts) => parts.join("").trim());
    fc.assert(
      fc.property(
        url.filter((text) => isLegal("documentationUrl", text)),
        (text) => {
          const [link] = modelsOf({ documentationUrl: text }).service.links as { url: string }[];
          expect(link?.url).toBe(text);
          expect(references(text)).toEqual([]);
          expect(new URL(text).protocol).toMatch(/^https?:$/);
        },
      ),
    );
  });
});
