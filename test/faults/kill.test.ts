/** `kill -9` or Ctrl-C in the middle of a first deployment, and the documented recovery: it always leads to the complete deployment. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it, type onTestFinished, vi } from "vitest";
import { answer } from "../support/raw-server";
import { Sandbox } from "../support/sandbox";
import { TestStack } from "../support/stack";
import { type Interruption, isWrite, type Point, points, processOf, type Step, type Write, writes } from "./kill-points";
import { canSeeProcesses, endAll, familyOf, kill, type Process, survivors } from "./processes";

const up = ["up", "--yes", "--skip-preview"];

// Two tests at a time. Each one has servers and a stack of its own.
vi.setConfig({ maxConcurrency: 2 });

/** The stack that each test copies. */
let template: TestStack;

beforeAll(async () => {
  const sandbox = await Sandbox.start();
  template = await TestStack.create({ ...sandbox.config(), folderAccess: "editors" });
  await sandbox.stop();
});

afterAll(() => template?.remove());

/** A deployment that is interrupted at the point. It creates one resource after the other, so that no other operation is under way. */
async function upUntil([write, phase, how]: Point, finished: typeof onTestFinished) {
  const sandbox = await Sandbox.start();
  finished(() => sandbox.stop());
  const stack = template.copy({ ...sandbox.addresses(), ...(write === "rule" && { alerts: "on" }) });
  finished(() => stack.remove());
  /** The processes at that time. */
  const family: Process[] = [];
  finished(() => endAll(family));

  const { pid, ended } = stack.start(...up, "--parallel", "1");
  sandbox.observe = async (request, at) => {
    if (family.length > 0 || at !== phase || !isWrite(writes[write], request)) return;
    family.push(...familyOf(pid));
    if (how === "kill engine" && phase !== "answered") await stateStored(stack);
    if (how === "Ctrl-C") {
      process.kill(-pid, "SIGINT");
      await pause(1000);
      return;
    }
    kill(processOf(how, write, family).pid);
    // Holds the request, which is never processed.
    if (phase === "arrived" && how !== "kill program") await new Promise(() => undefined);
  };
  const register = async (request: { method: string; path: string; body: string }) => {
    await sandbox.observe?.(request, "handled");
    return answer(200);
  };
  sandbox.service.follow([register]);
  return { sandbox, stack, ended: await ended, family };
}

/** Waits until the engine has stored its state: killed while it writes, it can leave a file that stops Pulumi, see src/platform/README.md. */
async function stateStored({ folder }: TestStack): Promise<void> {
  const stacks = join(folder, "backend/.pulumi/stacks");
  const files = () =>
    readdirSync(stacks, { recursive: true, encoding: "utf8" }).map(
      (file) => `${file} ${statSync(join(stacks, file), { throwIfNoEntry: false })?.mtimeMs}`,
    );
  for (let seen: string[] = []; !isDeepStrictEqual(seen, files()); await pause(200)) seen = files();
}

/** The pending operations in the state. */
async function pendingOperations(stack: TestStack): Promise<string[]> {
  const { deployment } = JSON.parse(await stack.pulumi("stack", "export")) as {
    deployment: { pending_operations?: { resource: { urn: string }; type: string }[] };
  };
  return (deployment.pending_operations ?? []).map(({ resource, type }) => `${type} ${resource.urn.split("::").at(-1)}`);
}

/**
 * Follows the messages and the documentation (src/platform/README.md).
 *
 * @throws Error if these steps do not lead to a deployment
 */
async function recover(stack: TestStack) {
  /** The steps in addition to `up`, and the output of the failed attempts and of `adopt`. */
  const recovery = { steps: [] as Step[], output: "" };
  const failureOfUp = async () => {
    const { code, output } = await stack.start(...up).ended;
    recovery.output += output;
    return code === 0 ? undefined : output;
  };
  let failure = await failureOfUp();
  if (failure?.includes("pulumi cancel")) {
    recovery.steps.push("cancel");
    await stack.pulumi("cancel", "--yes");
    failure = await failureOfUp();
  }
  if (failure && /\b(409|412)\b|rule group with name .* already exists/.test(failure)) {
    recovery.steps.push("adopt");
    recovery.output += await adopt(stack);
    failure = undefined;
  }
  if (failure) throw new Error(`the recovery failed:\n${failure}`);
  if (recovery.steps.includes("cancel")) await stack.pulumi("refresh", "--yes", "--clear-pending-creates");
  return recovery;
}

