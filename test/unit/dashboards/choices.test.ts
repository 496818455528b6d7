/** What the settings change in the models: the names of series (metricNaming), and whether panels show prompts and completions (contents). */
import { describe, expect, it } from "vitest";
import { genaiObservability } from "../../../src/dashboards/genai-observability";
import { genaiRecordingRules } from "../../../src/signals/genai";
import { type Naming, namings } from "../../../src/signals/names/translate";
import { defaultReading } from "../../../src/signals/signal";
import { forAnyA, forAnyB, nameOf, panelsOf, targetsOf } from "../../support/models";
import { panelsA } from "../../support/spec";
import { PromQL } from "./promql";
import { TraceQL } from "./traceql";

describe("series of GenAI Observability", () => {
  /** Those of the spec, and what Prometheus stores of the same metrics without suffixes. */
  const names: Record<Naming, string[]> = {
    prometheus: [
      "db_requests_total",
      "gen_ai_requests_total",
      "gen_ai_usage_completion_tokens_total",
      "gen_ai_usage_cost_USD_bucket",
      "gen_ai_usage_cost_USD_sum",
      "gen_ai_usage_prompt_tokens_total",
      "gen_ai_usage_tokens_total",
    ],
    "no-suffixes": [
      "db_total_requests",
      "gen_ai_total_requests",
      "gen_ai_usage_completion_tokens",
      "gen_ai_usage_cost_bucket",
      "gen_ai_usage_cost_sum",
      "gen_ai_usage_prompt_tokens",
      "gen_ai_usage_total_tokens",
    ],
  };
  const recorded = names.prometheus.map((name) => `application:${name.replace(/_total$/, "")}:increase1m`);

  it("have the names of the naming; recorded ones have the same names in each", () => {
    forAnyB((model, { naming, mode }) => {
      const queries = targetsOf(model, "prometheus").map(({ target }) => new PromQL(target.expr ?? ""));
      const read = [...new Set(queries.flatMap((query) => query.series()))].sort();
      expect(read).toEqual(mode === "recorded" ? recorded : names[naming]);
      const text = panelsOf(model)
        .map(({ description }) => description)
        .join("\n");
      for (const name of read) expect(text).toMatch(new RegExp(`Reads [^\n]*${name}[ .]`));
    });
  });

  it.each(namings)("%s: the rules read them, and write the recorded ones with the labels of the panels", (naming) => {
    const rules = genaiRecordingRules("sdk", naming);
    expect(rules.map(({ name }) => name).sort()).toEqual(recorded);
    expect(rules.map(({ reads }) => reads).sort()).toEqual(names[naming]);
    const panels = targetsOf(
      genaiObservability({
        ...defaultReading,
        uid: "genai",
        sdkName: "sdk",
        uids: { prometheus: "prom", tempo: "traces" },
        naming,
        mode: "recorded",
      }),
      "prometheus",
    );
    for (const { panel, target } of panels) {
      const query = new PromQL(target.expr ?? "");
      for (const { series, matchers } of query.selectors()) {
        const rule = new PromQL(rules.find(({ name }) => name === series)?.query ?? "");
        expect(rule.errors).toEqual([]);
        const labels = matchers.map(({ label }) => label);
        expect(rule.groupings(), nameOf(panel)).toEqual(expect.arrayContaining([...labels, ...query.groupings()]));
      }
    }
  });
});

describe("prompts and completions", () => {
  const contentOf = (attributes: readonly string[]) =>
    attributes.filter((attribute) => /content|prompt|completion|message/.test(attribute));
  const both = ["span.gen_ai.content.prompt", "span.gen_ai.content.completion"];

  it("GenAI Observability selects them for one table, or not at all", () => {
    forAnyB((model, { contents }) => {
      const selected = targetsOf(model, "tempo").flatMap(({ target }) => contentOf(new TraceQL(target.query ?? "").attributes()));
      expect(selected).toEqual(contents === "hide" ? [] : both);
      const columns = panelsOf(model).flatMap(({ fieldConfig }) =>
        (fieldConfig?.overrides ?? []).map(({ matcher }) => String(matcher.options)),
      );
      expect(contentOf(columns)).toHaveLength(contents === "hide" ? 0 : 4);
      expect(/personal data/.test(JSON.stringify(model))).toBe(contents !== "hide");
    });
  });

  it("LLM Monitoring has panels for them, or none with logs", () => {
    forAnyA((model, { contents }) => {
      expect(panelsOf(model).filter(({ type }) => type === "logs")).toHaveLength(contents === "hide" ? 0 : 2);
      expect(panelsOf(model)).toHaveLength(contents === "hide" ? panelsA.length - 2 : panelsA.length);
      expect(/"loki"|personal data/.test(JSON.stringify(model))).toBe(contents !== "hide");
    });
  });
});
