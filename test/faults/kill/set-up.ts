/** The hooks of tests that each begin with a stack of their own: it is created once, and copied. The sandbox's observer also sees registrations. */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { ObservedRequest } from "../../sandbox/grafana/server";
import { answer } from "../../support/raw-server";
import { Sandbox } from "../../support/sandbox";
import { TestStack } from "../../support/stack";

/**
 * @param config of the stack. In a copy, its addresses are those of the test's servers.
 * @param receive called before each test
 */
export function setUpCopies(
  config: (sandbox: Sandbox) => Record<string, string>,
  receive: (sandbox: Sandbox, stack: TestStack) => unknown,
): void {
  let values: Record<string, string>;
  let template: TestStack | undefined;
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    const first = await Sandbox.start();
    values = config(first);
    template = await TestStack.create(values);
    await first.stop();
  });

  afterAll(() => template?.remove());

  beforeEach(async () => {
    const sandbox = await Sandbox.start();
    const observed = async (request: ObservedRequest) => {
      await sandbox.observe?.(request, "handled");
      return answer(200);
    };
    sandbox.service.follow([observed]);
    const addresses = Object.entries(sandbox.addresses()).filter(([key]) => key in values);
    const stack = (template as TestStack).copy(Object.fromEntries(addresses));
    ends.push(
      () => sandbox.stop(),
      () => stack.remove(),
    );
    await receive(sandbox, stack);
  });

  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
}
