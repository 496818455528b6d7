/**
 * What applications ask of models, minute by minute, from a seed: office hours and nights, weekends, a job at night, load tests, retries that fail in twos and
 * threes, bursts of failures at a provider, timeouts. Nothing here knows of an alert. A minute is a number from 0, Monday at 0:00 UTC.
 */
import type { Random } from "../world/random";

export const day = 1440;
export const week = 7 * day;

/** 29 requests a day, 200 a day, 10 a minute, 50 a second: the means of a minute. */
export const rates = { "30 a day": 30 / day, "200 a day": 200 / day, "10 a minute": 10, "50 a second": 3000 } as const;
export type Rate = keyof typeof rates;

/** The upper bounds of durations and of times to the first token, in seconds. */
export const bounds = {
  latency: [0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  firstToken: [0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24],
} as const;

/** Of a model: USD for a request, tokens of a request, the median of the duration in seconds, and of the first token of those that stream. */
const chat = (provider: string, model: string, usd = 0, seconds = 2) => ({
  provider,
  model,
  usd,
  tokens: 1600,
  seconds,
  firstToken: 0.5 as number | undefined,
});
const models = {
  gpt: chat("openai", "gpt-4.1", 0.0052),
  sonnet: chat("anthropic", "claude-sonnet-4", 0.009),
  haiku: chat("anthropic", "claude-3.5-haiku", 0.0024),
  llama: chat("ollama", "llama3.1:8b"),
  embedding: { ...chat("openai", "text-embedding-3-small", 0.00002, 0.15), tokens: 800, firstToken: undefined },
};
type Model = keyof typeof models;

/** Its part of the requests, the part of each model in these, and the hours of the day in which its processes run. */
type Application = { weight: number; parts: Partial<Record<Model, number>>; hours?: [from: number, to: number] };

const team = (index: number): [string, Application] => [
  `team-${index + 1}`,
  { weight: 30 / (index + 2), parts: { [index % 3 ? "gpt" : "haiku"]: 0.6, sonnet: 0.4 } },
];
const applications: Readonly<Record<string, Application>> = {
  "shop-assistant": { weight: 40, parts: { gpt: 0.6, sonnet: 0.4 } },
  "support-chat": { weight: 25, parts: { gpt: 0.7, haiku: 0.3 } },
  "docs-search": { weight: 40, parts: { embedding: 0.96, llama: 0.04 } },
  "office-helper": { weight: 10, parts: { gpt: 0.7, llama: 0.3 }, hours: [6, 20] },
  invoice: { weight: 3, parts: { gpt: 1 } },
  "nightly-report": { weight: 40, parts: { gpt: 1 }, hours: [2, 3] },
  ...Object.fromEntries(Array.from({ length: 14 }, (_, index) => team(index))),
};
const sizes: Record<Rate, number> = { "30 a day": 2, "200 a day": 3, "10 a minute": 6, "50 a second": 20 };

/** The requests of an application to a model. */
export interface Target {
  application: string;
  environment: "production";
  provider: string;
  model: string;
  usd: number;
  tokens: number;
  hours: readonly [from: number, to: number];
  /** In each minute. Durations: one number for each bucket of each minute, that beyond the last bound included. */
  requests: Float64Array;
  failures: Float64Array;
  latency: Uint32Array;
  /** Empty for models that do not stream. */
  firstToken: Uint32Array;
}

/** What happens to the requests to a target in a minute. */
export interface Effect {
  /** The share that fails. */
  fails?: number;
  /** The medians in seconds. */
  seconds?: number;
  firstToken?: number;
  /** Times as many requests. */
  times?: number;
}

const byHour = [1, 1, 1, 1, 1, 1.5, 3, 6, 9, 10, 10, 10, 9, 10, 10, 10, 9, 7, 5, 4, 3, 2, 1.5, 1].map((tenths) => tenths / 10);

export const runsAt = ({ hours: [from, to] }: Pick<Target, "hours">, minute: number) =>
  (minute % day) / 60 >= from && (minute % day) / 60 < to;

/** Requests relative to those of the busiest hours. A job makes as many at night. */
const busyness = (target: Pick<Target, "hours">, minute: number) => {
  if (!runsAt(target, minute)) return 0;
  const isJob = target.hours[1] - target.hours[0] === 1;
  return isJob ? 1 : (byHour[Math.floor((minute % day) / 60)] as number) * (minute % week >= 5 * day ? 0.2 : 1);
};

const normal = (random: Random) => Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction());

function poisson(random: Random, mean: number): number {
  if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  let count = 0;
  for (let left = random.fraction(); left > Math.exp(-mean); left *= random.fraction()) count += 1;
  return count;
}

function binomial(random: Random, tries: number, share: number): number {
  if (tries > 25 && share > 0 && share < 1) {
    const spread = Math.sqrt(tries * share * (1 - share)) * normal(random);
    return Math.min(tries, tries * share < 20 ? poisson(random, tries * share) : Math.max(0, Math.round(tries * share + spread)));
  }
  let count = 0;
  for (let index = 0; index < tries; index += 1) if (random.fraction() < share) count += 1;
  return count;
}

/** The share of log-normal values with a median that is not above a bound: Abramowitz and Stegun, 7.1.26. */
function shareBelow(bound: number, median: number): number {
  const z = Math.log(bound / median) / 0.7 / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * Math.abs(z));
  const tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) * Math.exp(-z * z);
  return z > 0 ? 1 - tail / 2 : tail / 2;
}

