/** Harmful but valid settings in dashboards: queries keep their meaning, and no part of a value becomes a variable, Markdown or HTML. */
// For modules that the program requires at run time, see src/dashboards/definitions.ts.
import "tsx/cjs";
import fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { expect, it } from "vitest";
import { defineDashboards } from "../../../src/dashboards/definitions";
import { shownOf, targetsOf } from "../../support/models";
import { complete, problemsOf, settingsOf } from "../config";
import { PromQL } from "../dashboards/promql";
import { untrustedText } from "./values";

const isLegal = (key: string, value: string) => problemsOf({ ...complete, [key]: value }).length === 0;
const uids = { prometheus: "prometheus", loki: "loki", tempo: "tempo" };

it.each(["a", "OpenLIT", "1", "a.b-c_d", "by", "sum", "true1"])(
  "the name of an SDK, %s, is unchanged in each query and text",
  (sdkName) => {
    const textOf = (name: string) =>
      JSON.stringify(defineDashboards(settingsOf({ ...complete, sdkName: name })).all.map(({ model }) => model(uids)));
    expect(textOf("usual.sdk").split("usual.sdk").length).toBeGreaterThan(10);
    expect(textOf(sdkName)).toBe(textOf("usual.sdk").replaceAll("usual.sdk", sdkName));
  },
);

it("a name of an SDK or of a service with any other sign is rejected", () => {
  fc.assert(
    fc.property(untrustedText, (text) => {
      // Only white space of a keyboard may surround it, and a boolean is not a name.
      const name = /^[\t-\r ]*(.*?)[\t-\r ]*$/s.exec(text)?.[1] ?? "";
      const isText = !/^(true|false)$/.test(name);
      expect(isLegal("sdkName", text)).toBe(isText && /^(?!www\.)[a-zA-Z0-9]+([._-][a-zA-Z0-9]+)*$/.test(name));
      expect(isLegal("service", text)).toBe(isText && /^[a-zA-Z_][a-zA-Z0-9_]{0,24}$/.test(name));
    }),
  );
  for (const name of ['"} or vector(1)', "$application", "www.evil.example", "__init__", "[x](y)"])
    expect(isLegal("sdkName", name)).toBe(false);
});

/** References that Grafana replaces in a text (its `variableRegex`). */
const references = (text: string) => text.match(/\$(\w+)|\[\[(\w+?)(?::(\w+))?\]\]|\$\{(\w+)(?:\.([^:^}]+))?(?::([^}]+))?\}/g) ?? [];

/** The text of a description and its HTML tags, rendered as Markdown. */
function rendered(markdown: string): { text: string; tags: string[] } {
  const html = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
  const entities: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"' };
  const text = html.replace(/<[^>]*>/g, "").replace(/&(\w+);/g, (_, name) => entities[name] ?? "?");
  return { text: text.replace(/\s+/g, " ").trim(), tags: [...new Set(html.match(/<[/!]?\w*/g) ?? [])].sort() };
}

it.each(["llmobs", "_", "__a__", "_a_b_", "A_", "by", "sum", "constructor"])(
  "the name of a service, %s, is unchanged in titles and descriptions",
  (service) => {
    const modelOf = (name: string) => defineDashboards(settingsOf({ ...complete, service: name })).llmMonitoring.model(uids);
    const model = modelOf(service);
    const usual = shownOf(modelOf("llmobs"));
    for (const [index, { title = "", description = "", fieldConfig }] of shownOf(model).entries()) {
      const like = usual[index];
      expect(references(title)).toEqual(references(like?.title ?? ""));
      expect(references(description)).toEqual(references(like?.description ?? ""));
      expect(references(fieldConfig?.defaults.noValue ?? "")).toEqual(references(like?.fieldConfig?.defaults.noValue ?? ""));
      expect(rendered(description).tags).toEqual(["</p", "<p"]);
    }
    for (const { panel, target } of targetsOf(model, "prometheus")) {
      const query = new PromQL(target.expr ?? "");
      expect(query.errors).toEqual([]);
      for (const { matchers } of query.selectors()) expect(matchers).toContainEqual({ label: "job", op: "=", value: service });
      for (const name of query.series()) expect(rendered(panel.description ?? "").text).toContain(name);
    }
  },
);
