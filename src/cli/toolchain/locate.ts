/** Finds a server to start: the machine's own, or else the one that the project fetches for itself. */
import { access, constants, stat } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { CommandError, run } from "../run";
import { ensure } from "./install";
import { Progress } from "./progress";
import type { Tool } from "./tools";

/**
 * The program that the tool's version command starts. One on PATH is preferred, of any version: whoever put it there wants it used. Says which
 * one it is.
 *
 * @returns its absolute path
 * @throws what `ensure` throws
 */
export async function locate(tool: Tool, progress = new Progress()): Promise<string> {
  const [binary] = tool.versionCommand;
  const present = await onPath(binary);
  if (present && (await starts(present, tool, progress))) return present;
  const program = join(tool.folder, "bin", binary);
  if ((await ensure(tool, progress)) === "cached") progress.say(`${tool.name} from the cache: ${program}`);
  return program;
}

/**
 * One that does not start is passed over, and that is said. It is no error: such leftovers and shims of version managers are common, mending
 * them is none of the project's business, and the one that it fetches does the job.
 */
async function starts(program: string, tool: Tool, progress: Progress): Promise<boolean> {
  const [, ...args] = tool.versionCommand;
  let answer = "";
  try {
    // Some versions answer on standard error.
    await run(program, args, { onOutput: (text) => (answer += text) });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    progress.say(`${tool.name} on PATH is passed over: ${program}: ${error.message.split("\n", 2).join(" ")}`);
    return false;
  }
  progress.say(`${tool.name} from PATH: ${program}: ${answer.trim().split("\n")[0]}`);
  return true;
}

async function onPath(binary: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? "").split(delimiter).filter(Boolean)) {
    const file = resolve(folder, binary);
    const executable = access(file, constants.X_OK).then(async () => (await stat(file)).isFile());
    if (await executable.catch(() => false)) return file;
  }
  return undefined;
}
