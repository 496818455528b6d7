/** What the checks say about logs, spans, counters and recording rules, and the table of results. */
import { describe, expect, it } from "vitest";
import { judgeRecording, judgeResets, judgeSpans, judgeStreams } from "../../../src/checks/arrival";
import { formatTable, summaryOf } from "../../../src/checks/table";

it("log streams arrive, or the note names what is missing", () => {
  expect(judgeStreams('{job="x"}', ["prompt", "response"])).toEqual({ status: "ok", detail: "prompts and responses arrive" });
  expect(judgeStreams('{job="x"}', ["prompt", "audit"]).detail).toBe(
    'no data yet: no log streams {job="x"} with type "response" in the last 24 hours, only "prompt", "audit"',
  );
  expect(judgeStreams('{job="x"}', [])).toEqual({
    status: "note",
    detail: 'no data yet: no log streams {job="x"} with type "prompt" or "response" in the last 24 hours',
  });
});

it.each<[string, Record<"spec" | "otel", boolean>, ("metrics" | "traces")[], "ok" | "note", string]>([
  ["both", { spec: true, otel: true }, ["traces"], "ok", 'arrive for "A" and "B"'],
  ["one", { spec: false, otel: true }, ["traces"], "ok", 'arrive for "B", not for "A" in the last hour'],
  ["none", { spec: false, otel: false }, ["traces"], "note", 'no data yet: no spans for "A" or "B" in the last hour'],
  ["none, as the settings say", { spec: false, otel: false }, ["metrics"], "ok", "no spans are pushed: otlpData is metrics"],
])("spans arrive for %s", (_what, found, data, status, detail) => {
  const common = { uid: "", folderUid: "", series: [] };
  const dashboards = (["spec", "otel"] as const).map((telemetry, at) => {
    return { ...common, title: "AB".charAt(at), sdk: { telemetry, spans: "" } };
  });
  const others = [{ ...common, title: "C" }];
  expect(judgeSpans(found, { dashboards: [...dashboards, ...others], otlp: { endpoint: "", data } })).toEqual({ status, detail });
});

it("a counter with many resets is shared by several processes", () => {
  expect(judgeResets([])).toEqual({ status: "ok", detail: "no series is shared by several processes" });
  const found = [
    { labels: { series: "requests_total", job: "shop" }, value: 59.6 },
    { labels: { series: "requests_total", job: "" }, value: 30 },
    { labels: { series: "duration_count", job: "shop" }, value: 21 },
  ];
  expect(judgeResets(found)).toEqual({
    status: "note",
    detail:
      "more than 20 resets in an hour of requests_total, duration_count by shop (60), an application (30), shop (21): several processes write the same " +
      "series, and panels show too much or too little. Set a different service.instance.id for each process, for example in OTEL_RESOURCE_ATTRIBUTES; " +
      "OpenLIT for Node.js sends none.",
  });
});

describe("recording rules", () => {
  const rules = ["a", "b"].map((name) => ({ name: `recorded:${name}`, reads: `${name}_total` }));
  const classify = (found: string[], times = 10, by: "grafana" | "external" = "grafana") =>
    judgeRecording({ by, rules }, { names: found, times });

  it.each([
    ["all are evaluated", ["a_total", "b_total", "recorded:a", "recorded:b"], 11, "ok", /^all 2 are evaluated$/],
    ["a rule without a counter writes nothing", ["a_total", "recorded:a"], 10, "ok", /^all 1 are evaluated$/],
    ["no counter arrives", ["recorded:a"], 3, "note", /^no data yet: no counter arrived in the last 10 minutes$/],
    ["one rule fails", ["a_total", "b_total", "recorded:a"], 10, "note", /^rules are not evaluated: no recorded:b in the last 10 minutes/],
    [
      "two stacks evaluate them",
      ["a_total", "recorded:a"],
      20,
      "note",
      /more than once a minute \(20 samples in 10 minutes\).* in all stacks but one/,
    ],
  ])("%s", (_what, found, times, status, detail) => {
    expect(classify(found, times)).toEqual({ status, detail: expect.stringMatching(detail) });
  });

  it("the advice depends on who evaluates them", () => {
    expect(classify(["a_total"]).detail).toMatch(
      /^rules are not evaluated: .*state of the rules in Grafana.*src\/settings\/README.md#recording-rules/,
    );
    expect(classify(["a_total"], 0, "external").detail).toMatch(/dashboards\/rules.yaml/);
  });

  it("many rules that are new make a short note", () => {
    const many = Array.from({ length: 60 }, (_, at) => ({ name: `recorded:gen_ai_client_operation_duration_${at}`, reads: "a_total" }));
    const { detail } = judgeRecording({ by: "grafana", rules: many }, { names: ["a_total"], times: 0 });
    expect(detail).toMatch(
      /: no recorded:gen_ai_client_operation_duration_0 and 59 more in the last 10 minutes.* New rules take two minutes\. /,
    );
    expect(detail.length).toBeLessThan(360);
  });
});

describe("the table", () => {
  const table = formatTable([
    { name: "datasource a-long-uid", status: "ok", detail: "prometheus responds" },
    { name: "service", status: "failed", detail: "cannot be reached" },
    { name: 'series of "A"', status: "note", detail: "" },
    { name: 'series of "B"', status: "note", detail: "" },
  ]);

  it("is aligned and ends with a count", () => {
    expect(table.split("\n")).toEqual([
      "check                  result  detail",
      "datasource a-long-uid  ok      prometheus responds",
      "service                failed  cannot be reached",
      'series of "A"          note',
      'series of "B"          note',
      '1 ok, 1 failed (service), 2 notes (series of "A", series of "B")',
    ]);
  });

  it("has a summary of one line, whatever is printed before and after it", () => {
    const line = '1 ok, 1 failed (service), 2 notes (series of "A", series of "B")';
    expect(summaryOf(table)).toBe(line);
    expect(summaryOf(`a warning\n${table}\nA check failed. The deployment continues, because the setting checks is warn.\n`)).toBe(line);
    expect(summaryOf(formatTable([]))).toBe("0 ok, 0 failed, 0 notes");
    // The form of an earlier version, which stays in the state until the checks run again.
    expect(summaryOf("check  result  detail\nservice  ok  responds (200)\n1 ok, 0 failed")).toBe("1 ok, 0 failed");
    expect(summaryOf("no table")).toBe("");
  });

  it("has one line per check, whatever its name", () => {
    const odd = formatTable([{ name: 'series of "A\nB\u202e"', status: "note", detail: "a\nb" }]);
    expect(odd.split("\n")).toHaveLength(3);
    expect(summaryOf(odd)).toBe('0 ok, 0 failed, 1 note (series of "A⏎B⟨U+202E⟩")');
  });
});
