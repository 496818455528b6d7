/** The documented recovery from a killed deployment (src/platform/README.md). */
import type { TestStack } from "../../support/stack";

export interface Recovery {
  /** The steps in addition to `up`. */
  steps: ("cancel" | "adopt")[];
  /** The output of the failed attempts and of `adopt`. */
  output: string;
}

const up = ["up", "--yes", "--skip-preview"];

/** @throws Error if these steps do not lead to a deployment */
export async function recover(stack: TestStack): Promise<Recovery> {
  const recovery: Recovery = { steps: [], output: "" };
  let failure = await failureOf(stack);
  if (failure?.includes("pulumi cancel")) {
    recovery.steps.push("cancel");
    recovery.output += failure;
    await stack.pulumi("cancel", "--yes");
    failure = await failureOf(stack);
  }
  if (failure && /\b(409|412)\b/.test(failure)) {
    recovery.steps.push("adopt");
    recovery.output += failure + (await adopt(stack));
    failure = undefined;
  }
  if (failure) throw new Error(`the recovery failed:\n${failure}`);
  if (recovery.steps.includes("cancel")) await stack.pulumi("refresh", "--yes", "--clear-pending-creates");
  return recovery;
}

/** The output of the next `up` if it fails. */
async function failureOf(stack: TestStack): Promise<string | undefined> {
  const { code, output } = await stack.start(...up).ended;
  return code === 0 ? undefined : output;
}

/** The four commands of the adoption, and one more before the last: the stack itself created the resource, so `destroy` may delete it. */
async function adopt(stack: TestStack): Promise<string> {
  const next = () => stack.npm("adopt", "--stack", "test", "--yes");
  const output = await next();
  await stack.pulumi(...up);
  await next();
  await stack.pulumi("config", "rm", "retainOnDelete");
  await stack.pulumi(...up);
  return output;
}

/** The pending operations in the state. */
export async function pendingOperations(stack: TestStack): Promise<string[]> {
  const { deployment } = JSON.parse(await stack.pulumi("stack", "export")) as {
    deployment: { pending_operations?: { resource: { urn: string }; type: string }[] };
  };
  return (deployment.pending_operations ?? []).map(({ resource, type }) => `${type} ${resource.urn.split("::").at(-1)}`);
}
