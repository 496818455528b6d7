/** The classification of arriving series, and the table of results. */
import { describe, expect, it } from "vitest";
import { classifyArrival, classifyRecording, classifyResets } from "../../../src/checks/arrival";
import { relatedNames } from "../../../src/checks/queries";
import { formatTable, summaryOf } from "../../../src/checks/table";
import { classifySpans, classifyStreams } from "../../../src/checks/traces-and-logs";
import { genaiSignals } from "../../../src/signals/genai";
import { namings } from "../../../src/signals/names/translate";
import { defaultReading, seriesReadBy } from "../../../src/signals/signal";

describe("arriving series", () => {
  const expected = ["gen_ai_requests_total", "db_requests_total"];
  const untranslated =
    "Panels that read the missing names stay empty. A component does not translate OTLP's names: check otlp.translation_strategy in " +
    "Prometheus, otel_metric_suffixes_enabled in Mimir, add_metric_suffixes in a collector.";

  const cure = (form: string, naming: string) =>
    `Panels that read the missing names stay empty. Prometheus stores the names ${form}. Read these: npx pulumi config set metricNaming ${naming}`;

  it.each<[string, string[], "ok" | "note", string]>([
    ["all names", [...expected, "other_llm_x"], "ok", "all 2 series arrive"],
    ["nothing", [], "note", "no data yet: no gen_ai_requests_total and 1 more in the last 24 hours"],
    ["one of them", ["db_requests_total"], "note", "not all data yet: no gen_ai_requests_total in the last 24 hours"],
    [
      "a later SDK's names",
      ["gen_ai_client_operation_duration_seconds_count", "db_requests_total"],
      "note",
      "no gen_ai_requests_total; found gen_ai_client_operation_duration_seconds_count. Panels that read the missing names stay empty.",
    ],
    [
      "a misspelled name",
      ["gen_ai_request_total", "db_requests_total"],
      "note",
      "no gen_ai_requests_total; found gen_ai_request_total. Panels that read the missing names stay empty.",
    ],
    [
      "names of the same family that mean something else",
      ["gen_ai_requests_total", "db_errors_total", "db_responses_total", "gen_ai_requests_failed_total"],
      "note",
      "not all data yet: no db_requests_total in the last 24 hours",
    ],
    [
      "names without suffixes, as Mimir stores them by default",
      ["gen_ai_total_requests", "gen_ai_request_totals", "db_total_requests"],
      "note",
      `no gen_ai_requests_total; found gen_ai_total_requests. no db_requests_total; found db_total_requests. ${cure("without suffixes", "no-suffixes")}`,
    ],
    [
      "names that are not translated at all",
      ["gen_ai.total.requests", "db_requests_total"],
      "note",
      `no gen_ai_requests_total; found gen_ai.total.requests. ${untranslated}`,
    ],
    [
      "names of two namings",
      ["gen_ai.total.requests", "gen_ai_total_requests", "db_requests_total"],
      "note",
      `no gen_ai_requests_total; found gen_ai.total.requests, gen_ai_total_requests. ${untranslated}`,
    ],
    [
      "names that have another naming each",
      ["gen_ai.total.requests", "db_total_requests"],
      "note",
      `no gen_ai_requests_total; found gen_ai.total.requests. no db_requests_total; found db_total_requests. ${untranslated}`,
    ],
    [
      "names with suffixes and dots, which no setting reads",
      ["gen_ai.total.requests_total", "db_requests_total"],
      "note",
      `no gen_ai_requests_total; found gen_ai.total.requests_total. ${untranslated}`,
    ],
    [
      "a later SDK's names in another naming",
      ["gen_ai.client.operation.duration_count", "db_requests_total"],
      "note",
      "no gen_ai_requests_total; found gen_ai.client.operation.duration_count. Panels that read the missing names stay empty.",
    ],
    ["unrelated names", ["my_llm_latency_bucket"], "note", "no data yet: no gen_ai_requests_total and 1 more in the last 24 hours"],
  ])("with %s", (_what, found, status, detail) => {
    expect(classifyArrival(expected, found)).toEqual({ status, detail });
  });

  it.each(namings)("the cure is the naming %s, if all names arrive in it, whatever the setting is", (arriving) => {
    for (const expected of namings.filter((naming) => naming !== arriving)) {
      const { detail } = classifyArrival(
        seriesReadBy(genaiSignals("sdk", { ...defaultReading, naming: expected })),
        seriesReadBy(genaiSignals("sdk", { ...defaultReading, naming: arriving })),
      );
      expect(detail).toMatch(new RegExp(`npx pulumi config set metricNaming ${arriving}$`));
    }
  });

  it("names with dots are related", () => {
    const related = new RegExp(`^(?:${relatedNames})$`);
    for (const name of ["gen_ai_requests", "gen_ai.requests", "db.requests_total", "llmobs_llm_usageCost"]) expect(name).toMatch(related);
    for (const name of ["up", "dbus_calls", "generation_ai"]) expect(name).not.toMatch(related);
  });

  it("the same metric of another service is similar", () => {
    expect(classifyArrival(["llmobs_llm_usageCost"], ["doku_llm_usageCost", "doku_llm_requestDuration"]).detail).toBe(
      "no llmobs_llm_usageCost; found doku_llm_usageCost. Panels that read the missing names stay empty.",
    );
  });
});

