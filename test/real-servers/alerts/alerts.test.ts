/** Each alert fires in the story that it is for, and none in a normal week: on a real Prometheus with known telemetry, at 30 requests a day, and at 1 and at 10 a minute. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTelemetryAlerts, openTelemetryRequests } from "../../../src/alerts/opentelemetry";
import { serviceAlerts } from "../../../src/alerts/service";
import { openTelemetryRecordingRules } from "../../../src/signals/opentelemetry-rules";
import { expectTable } from "../../support/readme";
import { queryInstant, queryRange } from "../../view/reading/client";
import type { Range } from "../../view/reading/panel";
import { type RunningPrometheus, startPrometheus } from "../servers";
import { hour, minute } from "../world/world";
import { type Firing, firings, second } from "./firing";
import { service } from "./gateway";
import { pushTimeline, startFlags } from "./push";
import { delay, search } from "./recorded";
import { afterwards, few, limitsAt, type Rate, rates, type Story, stories } from "./stories";
import { day, timelineOf, timesOf } from "./timeline";

const seed = 24;

/** The rules as a stack deploys them. */
const rulesOf = (rate: Rate) => [
  ...openTelemetryAlerts(limitsAt(rate)),
  ...serviceAlerts(service, limitsAt(rate), openTelemetryRequests()),
];

/** Minutes in which the recorded series are compared with the rules' queries, from the begin of the normal week. */
const compared = [
  // Three hours after the end of the job at night, when office-helper starts.
  { day: 3, from: 6 * hour - 5 * minute, to: 6 * hour + 5 * minute },
  // A crash loop.
  { day: 3, from: 11 * hour, to: 11 * hour + 20 * minute },
  // An hour after a deployment of docs-search, whose environment is in the resource only.
  { day: 9, from: 11.5 * hour, to: 11.5 * hour + 10 * minute },
  // Failed requests; the first export after a gap.
  { day: 7, from: 10 * hour, to: 10 * hour + 10 * minute },
  { day: 10, from: 11 * hour + 25 * minute, to: 11 * hour + 35 * minute },
].map(({ day: days, from, to }): Range => ({ from: days * day + from, to: days * day + to }));

/** Minutes until a rule fires, for the table. */
const found: { story: Story; rule: string; rate: Rate; minutes: number }[] = [];
let silentWeeks = 0;

describe.each(rates)("%d requests a minute", (rate) => {
  const timeline = timelineOf(rate);
  const comparedRanges = compared.map(({ from, to }) => ({ from: timeline.normalWeek.from + from, to: timeline.normalWeek.from + to }));
  const unrecorded = stories.flatMap((story) => (story.silent?.recording ? (timesOf(story, rate) ?? []) : []));
  let server: RunningPrometheus;
  let pushed: Map<string, number>;

  beforeAll(async () => {
    server = await startPrometheus(undefined, startFlags);
    const stored = [
      ...comparedRanges.map(({ from, to }) => ({ from: from - search - 2 * minute, to: to + minute })),
      ...unrecorded.map(({ from, to }) => ({ from: from - hour, to: to + hour })),
    ];
    pushed = await pushTimeline(server.prometheus, seed, rate, stored);
  }, 300_000);

  afterAll(() => server?.stop());

  const fired = async (range: Range) => {
    const all: Firing[] = [];
    const pending = rulesOf(rate)[Symbol.iterator]();
    const work = async () => {
      for (const rule of pending) all.push(...(await firings(server.prometheus, rule, range)));
    };
    // Prometheus evaluates each query with one core.
    await Promise.all([work(), work()]);
    return all;
  };

  it("Prometheus has all samples", async () => {
    for (const [name, samples] of pushed) {
      const { result } = await queryInstant(
        server.prometheus,
        `sum(count_over_time({__name__="${name}"}[${timeline.days + 1}d]))`,
        timeline.all.to + hour,
      );
      expect(Number((result as { value: [number, string] }[])[0]?.value[1]), name).toBe(samples);
    }
  }, 120_000);

  it("the recorded series are what the rules record", async () => {
    const rules = openTelemetryRecordingRules().filter(({ name }) => pushed.has(name));
    expect(rules).toHaveLength(6);
    for (const range of comparedRanges) {
      for (const { name, query } of rules) {
        const expected = await valuesOf(server, query, range, second);
        const recorded = await valuesOf(server, `last_over_time(${name}[1s])`, range, delay);
        const keys = [...new Set([...expected.keys(), ...recorded.keys()])];
        const different = keys.filter((key) => !(Math.abs((expected.get(key) ?? Number.NaN) - (recorded.get(key) ?? Number.NaN)) < 1e-6));
        expect(different.map((key) => `${name} ${key}: ${recorded.get(key)} instead of ${expected.get(key)}`)).toEqual([]);
        expect(keys.length, name).toBeGreaterThan(0);
      }
    }
  }, 120_000);

  it("no alert fires in a normal week", async () => {
    expect((await fired(timeline.normalWeek)).map(told)).toEqual([]);
    silentWeeks += 1;
  }, 240_000);

  it("each story's alerts fire within their time and end, and no others", async () => {
    const all = await fired(timeline.badDays);
    const expected = stories.flatMap((story) =>
      Object.entries(story.fires).flatMap(([rule, within]) => {
        const times = timesOf(story, rate);
        return times && within[rate] !== undefined ? [{ story, times, rule, within: within[rate] }] : [];
      }),
    );
    const explained = new Set<Firing>();
    const problems: string[] = [];
    for (const { story, times, rule, within } of expected) {
      const { from, to } = times;
      const last = to + (story.lasts?.[rule] ?? afterwards(rate)) * minute;
      const own = all.filter((firing) => firing.rule === rule && firing.from >= from && firing.to < last);
      const first = Math.min(...own.map((firing) => firing.from));
      const minutes = Math.ceil((first - from) / minute);
      if (minutes <= within) found.push({ story, rule, rate, minutes });
      else
        problems.push(
          `${story.name}: ${rule} ${own.length > 0 ? `fires after ${minutes} minutes` : "does not fire"} instead of within ${within}`,
        );
      for (const firing of own) explained.add(firing);
    }
    problems.push(...all.filter((firing) => !explained.has(firing)).map((firing) => `not expected, or too long: ${told(firing)}`));
    expect(problems).toEqual([]);
    const ids = new Set(expected.map(({ rule }) => rule));
    // At few requests, some rules have no chance.
    if (rate === 10)
      expect(
        rulesOf(rate).flatMap(({ id }) => (ids.has(id) ? [] : [id])),
        "rules without a story",
      ).toEqual([]);
  }, 240_000);
});

