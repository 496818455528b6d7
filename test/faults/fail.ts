/** The whole output of a command that fails: `TestStack.failing` keeps only its end. */
import { delimiter, join } from "node:path";
import { CommandError, run } from "../support/run";
import type { TestStack } from "../support/stack";
import { pulumiTool } from "../support/toolchain/pulumi";

const bin = join(pulumiTool().folder, "bin");

export async function wholeFailure({ folder, environment }: TestStack, ...args: string[]): Promise<string> {
  let output = "";
  const env = { ...environment, PATH: `${bin}${delimiter}${environment.PATH}` };
  const onOutput = (text: string) => {
    output += text;
  };
  try {
    await run(join(bin, "pulumi"), [...args, "--stack", "test", "--non-interactive"], { cwd: folder, env, onOutput });
  } catch (error) {
    if (error instanceof CommandError) return output;
    throw error;
  }
  throw new Error(`pulumi ${args.join(" ")} was expected to fail:\n${output}`);
}
