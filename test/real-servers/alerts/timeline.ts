/**
 * One timeline: eight days of history, as alerts compare with the week before, a normal week from Monday to Sunday, and five days with the stories, two a
 * day. It ends on the last Friday, so that Prometheus accepts it and the same seed always makes the same telemetry.
 */
import { hour } from "../telemetry/world";
import { type Change, createCalls } from "./calls";
import { createProcesses } from "./processes";
import { type Rate, type Story, stories } from "./stories";

export const day = 24 * hour;
const week = 7 * day;

/** The last Saturday at 0:00 UTC. 1970-01-03 was a Saturday. */
const end = Math.floor((Date.now() - 2 * day) / week) * week + 2 * day;

const badDays = { from: end - 5 * day, to: end };
const normalWeek = { from: badDays.from - week, to: badDays.from };
const all = { from: normalWeek.from - 8 * day, to: end };

export const timeline = { all, normalWeek, badDays, days: (all.to - all.from) / day };

export const timesOf = (story: Story) => ({
  from: badDays.from + story.day * day + story.from,
  to: badDays.from + story.day * day + story.to,
});

/** The story at a time. */
export function storyAt(time: number): Story | undefined {
  return stories.find((story) => time >= timesOf(story).from && time < timesOf(story).to);
}

const change: Change = (call, random) => storyAt(call.start)?.change?.(call, random) ?? [call];

/** The calls and processes of a timeline. */
export function createTimeline(seed: number, rate: Rate) {
  return {
    calls: createCalls(seed, rate, all, change),
    // In the normal week, on Thursday.
    processes: createProcesses(seed + 1, all, { application: "support-chat", at: normalWeek.from + 3 * day + 11 * hour }),
  };
}
