/** What the README tells to do after a deployment was killed, done to the letter. */
import { CommandError, run } from "../../../src/cli/run";
import type { TestStack } from "../../support/stack";

/** What had to be done beside `up`, and all that the attempts without it said. */
export interface Recovery {
  steps: ("cancel" | "adopt")[];
  /** The parts that were adopted. */
  adopted: string | undefined;
  said: string;
}

const up = ["up", "--yes", "--skip-preview"];

/** @throws where these steps do not lead to a deployment */
export async function recover(stack: TestStack): Promise<Recovery> {
  const recovery: Recovery = { steps: [], adopted: undefined, said: "" };
  let failure = await failureOf(stack);
  if (failure?.includes("pulumi cancel")) {
    recovery.steps.push("cancel");
    recovery.said += failure;
    await stack.pulumi("cancel", "--yes");
    failure = await failureOf(stack);
  }
  if (failure && /\b(409|412)\b/.test(failure)) {
    recovery.steps.push("adopt");
    recovery.said += failure;
    recovery.adopted = await adopt(stack);
    failure = undefined;
  }
  if (failure) throw new Error(`the deployment does not go on:\n${failure}`);
  if (recovery.steps.includes("cancel")) await stack.pulumi("refresh", "--yes", "--clear-pending-creates");
  return recovery;
}

/** What the next `up` says where it fails. */
async function failureOf(stack: TestStack): Promise<string | undefined> {
  try {
    await stack.pulumi(...up);
    return undefined;
  } catch (error) {
    if (error instanceof CommandError) return error.output;
    throw error;
  }
}

/** The README's four commands and, since the stack made it itself, one more before the last. */
export async function adopt(stack: TestStack): Promise<string | undefined> {
  const next = () => run("npm", ["run", "--silent", "adopt", "--", "test", "--yes"], { cwd: stack.folder, env: stack.environment });
  const parts = /imports = (\S+)/.exec(await next())?.[1];
  await stack.pulumi(...up);
  await next();
  await stack.pulumi("config", "rm", "retainOnDelete");
  await stack.pulumi(...up);
  return parts;
}

/** What the state notes as begun and not ended. */
export async function pendingOperations(stack: TestStack): Promise<string[]> {
  const { deployment } = JSON.parse(await stack.pulumi("stack", "export")) as {
    deployment: { pending_operations?: { resource: { urn: string }; type: string }[] };
  };
  return (deployment.pending_operations ?? []).map(({ resource, type }) => `${type} ${resource.urn.split("::").at(-1)}`);
}
