/** A backend whose disk is full, from the start or in the middle of a deployment. */
import { execFileSync } from "node:child_process";
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { run } from "../support/run";
import type { Sandbox } from "../support/sandbox";
import type { TestStack } from "../support/stack";
import { setUpCopies } from "./kill/set-up";

/** Whether a user may create private mounts. macOS has none, and some Linux containers forbid them. */
const canMount = (() => {
  try {
    execFileSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

let sandbox: Sandbox;
let stack: TestStack;

setUpCopies(
  // Only the connection: the tests of killed deployments cover the resources in Grafana.
  (sandbox) => ({ ...sandbox.existingConfig(), managedResources: "none", checks: "warn" }),
  async (...all) => {
    [sandbox, stack] = all;
    await sandbox.createHosted();
    await sandbox.ask("/api/folders", "POST", { uid: "llm-observability", title: "LLM Observability" });
    renameSync(join(stack.folder, "backend"), join(stack.folder, "saved"));
  },
);

/** Runs a script in which `up` deploys to a small disk, prints the exit code and continues. The mount is private and ends with it. */
function onSmallDisk(...script: string[]): Promise<string> {
  const up = 'up() { pulumi up --yes --skip-preview --stack test --non-interactive 2>&1 | cat; echo "exit code ${PIPESTATUS[0]}"; }';
  return run("unshare", ["-rm", "timeout", "200", "bash", "-uc", ["mkdir backend", up, ...smallDisk, ...script].join("\n")], stack.place());
}

const smallDisk = ["mount -t tmpfs -o size=1m none backend", "cp -r saved/. backend/"];
const fill = "head -c 2m /dev/zero > backend/fill 2>/dev/null";
const empty = "rm backend/fill";

describe.skipIf(!canMount)("a backend", () => {
  it("on a full disk fails before any change; with free space again, the incomplete lock is cancelled", async () => {
    const cancel = "pulumi cancel --yes --stack test 2>&1";
    const output = await onSmallDisk(fill, "up", empty, "up", cancel, "up");
    const [full, broken, after] = output.split("exit code 1\n");
    expect(full).toContain("no space left on device");
    expect(broken).toContain("unexpected end of JSON input");
    expect(after).toMatch(/\+ \d+ created\n[\s\S]*exit code 0\n$/);
    expect(sandbox.registrations).toBe(1);
  });

  it("that fills up during the registration fails, and the next up registers again", async () => {
    const [requested, filled] = ["fill-now", "filled"].map((name) => join(stack.folder, name)) as [string, string];
    const fillUp = async () => {
      writeFileSync(requested, "");
      while (!existsSync(filled)) await pause(20);
    };
    sandbox.observe = (request, phase) => {
      const isRegistration = request.path === "/api/connections" && phase === "handled";
      return isRegistration && !existsSync(filled) ? fillUp() : undefined;
    };
    // Only the script sees the mount, so the script fills it.
    const filler = `(until [ -e fill-now ]; do sleep 0.05; done; ${fill}; touch filled) >/dev/null 2>&1 &`;
    const state = "backend/.pulumi/stacks/*/test.json";
    const restore = `for file in ${state}; do cp $file.bak $file; done`;
    const clear = "pulumi refresh --yes --clear-pending-creates --stack test --non-interactive 2>&1";
    const output = await onSmallDisk(filler, "up", empty, "up", restore, "up", clear, "up");
    const [full, broken, after] = output.split("exit code 1\n");
    expect(full).toMatch(/service-connection[\s\S]*failed to save snapshot[\s\S]*no space left on device/);
    expect(broken).toContain("failed to load checkpoint");
    // The engine's backup of the previous state has no registration.
    expect(after).toMatch(/\+ \d+ created\n[\s\S]*exit code 0\n[\s\S]*\d+ unchanged\n[\s\S]*exit code 0\n$/);
    expect(after?.match(/pending operations/g) ?? []).toHaveLength(0);
    expect(sandbox.registrations).toBe(2);
  });
});
