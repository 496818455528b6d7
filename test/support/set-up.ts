/** What most of these files begin with: a sandbox, and a stack with a config for it. */
import { afterAll, beforeAll } from "vitest";
import { Sandbox } from "./sandbox";
import { TestStack } from "./stack";

/**
 * Sets up both before the file's first test and takes them down after its last one.
 *
 * @param receive is given both, before the file's own hooks run
 * @param config of the stack; complete and valid by default
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
