/** Finds the programs of servers: on PATH, or else in the project's cache. */
import { basename, delimiter, join, resolve } from "node:path";
import { ensure, isComplete, isProgram } from "./install";
import { log } from "./progress";
import type { Tool } from "./pulumi";

/**
 * The absolute paths of the tools' programs. A program on PATH is preferred, whatever its version, because the user chose it. Otherwise
 * installs the tool, with the errors of `ensure`. Logs the paths and, before an installation, how long it can take.
 */
export async function locateAll(...tools: Tool[]): Promise<string[]> {
  const found: (string | undefined)[] = [];
  for (const tool of tools) found.push(await find(tool));
  const missing = tools.filter((_, index) => !found[index]);
  if (missing.length > 0) {
    const minutes = missing.reduce((sum, tool) => sum + (tool.minutes ?? 0), 0);
    log(`not installed: ${missing.map(({ name }) => name).join(", ")}. They are downloaded or, where that is not possible, built:`);
    log(`  about ${minutes} minutes on two cores, once. After an interruption, the next run goes on with what is finished.`);
  }
  for (const tool of missing) await ensure(tool);
  return tools.map((tool, index) => found[index] ?? inCache(tool));
}

export const locate = async (tool: Tool) => (await locateAll(tool)).join();

/** The same without an installation: undefined if there is no such program. */
export async function find(tool: Tool): Promise<string | undefined> {
  const present = await onPath(basename(tool.programs[0].binary));
  const program = present ?? ((await isComplete(tool)) ? inCache(tool) : undefined);
  if (program) log(`${tool.name} from ${present ? "PATH" : "the cache"}: ${program}`);
  return program;
}

const inCache = ({ folder, programs }: Tool) => join(folder, "bin", programs[0].binary);

async function onPath(binary: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? "").split(delimiter).filter(Boolean)) {
    const file = resolve(folder, binary);
    if (await isProgram(file)) return file;
  }
  return undefined;
}
