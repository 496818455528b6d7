/**
 * Calls to models as people and jobs make them, from a seed: office hours and nights, weekends, load tests, a job at night, rate limits, timeouts. Nothing here
 * knows of an alert. Times are milliseconds.
 */

import type { WrittenCall } from "../telemetry/service";
import { Random } from "../world/random";
import { costOf, hour, minute } from "../world/world";
import { type Application, applications, type Model } from "./applications";

export interface Call extends WrittenCall {
  process: Application;
  model: Model;
  /** The type of the error of a failed call. */
  error?: string;
  /** Seconds until the first token of a streamed call. */
  firstToken?: number | undefined;
  inputTokens: number;
  outputTokens: number;
  cost: number;
}

/** What changes calls: each call in, the calls that happen instead out. */
export type Change = (call: Call, random: Random) => Call[];

const day = 24 * hour;
const burstFactor = 4;
const weekendFactor = 0.2;
/** Of calls that were not answered, because the provider limits them: 0.7 % in clusters of two or three. */
const rateLimited = 0.007 / 2.5;
const timedOut = 0.002;
const timeout = 60;

/** How busy an hour is, in parts of an hour in the office. */
const byHour = [1, 1, 1, 1, 1, 1.5, 3, 6, 9, 10, 10, 10, 9, 10, 10, 10, 9, 7, 5, 4, 3, 2, 1.5, 1].map((tenths) => tenths / 10);

const hourOf = (time: number) => (time % day) / hour;
/** 1970-01-01 was a Thursday. */
const isWeekend = (time: number) => [2, 3].includes(Math.floor(time / day) % 7);

export const runsAt = ({ hours: [from, to] = [0, 24] }: Application, time: number) => hourOf(time) >= from && hourOf(time) < to;

/** Calls of an application at a time, relative to those of all in office hours, without noise. */
function busyness(application: Application, time: number): number {
  if (!runsAt(application, time)) return 0;
  if (application.isJob) return application.weight;
  return application.weight * (byHour[Math.floor(hourOf(time))] as number) * (isWeekend(time) ? weekendFactor : 1);
}

/** The mean of a week. */
function meanBusyness(from: number): number {
  const hours = Array.from({ length: 7 * 24 }, (_, index) => from + index * hour);
  const sum = (values: readonly number[]) => values.reduce((left, right) => left + right, 0);
  return sum(hours.map((time) => sum(applications.map((application) => busyness(application, time))))) / hours.length;
}

const normal = (random: Random) => Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction());
/** @param spread the standard deviation of the logarithm */
export const logNormal = (random: Random, median: number, spread: number) => median * Math.exp(spread * normal(random));

/**
 * The calls of all applications between two times, in the order of their ends.
 *
 * @param rate calls in a minute, the mean of a normal week
 * @param change what a story changes. The other calls are the same without it.
 */
export function createCalls(seed: number, rate: number, { from, to }: { from: number; to: number }, change: Change): Call[] {
  const factor = rate / meanBusyness(from);
  const bursts = createBursts(new Random(seed), from, to);
  const calls = applications.flatMap((application, index) => {
    const [random, changing] = [new Random(seed + 100 * (index + 1)), new Random(seed + 100 * (index + 1) + 1)];
    const made: Call[] = [];
    let noise = 1;
    for (let time = from; time < to; time += minute) {
      // Some hours are busier than others, for no known reason.
      if (time % hour === 0) noise = logNormal(random, 1, 0.25);
      const isBurst = bursts.some((burst) => burst.application === application.application && time >= burst.from && time < burst.to);
      const perMinute = factor * noise * busyness(application, time) * (isBurst ? burstFactor : 1);
      if (perMinute === 0) continue;
      const gap = minute / perMinute;
      for (let start = time + random.exponential(gap); start < time + minute; start += random.exponential(gap)) {
        for (const call of attempts(application, start, random)) made.push(...change(call, changing));
      }
    }
    return made;
  });
  return calls.sort((left, right) => left.end - right.end);
}

/** Several load tests a week, at any hour of the day and the evening. */
function createBursts(random: Random, from: number, to: number) {
  const bursts: { application: string; from: number; to: number }[] = [];
  for (let start = from; start < to; start += random.integer(1, 2) * day) {
    const begin = start + random.integer(8 * 60, 22 * 60) * minute;
    bursts.push({ application: random.pick(["shop-assistant", "support-chat", "agent"]), from: begin, to: begin + 20 * minute });
  }
  return bursts;
}

/** A call, or those that hit the limit of a provider. */
function attempts(process: Application, start: number, random: Random): Call[] {
  const model = random.fraction() < process.first ? process.models[0] : process.models[1];
  const call: Call = { process, model, start, end: start, inputTokens: 0, outputTokens: 0, cost: 0 };
  const fate = random.fraction();
  if (fate < rateLimited) {
    const pause = random.integer(1000, 4000);
    return Array.from({ length: random.integer(2, 3) }, (_, index) =>
      failed({ ...call, start: start + index * pause }, "rate_limit", logNormal(random, 0.3, 0.3)),
    );
  }
  if (fate < rateLimited + timedOut) return [failed(call, "timeout", timeout)];
  const isStreamed = random.fraction() < 0.6;
  const firstToken = logNormal(random, 0.5, 0.5);
  const made = lasting(call, Math.max(logNormal(random, 2, 0.7), firstToken + 0.1));
  const inputTokens = Math.round(logNormal(random, 1200, 0.9));
  const outputTokens = Math.round(logNormal(random, 250, 0.8));
  const cost = costOf(model.price, inputTokens, outputTokens);
  return [{ ...made, inputTokens, outputTokens, cost, firstToken: isStreamed ? firstToken : undefined }];
}

/** A call that fails after some seconds. */
export const failed = ({ process, model, start, end }: Call, error: string, seconds: number): Call =>
  lasting({ process, model, start, end, error, inputTokens: 0, outputTokens: 0, cost: 0 }, seconds);

export const lasting = (call: Call, seconds: number): Call => ({ ...call, end: Math.round(call.start + 1000 * seconds) });
