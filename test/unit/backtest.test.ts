/** The replay of alert rules, what a report says of it, and what it asks of Grafana. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { AlertRule } from "../../src/alerts/rule";
import { severityOf } from "../../src/alerts/template";
import { pastOfChanges } from "../../src/backtest/changes";
import { type Ruler, replay } from "../../src/backtest/replay";
import { incidentsOf, inTime, listed } from "../../src/backtest/words";
import { parsePreview } from "../../src/report/parse-preview";
import { startPast } from "../support/past";
import { json } from "./checks/run";
import { managed, settingsOf } from "./config";
import { preview, ruleGroupType, step, type Values } from "./report/steps";
import { serve } from "./serve";

/** The alerts of a rule that fires above 5, by minute, of series with a value a minute, or none: `_`. */
function told(rule: { criticalFrom?: number; forMinutes?: number; keepMinutes?: number }, ruler: Ruler, rows: readonly string[]): string[] {
  const series = rows.map((row, index) => ({
    labels: { __name__: "any", application: "abc".charAt(index) },
    values: row.split(" ").flatMap((text, minute) => (text === "_" ? [] : [[60 * minute, Number(text)] as const])),
  }));
  const times = { from: 0, to: 60 * (rows[0]?.split(" ").length ?? 0) - 60, step: 60 };
  const complete = { title: "It", query: "q", above: 5, everyMinutes: 1, forMinutes: 0, keepMinutes: 0, ...rule };
  return replay(complete, series, times, ruler).map(
    ({ labels, from, to, isOpen }) => `${Object.values(labels).join(" ")} ${from / 60}-${isOpen ? "" : to / 60}`,
  );
}

// The expected times follow from the code of Grafana 12 and Prometheus 3, see the comment of `replay`.
it.each<[what: string, rule: Parameters<typeof told>[0], rows: string[], both: string[], inGrafana?: string[]]>([
  ["fires above the limit, not at it, and not without a number", {}, ["5 9 5 NaN"], ["a 1-2"]],
  ["infinity is above", {}, ["0 Infinity 0"], ["a 1-2"]],
  ["still fires at the end", {}, ["0 9 9"], ["a 1-"]],
  ["is pending", { forMinutes: 2 }, ["9 9 0 9 9 9 9 0"], ["a 5-7"]],
  ["keeps firing, and fires again without a pause", { forMinutes: 1, keepMinutes: 3 }, ["9 9 0 0 9 0 0 0 0 9"], ["a 1-8"]],
  ["is pending again after it has ended", { forMinutes: 1 }, ["9 9 0 9 0"], ["a 1-2"]],
  ["no value of any series", { keepMinutes: 3 }, ["9 9 _ _ _ _ _"], ["a 0-5"]],
  ["no value of one series", { keepMinutes: 3 }, ["9 9 _ _ _ _ _", "0 0 0 0 0 0 0"], ["a 0-5"], ["a 0-3"]],
  ["no value for a minute", {}, ["9 9 _ 9 0", "0 0 0 0 0"], ["a 0-2", "a 3-4"], ["a 0-4"]],
  ["no value for a minute while pending", { forMinutes: 2 }, ["9 _ 9 9 9 0", "0 0 0 0 0 0"], ["a 4-5"], ["a 2-5"]],
  ["another severity", { criticalFrom: 8 }, ["7 7 9 9 0 0 0"], ["a warning 0-2", "a critical 2-4"], ["a warning 0-3", "a critical 2-5"]],
])("%s", (_what, rule, rows, both, inGrafana = both) => {
  expect([told(rule, "prometheus", rows), told(rule, "grafana", rows)]).toEqual([both, inGrafana]);
});

it("incidents are times in which at least one alert fires; the most frequent names come first", () => {
  const alert = (application: string, from: number, to: number) => ({ labels: { application }, from, to, isOpen: false, value: 1 });
  expect(incidentsOf([alert("a", 0, 60), alert("b", 30, 50), alert("b", 60, 120), alert("a", 200, 230)])).toEqual([120, 30]);
  const nameOf = ({ application = "" }: Record<string, string>) => application;
  expect(listed([alert("a", 0, 1), alert("b", 2, 3), alert("b", 4, 5)], nameOf, (own, name) => `${name} ${own.length}`)).toBe("b 2, a 1");
  expect([59 * 60, 7199, 7200, 172_799, 2.5 * 86_400].map(inTime)).toEqual(["59 min", "120 min", "2 h", "48 h", "2.5 d"]);
});

