/** `kill -9` in the middle of a first deployment, and the documented recovery: it always leads to the complete deployment. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../support/sandbox";
import type { Ended, TestStack } from "../../support/stack";
import { isWrite, type Point, processOf, resourceOf } from "./points";
import { canSeeProcesses, endAll, familyOf, kill, type Process, survivors } from "./processes";
import { pendingOperations, recover } from "./recover";
import { setUpCopies } from "./set-up";

let sandbox: Sandbox;
let stack: TestStack;
/** The processes of the killed deployment. */
let family: Process[] = [];

setUpCopies(
  (sandbox) => ({ ...sandbox.config(), folderViewers: "none" }),
  (...both) => {
    [sandbox, stack] = both;
    family = [];
  },
);

afterEach(() => endAll(family));

/** A deployment that is killed at the point. It creates one resource after the other, so that no other operation is under way. */
async function upKilledAt([write, phase, killed]: Point): Promise<Ended> {
  const up = stack.start("up", "--yes", "--skip-preview", "--parallel", "1");
  sandbox.observe = async (request, at) => {
    if (family.length > 0 || at !== phase || !isWrite(write, request)) return;
    family = familyOf(up.pid);
    if (killed === "engine" && phase !== "answered") await stateStored();
    kill(processOf(killed, write, family).pid);
    // Holds the request, which is never processed.
    if (phase === "arrived" && killed !== "program") await new Promise(() => undefined);
  };
  const ended = await up.ended;
  sandbox.observe = undefined;
  return ended;
}

/** Waits until the engine has stored its state: killed while it writes, it can leave a file that stops Pulumi, see the recovery in src/platform/README.md. */
async function stateStored(): Promise<void> {
  const folder = join(stack.folder, "backend/.pulumi/stacks");
  const files = () =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map(
      (file) => `${file} ${statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs}`,
    );
  for (let seen: string[] = []; !isDeepStrictEqual(seen, files()); await pause(200)) seen = files();
}

/** The contents of Grafana, duplicates included. */
function contents() {
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
  dashboards: ["genai-observability", "genai-observability-otel", "llmobs-llm-monitoring"].map((uid) => `llm-observability/${uid}`),
};

/** Tests these points, one after the other. Two files share the points, since files run in parallel. */
export function testPoints(points: readonly Point[]): void {
  describe.skipIf(!canSeeProcesses)("kill -9", () => {
    it.each([...points])("%s %s, the %s killed: the recovery is %j", async (...point) => {
      const [write, , killed, steps, registrations] = point;
      const { signal, code, output } = await upKilledAt(point);
      expect(family, output).not.toEqual([]);
      if (killed === "engine") {
        expect(signal).toBe("SIGKILL");
        expect(await pendingOperations(stack)).toEqual([`creating ${resourceOf(write)}`]);
      } else {
        expect(code).toBe(1);
        expect(survivors(family)).toEqual([]);
        expect(output).toMatch(killed === "program" ? /Program exited with non-zero exit code/ : /error reading from server: /);
        expect(await pendingOperations(stack)).toEqual([]);
      }

      const recovery = await recover(stack);
      expect(recovery.steps).toEqual(steps);
      if (steps.includes("adopt")) {
        expect(recovery.output).toMatch(new RegExp(`have the uids of stack test: ${write}\\b[^]* imports = ${write}\\n`));
        // The engine's error names the resource, with Grafana's refusal.
        expect(recovery.output).toMatch(new RegExp(`\\(${resourceOf(write)}\\):\\n +error: .*\\b(409|412)\\b`));
        if (killed === "engine") expect(recovery.output).toContain(`::${resourceOf(write)}, interrupted while creating`);
      }
      expect(await stack.preview("--refresh")).toEqual([]);
      expect(contents()).toEqual(complete);
      expect(await pendingOperations(stack)).toEqual([]);
      expect(sandbox.registrations).toBe(registrations);
      if (write !== "folder" || killed !== "engine") return;
      // This stack created the adopted folder, so it also deletes it.
      await stack.destroy();
      expect(contents()).toEqual({ datasources: [], folders: [], dashboards: [] });
    });
  });
}
