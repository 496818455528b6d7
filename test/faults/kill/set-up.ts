/** The hooks of tests that each begin with a stack of their own: it is created once, and copied. */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { Sandbox } from "../../support/sandbox";
import { TestStack } from "../../support/stack";
import { type ObservedService, startService } from "./service";

/**
 * @param config of the stack. In a copy, its addresses are those of the test's servers.
 * @param receive called before each test
 */
export function setUpCopies(
  config: (sandbox: Sandbox) => Record<string, string>,
  receive: (sandbox: Sandbox, service: ObservedService, stack: TestStack) => unknown,
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
    const [sandbox, service] = [await Sandbox.start(), await startService()];
    const addresses = Object.entries({ ...sandbox.addresses(), serviceUrl: service.url }).filter(([key]) => key in values);
    const stack = (template as TestStack).copy(Object.fromEntries(addresses));
    ends.push(
      () => sandbox.stop(),
      () => service.close(),
      () => stack.remove(),
    );
    await receive(sandbox, service, stack);
  });

  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
}
