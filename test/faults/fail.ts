/** The whole output of a command that fails: `TestStack.failing` keeps only its end. */
import type { TestStack } from "../support/stack";

export async function wholeFailure(stack: TestStack, ...args: string[]): Promise<string> {
  const { code, output } = await stack.start(...args).ended;
  if (code === 0) throw new Error(`pulumi ${args.join(" ")} was expected to fail:\n${output}`);
  return output;
}
