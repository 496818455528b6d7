/** The processes of a deployment: found from the first one, and ended by their ids, never by a name that other processes may have. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Whether this system has files for its processes, like Linux. */
export const canSeeProcesses = existsSync("/proc/self/stat");

/** A process with its start time, since the system reuses ids. */
export interface Process {
  pid: number;
  parent: number;
  began: string;
  command: string;
}

function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may hold anything.
    const [state, parent, ...others] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    return { pid, parent: Number(parent), began: String(others[17]), command };
  } catch {
    return undefined; // The process has ended.
  }
}

function processes(): Process[] {
  const numbers = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return numbers.flatMap((number) => readProcess(Number(number)) ?? []);
}

/** A process and its descendants. */
export function familyOf(pid: number): Process[] {
  const all = processes();
  const family = all.filter((one) => one.pid === pid);
  for (const member of family) family.push(...all.filter(({ parent }) => parent === member.pid));
  return family;
}

/** The processes that still run. */
export function survivors(family: readonly Process[]): Process[] {
  return family.filter(({ pid, began }) => readProcess(pid)?.began === began);
}

/** All processes whose working directory is in a folder, or whose command contains it. */
export function processesAt(folder: string): Process[] {
  return processes().filter(({ pid, command }) => command.includes(folder) || folderOf(pid).startsWith(folder));
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}

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
