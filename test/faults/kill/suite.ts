/** `kill -9` in the middle of a first deployment, and the README's way on: whatever was killed where, the stack gets to where it was to be. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "../../support/sandbox";
import { type Ended, TestStack } from "../../support/stack";
import { isWrite, type Point, resourceOf, victimOf } from "./points";
import { canSeeProcesses, endAll, familyOf, kill, type Process, survivors } from "./processes";
import { pendingOperations, recover } from "./recover";
import { type ObservedService, startService } from "./service";

/** Set up once: each point begins with a copy. */
let made: TestStack;
let sandbox: Sandbox;
let service: ObservedService;
let stack: TestStack;
/** The processes of the killed deployment. */
let family: Process[] = [];

beforeAll(async () => {
  const sandbox = await Sandbox.start();
  made = await TestStack.create({ ...sandbox.config(), folderViewers: "none" });
  await sandbox.stop();
});

afterAll(() => made?.remove());

beforeEach(async () => {
  [sandbox, service, family] = [await Sandbox.start(), await startService(), []];
  stack = made.copy({ ...sandbox.addresses(), serviceUrl: service.url });
});

afterEach(async () => {
  endAll(family);
  await sandbox.stop();
  await service.close();
  stack.remove();
});

/** A deployment that is hit at the point, one resource after the other, so that nothing else is under way there. */
async function upKilledAt([write, phase, victim]: Point): Promise<Ended> {
  const up = stack.start("up", "--yes", "--skip-preview", "--parallel", "1");
  sandbox.observe = service.observe = (request, at) => {
    if (family.length > 0 || at !== phase || !isWrite(write, request)) return undefined;
    family = familyOf(up.pid);
    kill(victimOf(victim, write, family).pid);
    const goesOn = victim === "program" || (victim === "engine" && write === "connection");
    // A request that is not acted on: it is held for ever.
    return at === "arrived" && !goesOn ? new Promise(() => undefined) : undefined;
  };
  const ended = await up.ended;
  sandbox.observe = service.observe = undefined;
  return ended;
}

/** What Grafana has, each as often as it is there. */
function held() {
  const { datasources, folders, dashboards } = sandbox.grafana();
  return {
    datasources: datasources.map(({ uid }) => uid).sort(),
    folders: folders.map(({ uid, grants }) => ({ uid, viewers: grants.filter(({ role }) => role === "Viewer").map(({ level }) => level) })),
    dashboards: dashboards.map(({ uid, folderUid }) => `${folderUid}/${uid}`).sort(),
  };
}

const complete = {
  datasources: ["loki", "prometheus", "tempo"].map((kind) => `llm-observability-${kind}`),
  folders: [{ uid: "llm-observability", viewers: [] }],
  dashboards: ["llm-observability/genai-observability", "llm-observability/llmobs-llm-monitoring"],
};

/** Each of the points, one after the other. Files of tests share them: they run at the same time. */
export function killAt(points: readonly Point[], more: () => void = () => undefined): void {
  describe.skipIf(!canSeeProcesses)("kill -9", () => {
    it.each([...points])("%s %s, the %s killed: needs %j", async (...point) => {
      const [write, , victim, steps, registrations] = point;
      const { signal, code, output } = await upKilledAt(point);
      expect(family, output).not.toEqual([]);
      if (victim === "engine") {
        expect(signal).toBe("SIGKILL");
        expect(await pendingOperations(stack)).toEqual([`creating ${resourceOf(write)}`]);
      } else {
        expect(code).toBe(1);
        expect(survivors(family)).toEqual([]);
        expect(output).toMatch(victim === "program" ? /Program exited with non-zero exit code/ : /error reading from server: /);
        expect(await pendingOperations(stack)).toEqual([]);
      }

      const recovery = await recover(stack);
      expect(recovery.steps).toEqual(steps);
      if (steps.includes("adopt")) {
        expect(recovery.adopted).toBe(write);
        // The engine's error names the resource, with Grafana's refusal; the README names the way out.
        expect(recovery.said).toMatch(new RegExp(`\\(${resourceOf(write)}\\):\\n +error: .*\\b(409|412)\\b`));
        if (victim === "engine") expect(recovery.said).toContain(`::${resourceOf(write)}, interrupted while creating`);
      }
      expect(await stack.preview("--refresh")).toEqual([]);
      expect(held()).toEqual(complete);
      expect(await pendingOperations(stack)).toEqual([]);
      expect(service.registrations).toBe(registrations);
    });

    more();
  });
}

/** What was adopted after a kill is this stack's own. */
export function adoptedIsDeleted(): void {
  it("what was adopted after it is deleted with the stack", async () => {
    await upKilledAt(["folder", "handled", "engine", ["cancel", "adopt"], 1]);
    expect((await recover(stack)).adopted).toBe("folder");
    await stack.destroy();
    expect(held()).toEqual({ datasources: [], folders: [], dashboards: [] });
  });
}
