import { describe, expect, it } from "vitest";
import { judgeArrival } from "../../src/checks/arrival";
import { formatReport } from "../../src/checks/report";

describe("is data arriving?", () => {
  const wanted = ["gen_ai_requests_total", "db_requests_total"];

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
      "names of something else",
      ["my_llm_latency_bucket"],
      "note",
      "no data yet: none of gen_ai_requests_total, db_requests_total in the last 24 hours",
    ],
  ])("with %s", (_what, found, verdict, detail) => {
    expect(judgeArrival("A", wanted, found)).toEqual({ what: 'series of "A"', verdict, detail });
  });

  it("finds a service under another prefix", () => {
    expect(judgeArrival("A", ["llmobs_llm_usageCost"], ["doku_llm_usageCost", "doku_llm_requestDuration"]).detail).toBe(
      "no llmobs_llm_usageCost; found doku_llm_usageCost. Panels that read the missing names stay empty.",
    );
  });
});

describe("the report", () => {
  it("is an aligned table that ends in a count", () => {
    const report = formatReport([
      { what: "datasource a-long-uid", verdict: "ok", detail: "prometheus answers" },
      { what: "service", verdict: "failed", detail: "cannot be reached" },
      { what: "series", verdict: "note", detail: "" },
    ]);
    expect(report.split("\n")).toEqual([
      "check                  result  detail",
      "datasource a-long-uid  ok      prometheus answers",
      "service                failed  cannot be reached",
      "series                 note",
      "1 ok, 1 failed",
    ]);
  });
});