const now = Date.UTC(2026, 10, 27, 10) / 1000;
const expression = 'sum_over_time(alerts:x:increase1m[10m]) / y{le="z["}';

/** A group as Grafana's provider has it. */
const group = (above: number, more: Values = {}): Values => ({
  name: "GenAIErrors",
  intervalSeconds: 60,
  rules: [
    {
      ...{ name: "GenAIErrors", for: "0s", keepFiringFor: "10m0s", labels: { severity: "critical" }, noDataState: "OK", ...more },
      datas: [
        { refId: "A", datasourceUid: "prom", model: JSON.stringify({ refId: "A", expr: expression }) },
        { refId: "C", model: JSON.stringify({ conditions: [{ evaluator: { type: "gt", params: [above] } }] }) },
      ],
    },
  ],
});

const settings = settingsOf({ ...managed, alerts: "on", prometheusUid: "prom", alertBudgets: '{"shop":5}' });

/** A group of recording rules, with the budget of an application. */
const recording = (usd: number): Values => ({
  ...{ name: "Recording rules", intervalSeconds: 60 },
  rules: [
    { name: "any", record: { metric: "any:metric" }, datas: [{ model: JSON.stringify({ expr: "1" }) }] },
    {
      name: "budgets",
      record: { metric: "application:gen_ai_budget:usd_per_day" },
      datas: [{ model: JSON.stringify({ expr: `vector(${usd})` }) }],
    },
  ],
});

