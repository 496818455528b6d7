/**
 * A day of made-up calls to LLM providers and vector databases, from a seed. Telemetry and expected values both come from these calls. Times are
 * milliseconds relative to `now`, so that the same seed always gives the same numbers.
 */
import type { DatabaseOperation, Operation } from "./operations";
import { type Conversation, type Program, testPrograms } from "./programs";
import { Random } from "./random";

export const minute = 60_000;
export const hour = 60 * minute;

/** One run of a program. After a restart, the instance is the same. */
export interface Process {
  application: string;
  environment: string;
  /** `service.instance.id`, different for each replica. */
  instance: string;
  start: number;
  end: number;
  /** Whether the instrumentation sends costs. */
  costs: boolean;
  /** Whether it sends `gen_ai.type`. */
  types: boolean;
  /** Times at which the SDK's metrics reached the platform, oldest first. */
  exports: number[];
}

/** One call. */
export interface Call {
  process: Process;
  start: number;
  /** Different for each call. */
  end: number;
  status: "ok" | "error" | "unset";
  traceId: string;
  spanId: string;
  /** Whether the platform was reachable. If not, neither the service's telemetry nor the span arrived. */
  arrived: boolean;
  /** The first export with the call. Undefined for failed calls, which the SDK does not count, and after the last export. */
  exportedAt?: number;
}

export interface LlmCall extends Call {
  operation: Operation;
  promptTokens?: number;
  completionTokens?: number;
  totalTokens?: number;
  /** USD. */
  cost?: number;
  prompt: string;
  completion?: string;
}

export interface DatabaseCall extends Call {
  database: DatabaseOperation;
}

export interface World {
  now: number;
  processes: Process[];
  llm: LlmCall[];
  database: DatabaseCall[];
}

/** The calls that ended after `since` and up to `until`, as a world with the same processes. */
export const callsBetween = (world: World, since: number, until: number): World => {
  const inside = ({ end }: Call) => end > since && end <= until;
  return { ...world, llm: world.llm.filter(inside), database: world.database.filter(inside) };
};

const exportInterval = minute;

/**
 * The calls of some programs, each until `end` at most. The same seed makes the same calls, relative to `now`; programs with a rhythm only if `now`
 * is at the same time of a day.
 */
export function createWorld(now: number, seed: number, programs: readonly Program[] = testPrograms, end = now): World {
  const random = new Random(seed);
  const ends = new Set<number>();
  const world: World = { now, processes: [], llm: [], database: [] };
  for (const program of programs) {
    for (const [run, from] of program.runs.slice(0, -1).entries()) {
      const until = program.runs[run + 1] as number;
      const process = startProcess(program, now + from * hour, Math.min(now + until * hour, end), world, end, random);
      world.processes.push(process);
      makeCalls(world, program, process, random, ends);
    }
  }
  return world;
}

function startProcess(program: Program, start: number, end: number, { now }: World, lastEnd: number, random: Random): Process {
  const { application, environment, instance, costs = true, types = true } = program;
  const delivered = exportTimes(start, end, lastEnd, random).filter((at) => !during(program.outage, at, now));
  return { application, environment, instance, start, end, costs, types, exports: delivered };
}

/** The times at which a process exports its metrics: once a minute, and at its end if that is before `lastEnd`. */
export function exportTimes(start: number, end: number, lastEnd: number, random: Random): number[] {
  const exports: number[] = [];
  // The SDK exports for the first time after a full interval.
  for (let at = start + exportInterval; at < end; at += exportInterval) exports.push(Math.round(at + random.integer(-400, 400)));
  // A program exports once more at its end; a running one does not.
  if (end < lastEnd) exports.push(Math.round(end));
  return exports;
}

function makeCalls(world: World, program: Program, process: Process, random: Random, ends: Set<number>): void {
  const { now } = world;
  let traceId = "";
  for (let at = process.start; ; ) {
    // Every fifth call continues the trace of the previous one, as an agent's calls do.
    const continues = traceId !== "" && random.integer(1, 5) === 1;
    at += continues ? random.integer(100, 2000) : random.exponential(hour / program.callsPerHour);
    if (at >= process.end - 1) return;
    if (!continues) traceId = random.hex(16);
    if (during(program.idle, at, now)) continue;
    if (program.rhythm && random.fraction() >= program.rhythm((at / hour) % 24)) {
      traceId = "";
      continue;
    }
    let end = Math.round(at);
    while (ends.has(end) || end % 1000 === 0) end += 1;
    ends.add(end);
    const status = random.pick(["ok", "ok", "ok", "ok", "ok", "ok", "ok", "ok", "error", "unset"] as const);
    const exportedAt = status === "error" ? undefined : process.exports.find((time) => time >= end);
    const call = {
      process,
      end,
      status,
      traceId,
      spanId: random.hex(8),
      arrived: !during(program.outage, end, now),
      ...(exportedAt === undefined ? {} : { exportedAt }),
    };
    const started = (seconds: [number, number]) => ({ start: end - Math.max(1, Math.round(random.magnitude(...seconds) * 1000)) });
    if (program.databases && random.integer(1, 4) === 1) {
      const database = random.pick(program.databases);
      world.database.push({ ...call, ...started(database.duration), database });
    } else {
      const operation = random.pick(program.operations);
      world.llm.push({ ...call, ...started(operation.duration), operation, ...details(program, operation, world.llm.length, random) });
    }
  }
}

/** Tokens, cost and texts. Only calls with completion tokens have a completion. */
function details({ application, costs, texts }: Program, operation: Operation, number: number, random: Random) {
  const promptTokens = operation.promptTokens && Math.round(random.magnitude(...operation.promptTokens));
  const completionTokens = operation.completionTokens && Math.round(random.magnitude(...operation.completionTokens));
  const cost = costs === false ? undefined : costOf(operation, promptTokens, completionTokens, random);
  const { prompt, completion } = texts?.(operation, random) ?? difficultTexts(application, number);
  return {
    ...(promptTokens === undefined ? {} : { promptTokens, totalTokens: promptTokens + (completionTokens ?? 0) }),
    ...(completionTokens === undefined ? {} : { completionTokens, ...(completion === undefined ? {} : { completion }) }),
    ...(cost === undefined ? {} : { cost }),
    prompt,
  };
}

function costOf({ cost }: Operation, promptTokens = 0, completionTokens = 0, random: Random): number {
  if (Array.isArray(cost)) return random.magnitude(...cost);
  return (promptTokens * cost.prompt + completionTokens * (cost.completion ?? 0)) / 1_000_000;
}

const difficultTexts = (application: string, number: number): Conversation => ({
  prompt: `Question ${number} of ${application}: "why"?\n\tC:\\temp <b>&amp; ${"$"}{x} – 为什么`,
  completion: `Answer ${number}: {"ok": true}\nEnde – 完`,
});

const during = (hours: [number, number] | undefined, time: number, now: number) =>
  hours !== undefined && time >= now + hours[0] * hour && time < now + hours[1] * hour;
