/** What the settings change in the models: names of series (metricNaming), recorded series (genaiReads), prompts and completions (contents). */
// For modules that the program requires at run time, see src/dashboards/definitions.ts.
import "tsx/cjs";
import { describe, expect, it } from "vitest";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { genaiRecordingRules } from "../../../src/signals/genai";
import type { Naming } from "../../../src/signals/names/translate";
import { forAnyA, forAnyB, forAnyC, panelsOf, targetsOf } from "../../support/models";
import { PromQL, TraceQL } from "./queries";

const namings = ["prometheus", "no-suffixes"] as const;

describe("series of GenAI Observability", () => {
  /** Those of the spec, and what Prometheus stores of the same metrics without suffixes. */
  const names: Record<Naming, string> = {
    prometheus:
      "db_requests_total gen_ai_requests_total gen_ai_usage_completion_tokens_total gen_ai_usage_cost_USD_bucket " +
      "gen_ai_usage_cost_USD_sum gen_ai_usage_prompt_tokens_total gen_ai_usage_tokens_total",
    "no-suffixes":
      "db_total_requests gen_ai_total_requests gen_ai_usage_completion_tokens gen_ai_usage_cost_bucket gen_ai_usage_cost_sum " +
      "gen_ai_usage_prompt_tokens gen_ai_usage_total_tokens",
  };
  const recorded = names.prometheus.split(" ").map((name) => `application:${name.replace(/_total$/, "")}:increase1m`);

  it("have the names of the naming; recorded ones have the same names in each", () => {
    forAnyB((model, { naming, genaiReads }) => {
      const queries = targetsOf(model, "prometheus").map(({ target }) => new PromQL(target.expr ?? ""));
      const read = [...new Set(queries.flatMap((query) => query.series()))].sort();
      expect(read).toEqual(genaiReads === "rules" ? recorded : names[naming].split(" "));
      const text = JSON.stringify(panelsOf(model).map(({ description }) => description));
      for (const name of read) expect(text).toMatch(new RegExp(`Reads [^"]*${name}[ .]`));
    });
  });

  it.each(namings)("%s: the rules read them, and write the recorded ones", (naming) => {
    const rules = genaiRecordingRules("sdk", naming);
    expect(rules.map(({ name }) => name).sort()).toEqual(recorded);
    expect(rules.map(({ reads }) => reads).sort()).toEqual(names[naming].split(" "));
  });
});

describe("prompts and completions", () => {
  const isContent = (name: string) => /content|prompt|completion|message/.test(name);
  const expectWarning = (model: DashboardModel, isShown: boolean) =>
    expect(/personal data/.test(JSON.stringify(model)), "a warning of personal data").toBe(isShown);

  it.each([
    ["GenAI Observability", forAnyB, ["span.gen_ai.content.prompt", "span.gen_ai.content.completion"], 4],
    ["GenAI Observability (OpenTelemetry)", forAnyC, [".gen_ai.input.messages", ".gen_ai.output.messages"], 2],
  ] as const)("%s selects them in its tables, or not at all", (_title, forAny, attributes, inTables) => {
    forAny((model, { contents }) => {
      const selected = targetsOf(model, "tempo").flatMap(({ target }) => new TraceQL(target.query ?? "").attributes());
      expect(selected.filter(isContent)).toEqual(contents === "hide" ? [] : attributes);
      const overrides = panelsOf(model).flatMap(({ fieldConfig }) => fieldConfig?.overrides ?? []);
      expect(overrides.filter(({ matcher }) => isContent(String(matcher.options)))).toHaveLength(contents === "hide" ? 0 : inTables);
      expectWarning(model, contents !== "hide");
    });
  });

  it("LLM Monitoring has panels for them, or none with logs", () => {
    forAnyA((model, { contents }) => {
      expect(panelsOf(model).filter(({ type }) => type === "logs")).toHaveLength(contents === "hide" ? 0 : 2);
      expect(panelsOf(model)).toHaveLength(contents === "hide" ? 15 : 17);
      expect(/"loki"/.test(JSON.stringify(model))).toBe(contents !== "hide");
      expectWarning(model, contents !== "hide");
    });
  });
});
