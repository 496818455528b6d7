/** Measures one run of a command: duration, processor time and memory of its processes. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { run } from "../support/run";

/** The cost of a run. The last two come from /proc, so they are undefined except on Linux. */
export interface Cost {
  /** Milliseconds from start to end. */
  wall: number;
  /** Processor time of all processes, in milliseconds. */
  cpu: number | undefined;
  /** Peak memory of the largest process, in MB. */
  memory: number | undefined;
}

/** The variable that marks the processes of a run. The engine does not wait for plugins, so they may outlive it. */
const mark = "LLM_OBSERVABILITY_BENCH_RUN";

/** Interval between two samples, in milliseconds. The last moments of a process are missing, equally in all compared runs. */
const interval = 40;

/** Milliseconds in a tick of /proc. Every Linux with Node.js has 100 ticks in a second. */
const tick = 10;

let runs = 0;

/** @throws CommandError if the command fails */
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

/** Samples all processes with a mark in their environment. */
class Watch {
  private readonly unmarked = new Set<string>(["self"]);
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
    for (const pid of readdirSync("/proc")) if (/^\d/.test(pid)) this.unmarked.add(pid);
    while (!this.stopped) {
      await pause(interval);
      for (const pid of readdirSync("/proc")) if (/^\d/.test(pid) && this.isOurs(pid)) this.read(pid);
    }
  }

  /** Only processes younger than the run can be its own. */
  private isOurs(pid: string): boolean {
    if (this.found.has(pid)) return true;
    if (this.unmarked.has(pid)) return false;
    return contents(pid, "environ").split("\0").includes(this.marked);
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
