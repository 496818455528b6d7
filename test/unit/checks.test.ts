import { describe, expect, it } from "vitest";
import { classifyArrival, relatedNames } from "../../src/checks/arrival";
import { formatReport, summaryOf } from "../../src/checks/report";

describe("is data arriving?", () => {
  const wanted = ["gen_ai_requests_total", "db_requests_total"];
  const untranslated =
    "Panels that read the missing names stay empty. Something on the way leaves OTLP's names as they are: look at otlp.translation_strategy in " +
    "Prometheus, otel_metric_suffixes_enabled in Mimir, add_metric_suffixes in a collector.";

  it.each<[string, string[], "ok" | "note", string]>([
    ["all names", [...wanted, "other_llm_x"], "ok", "all 2 arrive"],
    ["nothing", [], "note", "no data yet: none of gen_ai_requests_total, db_requests_total in the last 24 hours"],
    ["one of them", ["db_requests_total"], "note", "not yet all data: no gen_ai_requests_total in the last 24 hours"],
    [
      "a later SDK's names",
      ["gen_ai_client_operation_duration_seconds_count", "db_requests_total"],
      "note",
      "no gen_ai_requests_total; found gen_ai_client_operation_duration_seconds_count. Panels that read the missing names stay empty.",
    ],
    [
      "a misspelt name",
      ["gen_ai_request_total", "db_requests_total"],
      "note",
      "no gen_ai_requests_total; found gen_ai_request_total. Panels that read the missing names stay empty.",
    ],
    [
      "names of the same family that mean something else",
      ["gen_ai_requests_total", "db_errors_total", "db_responses_total", "gen_ai_requests_failed_total"],
      "note",
      "not yet all data: no db_requests_total in the last 24 hours",
    ],
    [
      "names without suffixes, as Mimir leaves them unless it is told otherwise",
      ["gen_ai_requests", "gen_ai_request_totals", "db_requests"],
      "note",
      `no gen_ai_requests_total; found gen_ai_requests. no db_requests_total; found db_requests. ${untranslated}`,
    ],
    [
      "names that are not translated at all",
      ["gen_ai.requests", "db_requests_total"],
      "note",
      `no gen_ai_requests_total; found gen_ai.requests. ${untranslated}`,
    ],
    [
      "names with suffixes and dots",
      ["gen_ai.requests_total", "db_requests_total"],
      "note",
      `no gen_ai_requests_total; found gen_ai.requests_total. ${untranslated}`,
    ],
    [
      "names of something else",
      ["my_llm_latency_bucket"],
      "note",
      "no data yet: none of gen_ai_requests_total, db_requests_total in the last 24 hours",
    ],
  ])("with %s", (_what, found, verdict, detail) => {
    expect(classifyArrival("A", wanted, found)).toEqual({ what: 'series of "A"', verdict, detail });
  });

  it("knows a histogram without its unit", () => {
    expect(classifyArrival("A", ["gen_ai_usage_cost_USD_sum"], ["gen_ai_usage_cost_sum"]).detail).toBe(
      `no gen_ai_usage_cost_USD_sum; found gen_ai_usage_cost_sum. ${untranslated}`,
    );
  });

  it("asks for names with dots, too", () => {
    const related = new RegExp(`^(?:${relatedNames})$`);
    for (const name of ["gen_ai_requests", "gen_ai.requests", "db.requests_total", "llmobs_llm_usageCost"]) expect(name).toMatch(related);
    for (const name of ["up", "dbus_calls", "generation_ai"]) expect(name).not.toMatch(related);
  });

  it("finds a service under another prefix", () => {
    expect(classifyArrival("A", ["llmobs_llm_usageCost"], ["doku_llm_usageCost", "doku_llm_requestDuration"]).detail).toBe(
      "no llmobs_llm_usageCost; found doku_llm_usageCost. Panels that read the missing names stay empty.",
    );
  });
});

describe("the report", () => {
  const report = formatReport([
    { what: "datasource a-long-uid", verdict: "ok", detail: "prometheus answers" },
    { what: "service", verdict: "failed", detail: "cannot be reached" },
    { what: 'series of "A"', verdict: "note", detail: "" },
    { what: 'series of "B"', verdict: "note", detail: "" },
  ]);

  it("is an aligned table that ends in a count", () => {
    expect(report.split("\n")).toEqual([
      "check                  result  detail",
      "datasource a-long-uid  ok      prometheus answers",
      "service                failed  cannot be reached",
      'series of "A"          note',
      'series of "B"          note',
      '1 ok, 1 failed (service), 2 notes (series of "A", series of "B")',
    ]);
  });

  it("has a summary of one line, whatever is printed around it", () => {
    const line = '1 ok, 1 failed (service), 2 notes (series of "A", series of "B")';
    expect(summaryOf(report)).toBe(line);
    expect(summaryOf(`a warning\n${report}\nA check failed; the setting checks is warn, so the deployment goes on.\n`)).toBe(line);
    expect(summaryOf(formatReport([]))).toBe("0 ok, 0 failed, 0 notes");
    // As an earlier version of the checks printed it, which stays in the state until they run again.
    expect(summaryOf("check  result  detail\nservice  ok  answers (200)\n1 ok, 0 failed")).toBe("1 ok, 0 failed");
    expect(summaryOf("no table")).toBe("");
  });

  it("is one line for each check, whatever its name", () => {
    const odd = formatReport([{ what: 'series of "A\nB\u202e"', verdict: "note", detail: "a\nb" }]);
    expect(odd.split("\n")).toHaveLength(3);
    expect(summaryOf(odd)).toBe('0 ok, 0 failed, 1 note (series of "A⏎B⟨U+202E⟩")');
  });
});
