/**
 * A day of calls to LLM providers and vector databases, from a seed: what happened, and what of it was told to the platform when. Both dashboards
 * are held against this ledger, and all telemetry is made from it. Times are milliseconds; everything is relative to `now`, so that the same
 * seed gives the same numbers at any time.
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

/** One run of a program, from its start to its end. A restarted one has the same instance. */
export interface Process {
  application: string;
  environment: string;
  /** `service.instance.id`: tells replicas apart. */
  instance: string;
  start: number;
  end: number;
  /** Whether the instrumentation tells costs. */
  costs: boolean;
  /** Whether it tells `gen_ai.type`. */
  types: boolean;
  /** When the SDK's metrics reached the platform, oldest first. */
  exports: number[];
}

/** One call. */
export interface Call {
  process: Process;
  start: number;
  /** Distinct for all calls. */
  end: number;
  status: "ok" | "error" | "unset";
  traceId: string;
  spanId: string;
  /** Whether the platform was reachable: else neither the service's telemetry nor the span arrived. */
  arrived: boolean;
  /** The first export that told it; none for failed calls, which the SDK does not count, nor for those after the last export. */
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

/** What the world is made of. Hours are counted from `now`, so the past is negative. */
interface Program {
  application: string;
  environment: string;
  instance: string;
  /** Begin of each run, and the end of the last one: a number between two runs is a restart. */
  runs: number[];
  callsPerHour: number;
  operations: OperationName[];
  databases?: DatabaseOperationName[];
  costs?: false;
  types?: false;
  /** Hours between which nothing reaches the platform. */
  outage?: [number, number];
  /** Hours between which nothing is called. */
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
  // Cut off from the platform across the beginning of the last 24 hours.
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
  // Born in the middle, and restarted soon after.
  {
    application: "assistant",
    environment: "development",
    instance: "assistant-dev",
    runs: [-11.3, -9.6, 0.5],
    callsPerHour: 12,
    operations: ["cohereChat", "ocr"],
  },
  // No costs, no types; a name that is no plain word to a regular expression.
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
  // Short jobs, a process of its own for each: most of their series are exported once or twice.
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
  // Young: a few calls at first, and then more in each minute than those.
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
  // A program that ends in order exports once more; one that still runs does not.
  if (end < now) exports.push(Math.round(end));
  const delivered = exports.filter((at) => !during(program.outage, at, now));
  return { application, environment, instance, start, end, costs, types, exports: delivered };
}

function makeCalls(world: World, program: Program, process: Process, random: Random, ends: Set<number>): void {
  const { now } = world;
  let traceId = "";
  for (let at = process.start; ; ) {
    // Every fifth call goes on in the trace of the one before, as an agent's do.
    const goesOn = traceId !== "" && random.integer(1, 5) === 1;
    at += goesOn ? random.integer(100, 2000) : random.exponential(hour / program.callsPerHour);
    if (at >= process.end - 1) return;
    if (!goesOn) traceId = random.hex(16);
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
    const started = ([least, most]: [number, number]) => ({ start: end - Math.max(1, Math.round(random.magnitude(least, most) * 1000)) });
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

/** Draws from one generator, so that the order of the draws decides all. */
class Random {
  constructor(private readonly generator: RandomGenerator) {}

  integer = (least: number, most: number): number => uniformInt(this.generator, least, most);

  pick<T>(values: readonly T[]): T {
    return values[this.integer(0, values.length - 1)] as T;
  }

  /** Evenly spread over the magnitudes from `least` to `most`. */
  magnitude(least: number, most: number): number {
    return least * (most / least) ** uniformFloat64(this.generator);
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - uniformFloat64(this.generator));
  }

  hex(bytes: number): string {
    return Array.from({ length: bytes }, () => this.integer(0, 255).toString(16).padStart(2, "0")).join("");
  }
}
