/** What the checks say about spans and recording rules, and the table of results. */
import { describe, expect, it } from "vitest";
import { judgeRecording } from "../../../src/checks/recording";
import { judgeSpans, type SpanSender } from "../../../src/checks/spans";
import { formatTable, summaryOf } from "../../../src/checks/table";

const sent = (application: string, telemetry?: "spec" | "otel"): SpanSender => ({ application, telemetry });
const foreign =
  "lack gen_ai.operation.name, by which the tables find requests: use a later release of its instrumentation, or set what " +
  "dashboards/README.md#set-this says";

it.each<[string, SpanSender[], boolean, "ok" | "note", string]>([
  ["both", [sent("shop", "spec"), sent("web", "otel"), sent("web")], true, "ok", 'arrive for "A" and "B"'],
  ["one", [sent("web", "otel")], true, "ok", 'arrive for "B", not for "A" in the last hour'],
  [
    "one, and none",
    [sent("web", "otel"), sent("other")],
    true,
    "note",
    `arrive for "B", not for "A" in the last hour. Spans of other ${foreign}`,
  ],
  ["none", [], true, "note", 'no data yet: no spans for "A" or "B" in the last hour'],
  ["none, without the tables' attribute", [sent("old"), sent("other")], true, "note", `Spans of old and 1 more ${foreign}`],
  ["none, as the settings say", [], false, "ok", "no spans are pushed: otlpData is metrics"],
])("spans arrive for %s", (_what, found, arePushed, status, detail) => {
  const common = { uid: "", folderUid: "", series: [] };
  const dashboards = [
    { ...common, title: "A", sdk: { telemetry: "spec", spans: "" } as const },
    { ...common, title: "B", sdk: { telemetry: "otel", spans: "" } as const },
    { ...common, title: "C", sdk: undefined },
  ];
  expect(judgeSpans([...found, sent("litellm")], dashboards, arePushed, ["litellm"])).toEqual({ status, detail });
});

describe("recording rules", () => {
  const rules = ["a", "b"].map((name) => ({ name: `recorded:${name}`, reads: `${name}_total` }));
  const ofGrafana = /^rules are not evaluated: .*state of the rules in Grafana.*src\/settings\/README.md#recording-rules/;

  const targets = { folderUid: "folder", rules, steady: undefined, filters: [] };

  it.each<[string, string[], number, "grafana" | "external", string, RegExp]>([
    ["all are evaluated", ["a_total", "b_total", "recorded:a", "recorded:b"], 11, "grafana", "ok", /^all 2 are evaluated$/],
    ["a rule without a counter writes nothing", ["a_total", "recorded:a"], 10, "grafana", "ok", /^all 1 are evaluated$/],
    ["no counter arrives", ["recorded:a"], 3, "grafana", "note", /^no counter arrived in the last 10 minutes: nothing runs, or/],
    ["one rule fails", ["a_total", "b_total", "recorded:a"], 10, "grafana", "note", /: no recorded:b in the last 10 minutes/],
    ["all fail", ["a_total", "b_total"], 0, "grafana", "note", /: no recorded:a and 1 more in .* New rules take two minutes\. /],
    ["all fail in Grafana", ["a_total"], 0, "grafana", "note", ofGrafana],
    ["all fail in another server", ["a_total"], 0, "external", "note", /has loaded the files of npm run rules/],
    ["two stacks evaluate them", ["a_total", "recorded:a"], 20, "grafana", "note", /\(20 samples in 10 minutes\).* in all stacks but one/],
  ])("%s", (_what, names, times, by, status, detail) => {
    expect(judgeRecording({ ...targets, by }, { names, samples: times, failing: [] })).toEqual({
      status,
      detail: expect.stringMatching(detail),
    });
  });

  it("that fail in Grafana are one failure with its reason, whatever else is known", () => {
    const found = { names: ["a_total"], samples: 0 };
    const judge = (...failing: string[]) => judgeRecording({ ...targets, by: "grafana" }, { ...found, failing });
    const refused = "remote write failed: actual=404";
    const detail =
      /^rules fail in Grafana \(24\): remote write failed: actual=404\. .* remote writes, .* Prometheus type .*#recording-rules\. .*: then npm run doctor$/;
    expect(judge(...Array(24).fill(refused))).toEqual({ status: "failed", refused: false, detail: expect.stringMatching(detail) });
    expect(judge(refused, "timeout", refused).detail).toContain("(3): remote write failed: actual=404, and 1 other");
  });

  it.each<[string, number, status: string, detail: RegExp]>([
    ["every minute", 10, "ok", /^all 1 are evaluated$/],
    ["nine of ten, by the moment of the question", 9, "ok", /^all 1 are evaluated$/],
    [
      "every third minute",
      3,
      "note",
      /^3 samples of price in 10 minutes: either the rules are new, or evaluations are missed, and panels show .*#history$/,
    ],
  ])("that are evaluated %s", (_what, times, status, detail) => {
    const known = { names: ["a_total", "recorded:a", "price"], samples: times, failing: [] };
    const steady = { ...targets, by: "external" as const, steady: "price" };
    expect(judgeRecording(steady, known)).toEqual({ status, detail: expect.stringMatching(detail) });
    // At night, too.
    if (status === "note") expect(judgeRecording(steady, { ...known, names: ["price"] }).detail).toMatch(detail);
    expect(judgeRecording(steady, { ...known, names: ["a_total", "recorded:a"] }).detail).toMatch(/^rules are not evaluated: no price in /);
  });
});

describe("the table", () => {
  const ofDev = (results: Parameters<typeof formatTable>[0]) => formatTable(results, "dev");
  const table = ofDev([
    { name: "datasource a-long-uid", status: "ok", detail: "prometheus responds" },
    { name: "service", status: "failed", detail: "no key: npx pulumi config set a --stack STACK, npx pulumi up --stack STACK" },
    { name: 'series of "A"', status: "note", detail: "" },
    { name: 'series of "B"', status: "note", detail: "" },
  ]);

  const line = '1 ok, 1 failed (service), 2 notes (series of "A", series of "B")';

  it("is aligned and ends with a count", () => {
    expect(table.split("\n")).toEqual([
      "check                  result  detail",
      "datasource a-long-uid  ok      prometheus responds",
      "service                failed  no key: npx pulumi config set a --stack dev, npx pulumi up --stack dev",
      'series of "A"          note',
      'series of "B"          note',
      line,
    ]);
  });

  it("has a summary of one line, whatever is printed before and after it", () => {
    expect(summaryOf(`a warning\n${table}\nA check failed. The deployment continues, because the setting checks is warn.\n`)).toBe(line);
    expect(summaryOf(ofDev([]))).toBe("0 ok, 0 failed, 0 notes");
    // The form of an earlier version, which stays in the state until the checks run again.
    expect(summaryOf("check  result  detail\nservice  ok  responds (200)\n1 ok, 0 failed")).toBe("1 ok, 0 failed");
    expect(summaryOf("no table")).toBe("");
  });

  it("has one line per check, whatever its name", () => {
    const odd = ofDev([{ name: 'series of "A\nB\u202e"', status: "note", detail: "a\nb" }]);
    expect(odd.split("\n")).toHaveLength(3);
    expect(summaryOf(odd)).toBe('0 ok, 0 failed, 1 note (series of "A⏎B⟨U+202E⟩")');
  });
});
