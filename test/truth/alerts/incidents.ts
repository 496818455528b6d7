/** The samples of made-up weeks, then of the stories. */
import { Random } from "../world/random";
import { Recorder } from "./recorded";
import { limitsAt, storyAt } from "./stories";
import { createTargets, type Rate } from "./world";

/** The minutes that are made at once. */
const part = 360;

/** One part after the other. @param start the time of minute 0 @param bad the minute in which the days of the stories begin */
export function* recordStories(rate: Rate, seed: number, start: number, bad: number, minutes: number, withService: boolean) {
  const storiesAt = (minute: number) => (minute < bad ? [] : storyAt(minute - bad));
  const targets = createTargets(
    (index) => new Random(seed * 1000 + index),
    rate,
    minutes,
    (target, minute) => Object.assign({}, ...storiesAt(minute).map(({ effect }) => effect?.(target))),
  );
  const recorder = new Recorder(
    {
      ...{ targets, budgets: limitsAt(rate).budgets, withService },
      loss: (minute) => Object.assign({}, ...storiesAt(minute).map(({ loss }) => loss)),
      isReplaced: (target, minute) => storiesAt(minute).some(({ isReplaced }) => isReplaced?.(target)),
    },
    start,
  );
  for (let from = 0; from < minutes; from += part) yield recorder.take(from, Math.min(minutes, from + part));
}
