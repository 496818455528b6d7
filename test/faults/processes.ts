/** Processes of this machine: found from the first one of a command, and ended by their ids, never by a name that other processes may have. */
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Whether this system has files for its processes, like Linux. */
export const canSeeProcesses = existsSync("/proc/self/stat");

/** A process with its start time, since the system reuses ids. */
export type Process = { pid: number; parent: number; began: string; command: string };

function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may hold anything.
    const [state, parent, ...others] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return undefined;
    return { pid, parent: Number(parent), began: String(others[17]), command: commandLine(pid) };
  } catch {
    return undefined; // The process has ended.
  }
}

const commandLine = (pid: number | string) => readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();

const ids = () => readdirSync("/proc").filter((name) => /^\d+$/.test(name));

/** A process and its descendants. */
export function familyOf(pid: number): Process[] {
  const all = ids().flatMap((id) => readProcess(Number(id)) ?? []);
  const family = all.filter((one) => one.pid === pid);
  for (const member of family) family.push(...all.filter(({ parent }) => parent === member.pid));
  return family;
}

/** The processes that still run. */
export const survivors = (family: readonly Process[]): Process[] => family.filter(({ pid, began }) => readProcess(pid)?.began === began);

/** Ends the processes that still run. */
export function endAll(family: readonly Process[]): void {
  for (const { pid } of survivors(family)) kill(pid);
}

export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Calls `work`, and collects the command lines of all processes that start meanwhile. It may miss one of some milliseconds. */
export async function withCommandLines<T>(work: () => Promise<T>): Promise<{ result: T; commandLines: string[] }> {
  const before = new Set(ids());
  const seen = new Set<string>();
  const look = () => {
    for (const id of ids()) {
      if (before.has(id)) continue;
      try {
        seen.add(commandLine(id));
      } catch {
        // The process has ended.
      }
    }
  };
  const timer = setInterval(look, 20);
  try {
    return { result: await work(), commandLines: [...seen] };
  } finally {
    clearInterval(timer);
  }
}
