/**
 * One timeline: eight days of history, as alerts compare with the week before, a normal week from Monday to Sunday, and five days with the stories, two a
 * day. It ends on the last Friday, so that Prometheus accepts it and the same seed always makes the same telemetry.
 */
import type { Range } from "../../view/reading/panel";
import { hour } from "../world/world";
import { few, type Rate, type Story, stories } from "./stories";

const day = 24 * hour;
const week = 7 * day;

/** The last Saturday at 0:00 UTC. 1970-01-03 was a Saturday. */
const end = Math.floor((Date.now() - 2 * day) / week) * week + 2 * day;

/** At few calls, the stories take two weeks. */
export function timelineOf(rate: Rate) {
  const badDays = { from: end - (rate === few ? 12 : 5) * day, to: end };
  const normalWeek = { from: badDays.from - week, to: badDays.from };
  const all = { from: normalWeek.from - 8 * day, to: end };
  return { all, normalWeek, badDays };
}

/** When a story happens; undefined if it does not at this rate. */
export function timesOf(story: Story, rate: Rate): Range | undefined {
  const times = rate === few ? story.atFew : story.at;
  const start = timelineOf(rate).badDays.from;
  return times && { from: start + times.from, to: start + times.to };
}

/** The story at a time. */
export function storyAt(time: number, rate: Rate): Story | undefined {
  return stories.find((story) => {
    const times = timesOf(story, rate);
    return times && time >= times.from && time < times.to;
  });
}
