/** Records the command line of every process that a command starts, including the command. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError, type RunOptions, run } from "../../support/run";

/** The output of a command, and the command lines of the processes. */
export interface Watched {
  said: string;
  failed: boolean;
  processes: string;
}

/** Traces system calls, so that it finds every process. Available in Linux if tracing is allowed. */
const tracing = ["-f", "--seccomp-bpf", "-qq", "-e", "trace=execve", "-e", "signal=none", "-s", "1000000", "-o"];

const canTrace = () => spawnSync("strace", [...tracing, "/dev/null", "true"]).status === 0;

/** Runs a command, which may fail. */
export async function watch(program: string, args: readonly string[], options: RunOptions): Promise<Watched> {
  let said = "";
  const onOutput = (text: string) => {
    said += text;
  };
  const start = async (command: string, itsArgs: readonly string[]) => {
    try {
      await run(command, itsArgs, { ...options, onOutput });
      return false;
    } catch (error) {
      if (error instanceof CommandError && error.exitCode !== undefined) return true;
      throw error;
    }
  };
  if (!canTrace()) {
    const { failed, processes } = await poll(() => start(program, args));
    return { said, failed, processes };
  }
  const folder = mkdtempSync(join(tmpdir(), "processes-"));
  const file = join(folder, "trace");
  try {
    const failed = await start("strace", [...tracing, file, program, ...args]);
    return { said, failed, processes: readTrace(readFileSync(file, "latin1")) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The tracer writes C strings, with bytes beyond ASCII in octal digits. */
function readTrace(trace: string): string {
  const plain: Record<string, string> = { n: "\n", t: "\t", r: "\r", v: "\v", f: "\f" };
  const bytes = trace.replace(/\\(?:([0-7]{1,3})|(.))/g, (_all, octal: string | undefined, sign = "") =>
    octal ? String.fromCharCode(Number.parseInt(octal, 8)) : (plain[sign] ?? sign),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** Without a tracer: repeatedly lists all processes of the machine. It may miss a process of some milliseconds. */
async function poll(work: () => Promise<boolean>): Promise<{ failed: boolean; processes: string }> {
  const watcher = spawn("sh", ["-c", "while ps -A -ww -o args=; do :; done"], { stdio: ["ignore", "pipe", "ignore"], detached: true });
  const seen = new Set<string>();
  let rest = "";
  watcher.stdout.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) seen.add(line);
  });
  await once(watcher.stdout, "data");
  const failed = await work().finally(() => process.kill(-Number(watcher.pid)));
  return { failed, processes: [...seen, rest].join("\n") };
}