describe("the part of the report", () => {
  async function grafana(begin?: number, gap?: [from: number, to: number]) {
    const server = await startPast(now, begin, gap);
    onTestFinished(() => server.close());
    return server;
  }

  async function past(url: string, steps: Parameters<typeof step>[0][], days = 7) {
    vi.useFakeTimers({ now: now * 1000, toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const parsed = parsePreview(preview(...steps.map((each, index) => step({ type: ruleGroupType, name: `r${index}`, ...each }))));
    const progress = vi.spyOn(console, "error").mockReturnValue(undefined);
    onTestFinished(() => void progress.mockRestore());
    const text = await pastOfChanges(parsed, days, () => ({ settings, access: { url, auth: "canary-token" } }));
    return text?.split("\n").slice(4).filter(Boolean);
  }

  it("a lower and a higher limit, a new and a deleted rule, and a rule that fires as before", async () => {
    const { url, asked } = await grafana();
    const again = group(0.15, { annotations: { summary: "Another text" } });
    expect(await past(url, [{ before: group(0.15), after: again }])).toBeUndefined();
    const changes = [
      { before: group(0.15), after: group(0.07) },
      { before: group(0.07), after: group(0.15) },
      { op: "create", after: group(0.15) },
      { op: "delete", before: group(0.15) },
      { before: group(0.3), after: group(0.4) },
    ];
    const [first, second] = ["`check|out / openai` (22 min; 11-25 10:00 UTC)", "`check|out / openai` (15 min; 11-26 10:00 UTC)"];
    expect(await past(url, changes)).toEqual([
      "- **`GenAIErrors`**: threshold 0.15 → 0.07, 1 → 2 alerts, 22 min → 37 min firing",
      `  - new: ${second}`,
      "- **`GenAIErrors`**: threshold 0.07 → 0.15, 2 → 1 alerts, 37 min → 22 min firing",
      `  - gone: ${second}`,
      "- **`GenAIErrors`**: new, 1 alert, 22 min firing",
      `  - new: ${first}`,
      "- **`GenAIErrors`**: deleted, 1 alert, 22 min firing",
      `  - gone: ${first}`,
      "- **`GenAIErrors`**: no alert",
    ]);
    const proxy = "/api/datasources/proxy/uid/prom/api/v1/query_range";
    expect(new Set(asked)).toEqual(
      new Set([
        `${proxy} ${expression}`,
        `${proxy} count by (__name__) (last_over_time({__name__=~"alerts:x:increase1m|y|model:gen_ai_price:usd_per_million_tokens"}[1h]))`,
      ]),
    );
  });

  it("budgets that are recorded: the alert rule stays the same", async () => {
    const { url, asked } = await grafana();
    expect(await past(url, [{ before: recording(4), after: recording(5) }])).toEqual(["- **`GenAIBudget`**: no alert"]);
    expect(asked.flatMap((query) => /\/ on \(application\) (.*)/.exec(query)?.[1] ?? [])).toEqual(
      ["(vector(4))", "(vector(5))"].flatMap((each) => Array<string>(3).fill(each)),
    );
    expect(await past(url, [{ before: recording(5), after: { ...recording(5), intervalSeconds: 30 } }])).toBeUndefined();
  });

  it("says what differs, and how often an alert fires", async () => {
    const { url } = await grafana();
    const other = JSON.parse(JSON.stringify(group(0.15, { for: "5m0s" })).replace("sum_over_time", "max_over_time")) as Values;
    expect(await past(url, [{ before: group(0.15), after: other }])).toEqual([
      "- **`GenAIErrors`**: query changed, times changed, 1 → 1 alerts, 22 min → 17 min firing",
    ]);
    expect(await past(url, [{ op: "create", after: group(0.07) }])).toEqual([
      "- **`GenAIErrors`**: new, 2 alerts, 37 min firing",
      "  - new: `check|out / openai` 2 times (22 min, 15 min; last 11-26 10:00 UTC)",
    ]);
  });

  it("from when on there is data, and for more than a week, five minutes", async () => {
    const { url } = await grafana(now - 3 * 86_400);
    expect(await past(url, [{ op: "create", after: group(0.15) }], 30)).toEqual([
      "- **`GenAIErrors`**: new, 1 alert, 25 min firing (`evaluated each 5 min instead of 1`) (`no values of alerts:x:increase1m, y before 11-24 10:00 UTC`)",
      "  - new: `check|out / openai` (25 min; 11-25 10:00 UTC)",
    ]);
    const { url: withGap } = await grafana(0, [now - 5 * 3600, now - 3 * 3600]);
    expect(await past(withGap, [{ op: "create", after: group(0.3) }])).toEqual([
      "- **`GenAIErrors`**: new, 0 alerts, 0 min firing (`nothing was recorded in 2 h`)",
    ]);
    const { url: empty } = await grafana(now + 1);
    expect(await past(empty, [{ op: "create", after: group(0.15) }])).toEqual([
      "- **`GenAIErrors`**: new, 0 alerts, 0 min firing (`no data`)",
    ]);
  });

  it.each([
    [
      "the token",
      { message: "Access denied for canary-token" },
      403,
      "403: Access denied for [redacted]. Is grafanaAuth valid, and has its token datasources:query?",
    ],
    [
      "the server",
      { status: "error", errorType: "execution", error: "query would load too many samples" },
      422,
      "422: query would load too many samples",
    ],
    ["the datasource", { message: "Data source not found" }, 404, "404: Data source not found"],
  ])("says why it is not known, once for all rules: %s", async (_what, body, status, reason) => {
    const { url } = await serve([() => json(body, status)]);
    const changes = [
      { before: group(0.15), after: group(0.07) },
      { op: "create", after: group(0.15) },
    ];
    expect(await past(url, changes)).toEqual([`- **\`GenAIErrors\`**, **\`GenAIErrors\`**: not known: \`${reason}\``]);
  });

  it.each([
    ["an upper limit", "gt", "lt"],
    ["alerts without data", '"noDataState":"OK"', '"noDataState":"Alerting"'],
    ["several rules", '"rules":[', '"rules":[{},'],
  ])("a rule of another form is not guessed: %s", async (_what, part, other) => {
    const { url } = await grafana();
    const changed = JSON.parse(JSON.stringify(group(0.15)).replace(part, other)) as Values;
    const [line] = (await past(url, [{ before: changed, after: group(0.15) }])) ?? [];
    expect(line).toContain("not known: `only rules with one query and one lower limit are replayed`");
  });

  it("the severity by template, as rules have it", async () => {
    const { url } = await grafana();
    const severity = severityOf({ severity: "warning", criticalFrom: 0.18 } as AlertRule, "grafana");
    expect(await past(url, [{ op: "create", after: group(0.07, { labels: { severity } }) }])).toEqual([
      "- **`GenAIErrors`**: new, 2 alerts, 28 min firing",
      // Afterwards, its value is that of a warning: it ends at the second evaluation, whatever keepFiringFor says.
      "  - new: `check|out / openai / critical` (13 min; 11-25 10:00 UTC), `check|out / openai / warning` (15 min; 11-26 10:00 UTC)",
    ]);
  });

  it("settings that cannot be read do not end the report", async () => {
    const parsed = parsePreview(preview(step({ type: ruleGroupType, op: "create", after: group(0.15) })));
    const denied = () => {
      throw new Error("a secret");
    };
    expect(await pastOfChanges(parsed, 1, denied)).toBe(
      "### Alerts of the last 24 hours, before and after\n\nNot known: the settings of the stack cannot be read. `npm run backtest -- --stack NAME` says why.\n",
    );
  });
});
