/** Each alert fires in the story that it is for, and none in a normal week: on a real Prometheus with known telemetry, at 1 and at 10 requests a minute. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AlertRule } from "../../../src/alerts/rule";
import type { CounterMode } from "../../../src/signals/counters";
import { openTelemetryRecordingRules } from "../../../src/signals/opentelemetry";
import { queryInstant } from "../../../src/view/reading/client";
import { expectTable } from "../../support/readme";
import { type RunningPrometheus, startPrometheus } from "../servers";
import { hour, minute } from "../telemetry/world";
import { type Firing, firings } from "./firing";
import { pushTimeline, startFlags } from "./push";
import { delay } from "./recorded";
import { modes, rulesOf } from "./rules";
import { afterwards, type Rate, rates, type Story, stories } from "./stories";
import { day, timeline, timesOf } from "./timeline";

const seed = 24;

/** Exact queries take long: a week of them has an evaluation each five minutes, and the days with stories those of the stories' hours. */
const evaluations: Record<CounterMode, { inNormalWeek: number; storyHours: { from: number; to: number }[] }> = {
  exact: {
    inNormalWeek: 5,
    storyHours: Array.from({ length: 5 }, (_, index) => timeline.badDays.from + index * day).map((midnight) => ({
      from: midnight + 9 * hour,
      to: midnight + 18 * hour,
    })),
  },
  recorded: { inNormalWeek: 1, storyHours: [timeline.badDays] },
};

/** Minutes until a rule fires, for the table. */
const found: { story: Story; rule: string; rate: Rate; minutes: number }[] = [];
let silentWeeks = 0;

describe.each(rates)("%i requests a minute", (rate) => {
  let server: RunningPrometheus;
  let pushed: Map<string, number>;

  beforeAll(async () => {
    server = await startPrometheus(undefined, startFlags);
    pushed = await pushTimeline(server.prometheus, seed, rate);
  }, 300_000);

  afterAll(() => server?.stop());

  const fired = async (rules: readonly AlertRule[], ranges: readonly { from: number; to: number }[], everyMinutes: number) => {
    const all: Firing[] = [];
    const pending = rules.flatMap((rule) => ranges.map((range) => ({ rule, range })))[Symbol.iterator]();
    const work = async () => {
      for (const { rule, range } of pending) {
        all.push(...(await firings(server.prometheus, rule, range, Math.max(rule.everyMinutes, everyMinutes))));
      }
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
    // A quiet night, a restart in a crash loop, and a story.
    for (const time of [4 * hour, 3 * day + 11 * hour + 7 * minute, 7 * day + 13.5 * hour].map(
      (after) => timeline.normalWeek.from + after,
    )) {
      for (const { name, query } of rules) {
        const [expected, recorded] = [await valuesOf(server, query, time), await valuesOf(server, `${name}{}[1s]`, time + delay)];
        expect(recorded.size, name).toBeGreaterThan(0);
        expect([...recorded.keys()].sort(), name).toEqual([...expected.keys()].sort());
        for (const [labels, value] of expected) expect(recorded.get(labels), `${name} ${labels}`).toBeCloseTo(value, 6);
      }
    }
  });

  it.each(modes)(
    "no alert fires in a normal week, %s",
    async (mode) => {
      const all = await fired(rulesOf(mode, rate), [timeline.normalWeek], evaluations[mode].inNormalWeek);
      expect(all.map(told)).toEqual([]);
      silentWeeks += 1;
    },
    240_000,
  );

  it.each(modes)(
    "each story's alerts fire within their time and end, and no others, %s",
    async (mode) => {
      const rules = rulesOf(mode, rate);
      const all = await fired(rules, evaluations[mode].storyHours, 1);
      const expected = stories.flatMap((story) =>
        Object.entries(story.fires).flatMap(([rule, within]) =>
          within[rate] === undefined ? [] : [{ story, rule, within: within[rate] }],
        ),
      );
      const explained = new Set<Firing>();
      const problems: string[] = [];
      for (const { story, rule, within } of expected) {
        const { from, to } = timesOf(story);
        const last = to + (story.lasts?.[rule] ?? afterwards) * minute;
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
          rules.map(({ id }) => id).filter((id) => !ids.has(id)),
          "rules without a story",
        ).toEqual([]);
    },
    240_000,
  );
});

// The same seed gives the same table.
it("src/alerts/README.md has the table of the stories", async ({ skip }) => {
  if (silentWeeks < rates.length * modes.length) skip("an alert fires in a normal week");
  const rows = stories.flatMap((story) =>
    Object.keys(story.fires).map((rule) => {
      const cells = rates.map((rate) => minutesOf(story, rule, rate));
      return `| ${story.name} | \`${rule}\` | ${cells.join(" | ")} |`;
    }),
  );
  const text = [`| Story | Rule | ${rates.map((rate) => `${rate} a minute`).join(" | ")} |`, "|---|---|---|---|", ...rows].join("\n");
  const week = `In a normal week, ${rulesOf("exact", 1).length} rules, with exact and with recorded counters, at each of the rates: 0 alerts. A dash: too few requests for the floor.`;
  await expectTable("stories", `${text}\n\n${week}`, "test:truth", "src/alerts/README.md");
});

/** The range of both modes of counters. */
function minutesOf(story: Story, rule: string, rate: Rate): string {
  const minutes = found.filter((each) => each.story === story && each.rule === rule && each.rate === rate).map((each) => each.minutes);
  if (minutes.length === 0) return "–";
  const [least, most] = [Math.min(...minutes), Math.max(...minutes)];
  return least === most ? `${least} min` : `${least} to ${most} min`;
}

/** A firing in words. */
function told({ rule, labels, from, to, value }: Firing): string {
  const at = (time: number) => new Date(time).toUTCString().slice(0, -7);
  return `${rule} ${JSON.stringify(labels)} from ${at(from)} to ${at(to)}, up to ${value}`;
}

/** Values by labels, without the name. A range has the sample of this very time. */
async function valuesOf({ prometheus }: RunningPrometheus, query: string, time: number): Promise<Map<string, number>> {
  const { result } = await queryInstant(prometheus, query, time);
  const series = result as { metric: Record<string, string>; value?: [number, string]; values?: [number, string][] }[];
  return new Map(
    series.map(({ metric: { __name__: _, ...labels }, value, values }) => [
      JSON.stringify(Object.entries(labels).sort()),
      Number((value ?? values?.[0])?.[1]),
    ]),
  );
}
