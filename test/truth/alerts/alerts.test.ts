/** Each alert fires in the story that it is for, and none in a normal week: on a real Prometheus with known telemetry, at 30 requests a day, and at 1 and at 10 a minute. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTelemetryAlerts, openTelemetryRequests } from "../../../src/alerts/opentelemetry";
import { serviceAlerts } from "../../../src/alerts/service";
import { expectTable } from "../../support/readme";
import type { Range } from "../../view/reading/panel";
import { type RunningPrometheus, startPrometheus } from "../servers";
import { service } from "../telemetry/service";
import { minute } from "../world/world";
import { type Firing, firings } from "./firing";
import { pushTimeline, startFlags } from "./push";
import { afterwards, few, limitsAt, type Rate, rates, type Story, stories } from "./stories";
import { timelineOf, timesOf } from "./timeline";

const seed = 24;

/** The rules as a stack deploys them. */
const rulesOf = (rate: Rate) => [
  ...openTelemetryAlerts(limitsAt(rate), "prometheus"),
  ...serviceAlerts(service, limitsAt(rate), openTelemetryRequests),
];

/** Minutes until a rule fires, for the table. */
const found: { story: Story; rule: string; rate: Rate; minutes: number }[] = [];
let silentWeeks = 0;

/** The next rate's timeline is pushed while the one before is queried. */
const servers = new Map<Rate, Promise<RunningPrometheus>>();

beforeAll(() => {
  let before: Promise<unknown> = Promise.resolve();
  for (const rate of rates) {
    const pushed = before.then(async () => {
      const server = await startPrometheus(startFlags);
      await pushTimeline(server.prometheus, seed, rate);
      return server;
    });
    servers.set(rate, pushed);
    before = pushed;
  }
});

describe.each(rates)("%d requests a minute", (rate) => {
  const timeline = timelineOf(rate);
  let server: RunningPrometheus;

  beforeAll(async () => {
    server = (await servers.get(rate)) as RunningPrometheus;
  }, 300_000);

  afterAll(() => server?.stop());

  const fired = async (range: Range, least = 1) => {
    const all: Firing[] = [];
    const pending = rulesOf(rate)[Symbol.iterator]();
    const work = async () => {
      for (const rule of pending) all.push(...(await firings(server.prometheus, rule, range, least)));
    };
    // Prometheus evaluates each query with one core.
    await Promise.all([work(), work()]);
    return all;
  };

  it("no alert fires in a normal week", async () => {
    // At few requests, rules look at a day, which is slow to read.
    expect((await fired(timeline.normalWeek, rate === few ? 5 : 1)).map(told)).toEqual([]);
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
      else problems.push(`${story.name}: ${rule} fires after ${minutes} minutes instead of within ${within}`);
      for (const firing of own) explained.add(firing);
    }
    problems.push(...all.filter((firing) => !explained.has(firing)).map((firing) => `not expected, or too long: ${told(firing)}`));
    expect(problems).toEqual([]);
    const ids = new Set(expected.map(({ rule }) => rule));
    // At few requests, some rules have no chance.
    const without = rulesOf(rate).filter(({ id }) => !ids.has(id));
    if (rate === 10) expect(without, "rules without a story").toEqual([]);
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
