/**
 * Made-up calls of the programs, from a seed. What the service and the SDKs write, and the expected values, all come from these calls. Times are milliseconds.
 */
import type { SdkName } from "../telemetry/sdks";
import type { Database, Model } from "./models";
import { type Agent, errors, type Program, testPrograms } from "./programs";
import { Random } from "./random";

export const minute = 60_000;
export const hour = 60 * minute;

/** One run of a program. */
export interface Process {
  application: string;
  environment: string | undefined;
  /** `service.instance.id`. */
  instance: string | undefined;
  /** `service.version`: each run has its own. */
  version: string;
  sdk: SdkName;
  scraped: boolean;
  start: number;
  end: number;
  /** Times at which metrics reached the platform, oldest first. */
  exports: number[];
}

interface Base {
  process: Process;
  start: number;
  end: number;
  /** `error.type` of a failed call. */
  error?: string | undefined;
  traceId: string;
  spanId: string;
  /** The span that made the call. */
  parentId?: string | undefined;
  /** Whether the platform was reachable: if not, neither the span nor what the service writes arrived. */
  arrived: boolean;
  /** The first export of metrics with the call. Undefined after the last one. */
  exportedAt: number | undefined;
}

export interface ModelCall extends Base {
  kind: "model";
  model: Model;
  inputTokens: number | undefined;
  /** Of the input tokens. */
  cachedTokens: number;
  outputTokens: number | undefined;
  /** USD. */
  cost: number | undefined;
  /** Seconds until the first part of the response, if it is streamed. */
  firstToken?: number | undefined;
  prompt: string;
  completion: string | undefined;
  /** The application that called a gateway. */
  client?: string;
}

export type DatabaseCall = Base & { kind: "database"; database: Database };

export interface OtherCall extends Base {
  kind: "agent" | "tool" | "mcp";
  /** Of the agent or the tool, or the method of the Model Context Protocol. */
  name: string;
}

export type Call = ModelCall | DatabaseCall | OtherCall;

export interface World {
  now: number;
  processes: Process[];
  /** By their end, oldest first. No two end in the same millisecond. */
  calls: Call[];
}

/** The calls that ended after `since` and up to `until`, as a world with the same processes. */
export const callsBetween = (world: World, since: number, until: number): World => ({
  ...world,
  calls: world.calls.filter(({ end }) => end > since && end <= until),
});

/** The calls of some programs, each until `end` at most. The same seed makes the same calls, relative to `now`. */
export function createWorld(now: number, seed: number, programs: readonly Program[] = testPrograms, end = now): World {
  const random = new Random(seed);
  const world: World = { now, processes: [], calls: [] };
  const ends = new Set<number>();
  for (const program of programs) {
    for (const [run, from] of program.runs.slice(0, -1).entries()) {
      const until = Math.min(now + (program.runs[run + 1] as number) * hour, end);
      const process = startProcess(program, run, now + from * hour, until, world, end, random);
      world.processes.push(process);
      world.calls.push(...new Caller(program, process, now, random, ends).calls());
    }
  }
  for (const gateway of new Set(programs.flatMap((program) => program.gateway ?? []))) {
    const clients = programs.filter((program) => program.gateway === gateway);
    addGateway(gateway, clients, world, end, random);
  }
  world.calls.sort((left, right) => left.end - right.end);
  return world;
}

/** A gateway runs as long as its clients do. Its span of a request is within theirs. */
function addGateway(application: string, clients: readonly Program[], world: World, end: number, random: Random): void {
  const [first, last] = [
    Math.min(...clients.map(({ runs }) => runs[0] as number)),
    Math.max(...clients.map(({ runs }) => runs.at(-1) as number)),
  ];
  const { historyPerExport = 1 } = clients[0] as Program;
  const program = { application, environment: "production", instance: "run", sdk: "litellm", historyPerExport } as const;
  const times = [world.now + first * hour, Math.min(world.now + last * hour, end)] as const;
  const process = startProcess({ ...program, runs: [first, last], callsPerHour: 0, models: [] }, 0, ...times, world, end, random);
  const isClient = ({ application, sdk }: Process) => clients.some((client) => client.application === application && client.sdk === sdk);
  const seen = world.calls.filter((call): call is ModelCall => call.kind === "model" && isClient(call.process));
  world.processes.push(process);
  world.calls.push(
    ...seen.map((call) => ({
      ...call,
      ...{ process, client: call.process.application, spanId: random.hex(8), parentId: call.spanId, end: call.end - 1 },
      exportedAt: process.exports.find((time) => time >= call.end - 1),
    })),
  );
}

/** @param lastEnd a program that ends before it exports its metrics at its end, too; a running one does not */
function startProcess(program: Program, run: number, start: number, end: number, { now }: World, lastEnd: number, random: Random): Process {
  const { application, environment, sdk, scraped = false, historyPerExport = 1 } = program;
  const ofRun = random.hex(8);
  const instance = program.instance === "run" ? ofRun : program.instance === "none" ? undefined : program.instance;
  const times: number[] = [];
  // The SDK exports for the first time after a full interval.
  for (let at = start + minute; at < end; at += minute) times.push(Math.round(at + random.integer(-400, 400)));
  if (end < lastEnd) times.push(Math.round(end));
  const isMade = (at: number, index: number) => index % historyPerExport === 0 || at > Math.min(now - hour, end - minute);
  const made = times.filter((at, index) => isMade(at, index) && !during(program.outage, at, now));
  return { application, environment, instance, sdk, scraped, start, end, exports: made, version: `1.${run}` };
}

