/**
 * A day of made-up calls to LLM providers and vector databases, from a seed. Telemetry and expected values both come from these calls. Times are
 * milliseconds relative to `now`, so that the same seed always gives the same numbers.
 */
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import {
  type DatabaseOperation,
  type DatabaseOperationName,
  databaseOperations,
  type Operation,
  type OperationName,
  operations,
} from "./operations";

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

/** A program with its runs. Hours are relative to `now`: the past is negative. */
interface Program {
  application: string;
  environment: string;
  instance: string;
  /** Start of each run, and the end of the last one. Numbers in between are restarts. */
  runs: number[];
  callsPerHour: number;
  operations: OperationName[];
  databases?: DatabaseOperationName[];
  costs?: false;
  types?: false;
  /** Start and end of a time in which nothing reaches the platform. */
  outage?: [number, number];
  /** Start and end of a time without calls. */
  idle?: [number, number];
}

const exportInterval = minute;

const programs: Program[] = [
  // Two replicas.
  ...["shop-1", "shop-2"].map(
    (instance): Program => ({
      application: "shop",
      environment: "production",
      instance,
      runs: [-27, 0.5],
      callsPerHour: 60,
      operations: ["gpt4o", "gpt4oMini", "claude", "embeddings", "image"],
      databases: ["chromaQuery", "chromaAdd"],
    }),
  ),
  // An outage across the start of the last 24 hours.
  {
    application: "shop",
    environment: "staging",
    instance: "shop-staging",
    runs: [-27, 0.5],
    callsPerHour: 15,
    operations: ["gpt4o", "speech", "fineTuning"],
    databases: ["chromaQuery"],
    outage: [-25, -23],
  },
  // Restarts, one of them within the last hour, and an outage of two hours.
  {
    application: "assistant",
    environment: "production",
    instance: "assistant-1",
    runs: [-27, -10.1, -0.52, 0.5],
    callsPerHour: 40,
    operations: ["claude", "cohereChat", "generate", "embed"],
    databases: ["pineconeQuery", "pineconeUpsert"],
    outage: [-14.5, -12.5],
  },
  // Starts in the middle of the day, with a restart soon after.
  {
    application: "assistant",
    environment: "development",
    instance: "assistant-dev",
    runs: [-11.3, -9.6, 0.5],
    callsPerHour: 12,
    operations: ["cohereChat", "ocr"],
  },
  // No costs, no types; a name with special characters of regular expressions.
  {
    application: "docs+search.v2",
    environment: "production",
    instance: "docs-1",
    runs: [-27, 0.5],
    callsPerHour: 20,
    operations: ["instruct", "summarize", "embeddings"],
    databases: ["qdrantSearch"],
    costs: false,
    types: false,
  },
  // Idle for most of the time.
  {
    application: "archive",
    environment: "development",
    instance: "archive-1",
    runs: [-27, 0.5],
    callsPerHour: 20,
    operations: ["instruct", "embeddings"],
    databases: ["pineconeUpsert"],
    idle: [-25.5, -1.8],
  },
  // Short jobs, each a process: most of their series are exported once or twice.
  ...Array.from(
    { length: 80 },
    (_, run): Program => ({
      application: "batch",
      environment: run % 3 === 0 ? "staging" : "production",
      instance: `batch-${run}`,
      runs: [-26.6 + run / 3, -26.6 + run / 3 + 0.022],
      callsPerHour: 200,
      operations: ["gpt4oMini", "summarize", "embed"],
      databases: ["qdrantSearch"],
    }),
  ),
  // Started recently: a few calls first, then more per minute than those.
  {
    application: "assistant",
    environment: "production",
    instance: "assistant-2",
    runs: [-0.4, 0.5],
    callsPerHour: 900,
    operations: ["claude", "cohereChat"],
    databases: ["pineconeQuery"],
    idle: [-0.396, -0.35],
  },
];

export function createWorld(now: number, seed: number): World {
  const random = new Random(xoroshiro128plus(seed));
  const ends = new Set<number>();
  const world: World = { now, processes: [], llm: [], database: [] };
  for (const program of programs) {
    for (const [run, from] of program.runs.slice(0, -1).entries()) {
      const until = program.runs[run + 1] as number;
      const process = startProcess(program, now + from * hour, Math.min(now + until * hour, now), now, random);
      world.processes.push(process);
      makeCalls(world, program, process, random, ends);
    }
  }
  return world;
}

function startProcess(program: Program, start: number, end: number, now: number, random: Random): Process {
  const { application, environment, instance, costs = true, types = true } = program;
  const exports: number[] = [];
  const offset = random.integer(1, exportInterval - 1);
  for (let at = start + offset; at < end; at += exportInterval) exports.push(Math.round(at + random.integer(-400, 400)));
  // A program exports once more at its end; a running one does not.
  if (end < now) exports.push(Math.round(end));
  const delivered = exports.filter((at) => !during(program.outage, at, now));
  return { application, environment, instance, start, end, costs, types, exports: delivered };
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
      const database = databaseOperations[random.pick(program.databases)] as DatabaseOperation;
      world.database.push({ ...call, ...started(database.duration), database });
    } else {
      const operation = operations[random.pick(program.operations)] as Operation;
      world.llm.push({ ...call, ...started(operation.duration), operation, ...details(operation, process, world.llm.length, random) });
    }
  }
}

/** Tokens, cost and texts. */
function details(operation: Operation, process: Process, number: number, random: Random) {
  const promptTokens = operation.promptTokens && Math.round(random.magnitude(...operation.promptTokens));
  const completionTokens = operation.completionTokens && Math.round(random.magnitude(...operation.completionTokens));
  return {
    ...(promptTokens === undefined ? {} : { promptTokens, totalTokens: promptTokens + (completionTokens ?? 0) }),
    ...(completionTokens === undefined ? {} : { completionTokens, completion: `Answer ${number}: {"ok": true}\nEnde – 完` }),
    ...(process.costs ? { cost: random.magnitude(...operation.cost) } : {}),
    prompt: `Question ${number} of ${process.application}: "why"?\n\tC:\\temp <b>&amp; ${"$"}{x} – 为什么`,
  };
}

const during = (hours: [number, number] | undefined, time: number, now: number) =>
  hours !== undefined && time >= now + hours[0] * hour && time < now + hours[1] * hour;

/** Random values from one generator. */
class Random {
  constructor(private readonly generator: RandomGenerator) {}

  integer = (min: number, max: number): number => uniformInt(this.generator, min, max);

  pick<T>(values: readonly T[]): T {
    return values[this.integer(0, values.length - 1)] as T;
  }

  /** Log-uniform from `min` to `max`. */
  magnitude(min: number, max: number): number {
    return min * (max / min) ** uniformFloat64(this.generator);
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - uniformFloat64(this.generator));
  }

  hex(bytes: number): string {
    return Array.from({ length: bytes }, () => this.integer(0, 255).toString(16).padStart(2, "0")).join("");
  }
}
