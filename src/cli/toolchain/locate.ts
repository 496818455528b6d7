/** Finds a server's program: on PATH, or else in the project's cache. */
import { delimiter, join, resolve } from "node:path";
import { CommandError, run } from "../run";
import { ensure, isProgram } from "./install";
import { Progress } from "./progress";
import type { Tool } from "./tools";

/**
 * The absolute path of the tool's program. A program on PATH is preferred, whatever its version, because the user chose it. Otherwise
 * installs the tool, with the errors of `ensure`. Logs the path and the version.
 */
export async function locate(tool: Tool, progress = new Progress()): Promise<string> {
  const [{ binary }] = tool.programs;
  const present = await onPath(binary);
  if (present && (await starts(present, tool, progress))) return present;
  const program = join(tool.folder, "bin", binary);
  if ((await ensure(tool, progress)) === "cached") progress.log(`${tool.name} from the cache: ${program}`);
  return program;
}

/** Whether the program starts. If not, it is skipped with a message: broken leftovers and shims of version managers are common on PATH. */
async function starts(program: string, tool: Tool, progress: Progress): Promise<boolean> {
  let output = "";
  try {
    // Some versions print to standard error.
    await run(program, [tool.versionArgument], { onOutput: (text) => (output += text) });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    progress.log(`${tool.name} on PATH does not work, skipped: ${program}: ${error.message.split("\n", 2).join(" ")}`);
    return false;
  }
  progress.log(`${tool.name} from PATH: ${program}: ${output.trim().split("\n")[0]}`);
  return true;
}

async function onPath(binary: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? "").split(delimiter).filter(Boolean)) {
    const file = resolve(folder, binary);
    if (await isProgram(file)) return file;
  }
  return undefined;
}