async function adopt(stack: TestStack): Promise<string> {
  const output = await stack.npm("adopt", "--stack", "test");
  await stack.pulumi("import", "--file", "adopt.test.json", "--generate-code=false", "--yes");
  await stack.pulumi(...up);
  return output;
}

/** The contents of Grafana, duplicates included. */
function contents(sandbox: Sandbox) {
  const { datasources, folders, dashboards, rules } = sandbox.grafana();
  return {
    datasources: datasources.map(({ uid }) => uid).sort(),
    folders: folders.map(({ uid, grants }) => ({ uid, viewers: grants.filter(({ role }) => role === "Viewer").map(({ level }) => level) })),
    dashboards: dashboards.map(({ uid, folderUid }) => `${folderUid}/${uid}`).sort(),
    rules: rules.filter(({ group }) => group === "LlmobsSlow").length,
  };
}

const complete = {
  datasources: ["loki", "prometheus", "tempo"].map((kind) => `llm-observability-${kind}`),
  folders: [{ uid: "llm-observability", viewers: [] }],
  dashboards: ["genai-observability", "genai-observability-otel", "llmobs-llm-monitoring"].map((uid) => `llm-observability/${uid}`),
  rules: 0,
};

/** What the engine says when another process ends. */
const messages: Record<Exclude<Interruption, "kill engine">, RegExp> = {
  "kill program": /Program exited with non-zero exit code/,
  "kill provider": /error reading from server: /,
  "Ctrl-C": /press \^C again/,
};

describe.skipIf(!canSeeProcesses)("an interrupted deployment", () => {
  it.concurrent.for(points)("request of %s %s, %s: the recovery is %j", { timeout: 600_000 }, async (point, context) => {
    const [write, , how, steps, registrations] = point;
    const { sandbox, stack, ended, family } = await upUntil(point, context.onTestFinished);
    const { resource, id }: Write = writes[write];
    expect(family, ended.output).not.toEqual([]);
    if (how === "kill engine") {
      expect(ended.signal).toBe("SIGKILL");
      expect(await pendingOperations(stack)).toEqual([`creating ${resource}`]);
    } else {
      expect(ended.code).toBeGreaterThan(0);
      await vi.waitFor(() => expect(survivors(family)).toEqual([]), 30_000);
      expect(ended.output).toMatch(messages[how]);
      expect(await pendingOperations(stack)).toEqual([]);
    }

    const recovery = await recover(stack);
    expect(recovery.steps).toEqual(steps);
    if (steps.includes("adopt")) {
      expect(recovery.output).toContain(`  ${resource}  ${id}\n`);
      // The engine's error names the resource, with Grafana's or the provider's refusal.
      const refusal = write === "rule" ? ".*rule group with name .*already exists" : ".*\\b(409|412)\\b";
      expect(recovery.output).toMatch(new RegExp(`\\(${resource}\\):\\n +error: ${refusal}`));
      if (how === "kill engine") expect(recovery.output).toContain(`::${resource}, interrupted while creating`);
    }
    // With a lock, the recovery ended with a refresh.
    expect(await stack.preview(...(steps.includes("cancel") ? [] : ["--refresh"]))).toEqual([]);
    expect(contents(sandbox)).toEqual({ ...complete, rules: write === "rule" ? 1 : 0 });
    expect(await pendingOperations(stack)).toEqual([]);
    expect(sandbox.registrations).toBe(registrations);
    if (write !== "folder" || how !== "kill engine") return;
    // This stack created the adopted folder, so it also deletes it.
    await stack.destroy();
    expect(contents(sandbox)).toEqual({ datasources: [], folders: [], dashboards: [], rules: 0 });
  });
});
