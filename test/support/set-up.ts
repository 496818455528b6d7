/** The sandbox and the stack of most test files, from before the first test until after the last one. */
import { afterAll, beforeAll } from "vitest";
import { Sandbox } from "./sandbox";
import { canary, TestStack } from "./stack";

export let sandbox: Sandbox;
export let stack: TestStack;

const stacks: TestStack[] = [];

/** Creates a stack that is removed with the sandbox: the only one of a file, or a further one. */
export async function createStack(config: Record<string, string> | undefined, name?: string): Promise<TestStack> {
  const created = await TestStack.create(config, name);
  stacks.push(created);
  return created;
}

/**
 * @param config the stack's config: by default a complete and valid one, undefined for a folder without a stack
 * @param secrets those of the sandbox
 */
export function setUp(config: () => Record<string, string> | undefined = () => sandbox.config(), name?: string, secrets = canary): void {
  beforeAll(async () => {
    sandbox = await Sandbox.start(secrets);
    stack = await createStack(config(), name);
  });

  afterAll(async () => {
    await sandbox?.stop();
    for (const each of stacks) each.remove();
  });
}
