/** The hooks of most test files: a sandbox, and a stack with a config for it. */
import { afterAll, beforeAll } from "vitest";
import { Sandbox } from "./sandbox";
import { TestStack } from "./stack";

/**
 * Creates both before the first test of a file and removes them after the last one.
 *
 * @param receive called with both, before the hooks of the file
 * @param config the stack's config. Defaults to a complete and valid one.
 */
export function setUp(
  receive: (sandbox: Sandbox, stack: TestStack) => void,
  config: (sandbox: Sandbox) => Record<string, string> = (sandbox) => sandbox.config(),
): void {
  let sandbox: Sandbox | undefined;
  let stack: TestStack | undefined;

  beforeAll(async () => {
    sandbox = await Sandbox.start();
    stack = await TestStack.create(config(sandbox));
    receive(sandbox, stack);
  });

  afterAll(async () => {
    await sandbox?.stop();
    stack?.remove();
  });
}