// The same seed gives the same table.
it("src/alerts/README.md has the table of the stories", async ({ skip }) => {
  if (silentWeeks < rates.length) skip("an alert fires in a normal week");
  const rows = stories.map((story) => `| ${story.name} | ${rates.map((rate) => firstOf(story, rate)).join(" | ")} |`);
  const names = rates.map((rate) => (rate === few ? "30 a day" : `${rate} a minute`));
  const text = [`| Story | ${names.join(" | ")} |`, "|---|---|---|---|", ...rows].join("\n");
  const week = `In a normal week, ${rulesOf(1).length} rules at each of the rates: 0 alerts. A dash: too few requests for the floor.`;
  await expectTable("stories", `${text}\n\n${week}`, "test:truth", "src/alerts/README.md");
});

/** The first rule that fires in a story, and the time. */
function firstOf(story: Story, rate: Rate): string {
  const firings = Object.keys(story.fires).flatMap(
    (rule) => found.find((each) => each.story === story && each.rule === rule && each.rate === rate) ?? [],
  );
  const [first] = firings.sort((one, other) => one.minutes - other.minutes);
  if (!first) return "–";
  return `\`${first.rule}\`: ${first.minutes < 120 ? `${first.minutes} min` : `${(first.minutes / 60).toFixed(1)} h`}`;
}

/** A firing in words. */
function told({ rule, labels, from, to, value }: Firing): string {
  const at = (time: number) => new Date(time).toUTCString().slice(0, -7);
  return `${rule} ${JSON.stringify(labels)} from ${at(from)} to ${at(to)}, up to ${value}`;
}

/** Values by minute and labels, without the name, of a query that is evaluated some time after each full minute. */
async function valuesOf(
  { prometheus }: RunningPrometheus,
  query: string,
  { from, to }: Range,
  later: number,
): Promise<Map<string, number>> {
  const { result } = await queryRange(prometheus, query, { from: from + later, to: to + later }, minute);
  const series = result as { metric: Record<string, string>; values: [number, string][] }[];
  return new Map(
    series.flatMap(({ metric: { __name__: _, ...labels }, values }) =>
      values.map(([time, value]): [string, number] => [
        `${new Date(1000 * time - later).toISOString()} ${JSON.stringify(Object.entries(labels).sort())}`,
        Number(value),
      ]),
    ),
  );
}