/** Makes the calls of one run. */
class Caller {
  private readonly made: Call[] = [];

  constructor(
    private readonly program: Program,
    private readonly process: Process,
    private readonly now: number,
    private readonly random: Random,
    private readonly ends: Set<number>,
  ) {}

  calls(): Call[] {
    const { program, process, random, now } = this;
    let last = "";
    for (let at = process.start; ; ) {
      // As an agent's calls, which follow at once.
      const continues = program.sharedTraces === true && last !== "" && random.integer(1, 5) === 1;
      at += continues ? random.integer(100, 2000) : random.exponential(hour / program.callsPerHour);
      if (at >= process.end - 1000) return this.made;
      if (during(program.idle, at, now) || (program.rhythm && random.fraction() > program.rhythm((at / hour) % 24))) continue;
      const traceId = continues || (program.sharedTraces === "one" && last !== "") ? last : random.hex(16);
      last = traceId;
      const kind = random.integer(1, 10);
      if (program.agents && kind <= 2) this.agent(random.pick(program.agents), at, traceId);
      else if (program.databases && kind <= 4) this.database(random.pick(program.databases), at, traceId);
      else this.model(random.pick(program.models), at, traceId);
    }
  }

  /** An agent calls a model, then tools, some of them by MCP. Its span is the parent of theirs. */
  private agent({ name, tools, methods = [] }: Agent, end: number, traceId: string): void {
    const { random } = this;
    const parentId = random.hex(8);
    let start = end;
    const call = (kind: "tool" | "mcp", name: string) => {
      const called = this.base(start - 1, random.magnitude(0.01, 2), traceId, parentId);
      this.made.push({ ...called, kind, name });
      start = called.start;
    };
    for (const tool of tools.slice(0, random.integer(1, tools.length))) call("tool", tool);
    for (const method of methods.slice(0, random.integer(0, 2))) call("mcp", method);
    start = this.model(random.pick(this.program.models), start - 1, traceId, parentId).start;
    this.made.push({ ...this.base(end, 1, traceId), kind: "agent", name, start: start - 2, spanId: parentId });
  }

  private database(database: Database, end: number, traceId: string): void {
    this.made.push({ ...this.base(end, this.random.magnitude(...database.duration), traceId), kind: "database", database });
  }

  private model(model: Model, end: number, traceId: string, parentId?: string): ModelCall {
    const { random } = this;
    const seconds = random.magnitude(...model.duration);
    const base = this.base(end, seconds, traceId, parentId);
    const inputTokens = model.inputTokens && Math.round(random.magnitude(...model.inputTokens));
    const { cached = 0 } = model;
    const part = random.fraction();
    const cachedTokens = Math.floor((inputTokens ?? 0) * cached * (cached > 1 ? 1 : part));
    const outputTokens = model.outputTokens && Math.round(random.magnitude(...model.outputTokens));
    const streamed = random.fraction() < (model.streamed ?? 0) && base.error === undefined;
    const number = this.made.length;
    const { prompt, completion } = this.program.texts?.(model, random) ?? {
      prompt: `Question ${number}: "why"?\n\tC:\\temp <b>&amp; – 为什么`,
      completion: `Answer ${number}: {"ok": true}\nEnde – 完`,
    };
    const call: ModelCall = {
      ...{ ...base, kind: "model", model, inputTokens, cachedTokens, outputTokens, prompt },
      cost: model.price && costOf(model.price, inputTokens, outputTokens, random),
      completion: outputTokens === undefined || base.error ? undefined : (completion ?? ""),
      firstToken: streamed ? random.magnitude(0.02, seconds) : undefined,
    };
    this.made.push(call);
    return call;
  }

  private base(at: number, seconds: number, traceId: string, parentId?: string): Base {
    const { random, process, program, now, ends } = this;
    let end = Math.round(at);
    while (ends.has(end) || end % 1000 === 0) end -= 1;
    ends.add(end);
    const error = random.integer(1, program.callsPerError ?? 9) === 1 ? random.pick(program.errors ?? errors) : undefined;
    return {
      ...{ process, error, traceId, parentId, spanId: random.hex(8), start: end - Math.max(1, Math.round(seconds * 1000)), end },
      arrived: !during(program.outage, end, now),
      exportedAt: process.exports.find((time) => time >= end),
    };
  }
}

export function costOf(price: NonNullable<Model["price"]>, inputTokens = 0, outputTokens = 0, random?: Random): number {
  if (price.call && random) return random.magnitude(...price.call);
  return (inputTokens * (price.input ?? 0) + outputTokens * (price.output ?? 0)) / 1_000_000;
}

const during = (hours: [number, number] | undefined, time: number, now: number) =>
  hours !== undefined && time >= now + hours[0] * hour && time < now + hours[1] * hour;