/** By the bounds and the median: the share in each bucket of the values that are in no bucket before it. Few medians have many minutes. */
const sharesOf = new Map<readonly number[], Map<number, readonly number[]>>();

function shares(upper: readonly number[], median: number): readonly number[] {
  const known = sharesOf.get(upper) ?? new Map<number, readonly number[]>();
  const found = known.get(median);
  if (found) return found;
  const until = upper.map((bound) => shareBelow(bound, median));
  const each = until.map((share, index) => Math.min(1, (share - (until[index - 1] ?? 0)) / (1 - (until[index - 1] ?? 0))));
  sharesOf.set(upper, known.set(median, each));
  return each;
}

/** How many of some values with a median are in each bucket; the last one is that beyond all bounds. */
function spread(random: Random, counts: Uint32Array, minute: number, values: number, median: number, upper: readonly number[]): void {
  const first = minute * (upper.length + 1);
  const inBucket = shares(upper, median);
  let left = values;
  for (let index = 0; index < upper.length && left > 0; index += 1) {
    const inside = binomial(random, left, inBucket[index] as number);
    counts[first + index] = (counts[first + index] as number) + inside;
    left -= inside;
  }
  counts[first + upper.length] = (counts[first + upper.length] as number) + left;
}

/**
 * The requests of a time from Monday, 0:00.
 *
 * @param effect what a story does to a target in a minute
 */
export function createTargets(
  newRandom: (part: number) => Random,
  rate: Rate,
  minutes: number,
  effect: (target: Target, minute: number) => Effect,
): Target[] {
  const chosen = Object.entries(applications).slice(0, sizes[rate]);
  const all = chosen.flatMap(([application, { weight, parts, hours = [0, 24] }], index) =>
    (Object.entries(parts) as [Model, number][]).map(([model, part]) => ({
      ...{ application, index, weight: weight * part, hours: hours as [number, number] },
      ...models[model],
    })),
  );
  let mean = 0;
  for (let minute = 0; minute < week; minute += 60) for (const each of all) mean += (each.weight * busyness(each, minute)) / 168;
  const factor = rates[rate] / mean;
  const random = newRandom(0);
  // Four times a week, for minutes, a provider answers with errors; each second day, an application has four times as many requests.
  const bursts = Object.fromEntries(
    ["openai", "anthropic", "ollama"].map((provider) => [
      provider,
      some(4 / week, minutes, () => ({ last: random.integer(2, 8), size: 0.15 + 0.45 * random.fraction() }), random),
    ]),
  );
  const loads = some(0.6 / day, minutes, () => ({ last: 20, size: random.integer(0, sizes[rate] - 1) }), random);
  const baseOf = Object.fromEntries(
    Object.keys(bursts).map((provider) => [
      provider,
      Array.from({ length: Math.ceil(minutes / day) }, () => 0.003 + 0.012 * random.fraction()),
    ]),
  );

  return all.map(({ index, weight, ...each }, part) => {
    const own = newRandom(part + 1);
    const counts = (upper: readonly number[]) => new Uint32Array(minutes * (upper.length + 1));
    const target: Target = {
      ...each,
      environment: "production",
      requests: new Float64Array(minutes),
      failures: new Float64Array(minutes),
      latency: counts(bounds.latency),
      firstToken: each.firstToken === undefined ? new Uint32Array() : counts(bounds.firstToken),
    };
    let noise = 1;
    for (let minute = 0; minute < minutes; minute += 1) {
      if (minute % 60 === 0) noise = Math.exp(0.25 * normal(own));
      const { fails = 0, times = 1, seconds = each.seconds, firstToken = each.firstToken } = effect(target, minute);
      const load = loads[minute] === index ? 4 : 1;
      let requests = poisson(own, factor * weight * noise * busyness(target, minute) * load * times);
      if (requests === 0) continue;
      let failures = 0;
      // A request fails, and is tried again once or twice.
      for (let left = binomial(own, requests, (baseOf[each.provider]?.[Math.floor(minute / day)] ?? 0) / 2); left > 0; left -= 1) {
        const tries = own.integer(1, 3);
        failures += tries;
        requests += tries - 1;
      }
      // Some of the usual failures are timeouts; the others, and those of bursts and stories, are fast.
      const timeouts = binomial(own, failures, 0.2);
      failures += binomial(own, requests - failures, bursts[each.provider]?.[minute] ?? 0);
      failures += binomial(own, requests - failures, fails);
      target.requests[minute] = requests;
      target.failures[minute] = failures;
      const succeeded = requests - failures;
      spread(own, target.latency, minute, succeeded, seconds, bounds.latency);
      spread(own, target.latency, minute, failures - timeouts, 0.3, bounds.latency);
      spread(own, target.latency, minute, timeouts, 60, bounds.latency);
      if (firstToken !== undefined) spread(own, target.firstToken, minute, binomial(own, succeeded, 0.6), firstToken, bounds.firstToken);
    }
    return target;
  });
}

/** By minute, the size of the event that began first. Events begin at random, with so many in a minute. */
function some(perMinute: number, minutes: number, create: () => { last: number; size: number }, random: Random) {
  const sizes = new Array<number | undefined>(minutes);
  for (let from = random.exponential(1 / perMinute); from < minutes; from += random.exponential(1 / perMinute)) {
    const { last, size } = create();
    for (let minute = Math.floor(from); minute < Math.floor(from) + last; minute += 1) sizes[minute] ??= size;
  }
  return sizes;
}
