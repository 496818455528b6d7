/** Measures one run of a command: its duration, and on Linux the processor time of its processes. */
import { readdirSync, readFileSync } from "node:fs";
import { run } from "../support/run";

/** In milliseconds. Without /proc, the processor time is not known. */
export type Cost = { wall: number; cpu: number | undefined };

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
  const isLinux = process.platform === "linux";
  // Only processes younger than the run can be its own.
  const older = new Set(isLinux ? readdirSync("/proc") : []);
  const cpu = new Map<string, number>();
  const look = () => {
    for (const pid of readdirSync("/proc").filter((name) => /^\d/.test(name) && !older.has(name))) {
      if (!contents(pid, "environ").includes(`${mark}=${id}\0`)) continue;
      // The name in parentheses may hold anything; user and system time are the 12th and 13th field after it.
      const fields = contents(pid, "stat").split(") ").at(-1)?.split(" ") ?? [];
      if (fields.length > 12) cpu.set(pid, (Number(fields[11]) + Number(fields[12])) * tick);
    }
  };
  const timer = isLinux ? setInterval(look, interval) : undefined;
  const began = performance.now();
  try {
    await run(program, args, { ...place, env: { ...place.env, [mark]: id } });
    const wall = performance.now() - began;
    return { wall, cpu: isLinux ? [...cpu.values()].reduce((sum, own) => sum + own, 0) : undefined };
  } finally {
    clearInterval(timer);
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