it("log streams arrive, or the note names what is missing", () => {
  expect(classifyStreams('{job="x"}', ["prompt", "response"])).toEqual({ status: "ok", detail: "prompts and responses arrive" });
  expect(classifyStreams('{job="x"}', ["prompt", "audit"]).detail).toBe(
    'no data yet: no log streams {job="x"} with type "response" in the last 24 hours, only "prompt", "audit"',
  );
  expect(classifyStreams('{job="x"}', [])).toEqual({
    status: "note",
    detail: 'no data yet: no log streams {job="x"} with type "prompt" or "response" in the last 24 hours',
  });
});

it.each<[string, [found: boolean, series: boolean][], boolean, "ok" | "note", string]>([
  [
    "both",
    [
      [true, true],
      [true, true],
    ],
    true,
    "ok",
    'arrive for "A" and "B"',
  ],
  [
    "one, whose series arrive alone",
    [
      [false, false],
      [true, true],
    ],
    true,
    "ok",
    'arrive for "B"',
  ],
  [
    "one, although the series of both arrive",
    [
      [false, true],
      [true, true],
    ],
    true,
    "note",
    'arrive for "B", but not for "A" in the last hour, although its series arrive',
  ],
  [
    "none",
    [
      [false, true],
      [false, false],
    ],
    true,
    "note",
    'no data yet: no spans for "A" or "B" in the last hour',
  ],
  ["none, as the settings say", [[false, true]], false, "ok", "no spans are pushed: otlpData is metrics"],
  ["some, in spite of the settings", [[true, true]], false, "ok", 'arrive for "A"'],
])("spans arrive for %s", (_what, dashboards, pushesTraces, status, detail) => {
  const named = dashboards.map(([found, series], index) => ({ title: "AB".charAt(index), found, series }));
  expect(classifySpans(named, pushesTraces)).toEqual({ status, detail });
});

it("a counter with many resets is shared by several processes", () => {
  expect(classifyResets([])).toEqual({ status: "ok", detail: "no series is shared by several processes" });
  const found = [
    { series: "requests_total", job: "shop", resets: 59.6 },
    { series: "requests_total", job: "", resets: 30 },
    { series: "duration_count", job: "shop", resets: 21 },
  ];
  expect(classifyResets(found)).toEqual({
    status: "note",
    detail:
      "requests_total, duration_count were reset more than 20 times in an hour by shop (60), an application (30), shop (21): several processes write the " +
      "same series, and panels show too much or too little. Set a different service.instance.id for each process, for example in " +
      "OTEL_RESOURCE_ATTRIBUTES; OpenLIT for Node.js sends none.",
  });
  expect(classifyResets(found.slice(0, 1)).detail).toMatch(/^requests_total was reset .* by shop \(60\): several/);
});

describe("recording rules", () => {
  const rules = ["a", "b"].map((name) => ({ name: `recorded:${name}`, reads: `${name}_total` }));
  const classify = (found: string[], times = 10, by: "grafana" | "external" = "grafana") => classifyRecording({ by, rules }, found, times);

  it.each([
    ["all are evaluated", ["a_total", "b_total", "recorded:a", "recorded:b"], 11, "ok", /^all 2 are evaluated$/],
    ["a rule without a counter writes nothing", ["a_total", "recorded:a"], 10, "ok", /^all 1 are evaluated$/],
    ["no counter arrives", ["recorded:a"], 3, "note", /^no data yet: no counter arrived in the last 10 minutes$/],
    [
      "one rule fails",
      ["a_total", "b_total", "recorded:a"],
      10,
      "note",
      /^1 of 2 rules are not evaluated: no recorded:b in the last 10 minutes/,
    ],
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
      /^no rule is evaluated: .*state of the rules in Grafana.*src\/settings\/README.md#recording-rules/,
    );
    expect(classify(["a_total"], 0, "external").detail).toMatch(/dashboards\/rules.yaml/);
  });

  it("many rules that are new make a short note", () => {
    const many = Array.from({ length: 60 }, (_, at) => ({ name: `recorded:gen_ai_client_operation_duration_${at}`, reads: "a_total" }));
    const { detail } = classifyRecording({ by: "grafana", rules: many }, ["a_total"], 0);
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
