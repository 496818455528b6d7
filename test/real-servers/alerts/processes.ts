/** The processes of the applications: deployments, restarts, a crash loop, jobs and processes that end for the night. Times are milliseconds. */
import { Random } from "../world/random";
import { hour, minute } from "../world/world";
import { type Application, applications } from "./applications";

export interface Process {
  application: Application;
  /** `service.instance.id`. A container that restarts keeps it, a new one has a new one. */
  instance: string;
  start: number;
  end: number;
  /** Times of the SDK's exports: once a minute, and at the end, unless the process crashed. */
  exports: number[];
}

/** How a process ends. After a deployment, the next one has another instance id. */
type How = "deployed" | "restarted" | "crashed";

interface Life {
  start: number;
  end: number;
  how: How;
}

const day = 24 * hour;
const interval = minute;
const pause = 8000;

/** @param crashLoop when one application crashes each few minutes, for half an hour */
export function createProcesses(
  seed: number,
  { from, to }: { from: number; to: number },
  crashLoop: { application: string; at: number },
): Process[] {
  const random = new Random(seed);
  const always = applications.filter(({ hours }) => !hours).map(({ name }) => name);
  const ended: { application: string; end: number; how: How }[] = [];
  for (let at = from; at < to; at += day) {
    const within = (first: number, last: number) => at + random.integer(first * hour, last * hour - 1);
    // People deploy in office hours. A machine that is replaced restarts its processes at any time.
    ended.push({ application: random.pick(always), end: within(9, 18), how: "deployed" });
    ended.push({ application: random.pick(always), end: within(0, 24), how: "restarted" });
  }
  for (let end = crashLoop.at; end < crashLoop.at + 30 * minute; end += random.integer(2 * minute, 5 * minute)) {
    ended.push({ application: crashLoop.application, end, how: "crashed" });
  }
  ended.sort((left, right) => left.end - right.end);
  return applications.flatMap((application) => {
    const own = ended.filter(({ application: name }) => name === application.name);
    const lives = application.hours ? daily(application.hours, from, to) : livesOf(own, from, to);
    let deployments = 0;
    return lives.map((life): Process => {
      const instance = `${application.name}-${deployments}`;
      if (life.how === "deployed") deployments += 1;
      return { application, instance, start: life.start, end: life.end, exports: exportsOf(life, to, random) };
    });
  });
}

const daily = ([open, close]: readonly [number, number], from: number, to: number): Life[] =>
  Array.from({ length: Math.round((to - from) / day) }, (_, index) => ({
    start: from + index * day + open * hour,
    end: from + index * day + close * hour,
    how: "deployed" as const,
  }));

function livesOf(ended: readonly { end: number; how: How }[], from: number, to: number): Life[] {
  const lives: Life[] = [];
  let start = from;
  for (const { end, how } of ended) {
    if (end <= start) continue;
    lives.push({ start, end, how });
    start = end + pause;
  }
  return [...lives, { start, end: to, how: "deployed" }];
}

function exportsOf({ start, end, how }: Life, last: number, random: Random): number[] {
  // Processes do not start at full minutes.
  const first = start + interval + random.integer(0, 20_000);
  const times: number[] = [];
  for (let at = first; at < Math.min(end, last) - 300; at += interval) times.push(at + random.integer(-300, 300));
  return end < last && how !== "crashed" ? [...times, end] : times;
}
