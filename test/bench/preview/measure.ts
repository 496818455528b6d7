/** One run of a command: how long it took, and what its processes cost. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { run } from "../../../src/cli/run";

/** What a run cost. The last two are read from /proc, which only Linux has. */
export interface Cost {
  /** Milliseconds from start to end. */
  wall: number;
  /** Milliseconds on a processor, of all processes together. */
  cpu: number | undefined;
  /** The most memory that the largest process held, in MB. */
  memory: number | undefined;
}

/** Marks the processes of a run: the engine ends plugins without waiting for them, so that they are nobody's children in the end. */
const mark = "LLM_OBSERVABILITY_BENCH_RUN";

/** Milliseconds between two looks at the processes. A process is not seen in its last moments: the same few for all that are compared. */
const interval = 40;

/** Milliseconds in a tick of /proc: 100 in a second on every Linux that Node runs on. */
const tick = 10;

let runs = 0;

/** @throws CommandError where the command fails */
export async function measure(program: string, args: readonly string[], place: { cwd: string; env: NodeJS.ProcessEnv }): Promise<Cost> {
  const id = `${process.pid}-${++runs}`;
  const watch = process.platform === "linux" ? new Watch(`${mark}=${id}`) : undefined;
  const began = performance.now();
  try {
    await run(program, args, { ...place, env: { ...place.env, [mark]: id } });
    const wall = performance.now() - began;
    return { wall, cpu: watch?.cpu, memory: watch?.memory };
  } finally {
    await watch?.stop();
  }
}

/** Looks at all processes that carry a mark in their environment. */
class Watch {
  private readonly strangers = new Set<string>(["self"]);
  private readonly found = new Map<string, { cpu: number; memory: number }>();
  private stopped = false;
  private readonly done: Promise<void>;

  constructor(private readonly marked: string) {
    this.done = this.look();
  }

  get cpu(): number {
    return [...this.found.values()].reduce((sum, { cpu }) => sum + cpu, 0);
  }

  get memory(): number {
    return Math.max(...[...this.found.values()].map(({ memory }) => memory));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.done;
  }

  private async look(): Promise<void> {
    for (const pid of readdirSync("/proc")) if (/^\d/.test(pid)) this.strangers.add(pid);
    while (!this.stopped) {
      await pause(interval);
      for (const pid of readdirSync("/proc")) if (/^\d/.test(pid) && this.isOurs(pid)) this.read(pid);
    }
  }

  /** Only processes younger than the run can be its own. */
  private isOurs(pid: string): boolean {
    if (this.found.has(pid)) return true;
    if (this.strangers.has(pid)) return false;
    if (contents(pid, "environ").split("\0").includes(this.marked)) return true;
    return false;
  }

  private read(pid: string): void {
    // The name in parentheses may hold anything; user and system time are the 12th and 13th field after it.
    const fields = contents(pid, "stat").split(") ").at(-1)?.split(" ") ?? [];
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(contents(pid, "status"))?.[1];
    if (peak === undefined) return;
    this.found.set(pid, { cpu: (Number(fields[11]) + Number(fields[12])) * tick, memory: Number(peak) / 1024 });
  }
}

/** A file about a process; empty once that has ended. */
function contents(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
