/** Ctrl-C as a terminal sends it: to all processes in the foreground, during a request without a response. */
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import type { Observer } from "../sandbox/grafana/server";
import { pluginEnvironment } from "../sandbox/plugin-environment";
import { copyProject } from "../support/copy";
import type { Sandbox } from "../support/sandbox";
import { type Ended, type Started, started, type TestStack } from "../support/stack";
import { canSeeProcesses, endAll, familyOf, kill, type Process, processesAt, survivors } from "./kill/processes";
import { pendingOperations } from "./kill/recover";
import { setUpCopies } from "./kill/set-up";
import { moveToQuietPorts } from "./ports";

/** Seconds within which all processes must end. */
const limit = 30;

let sandbox: Sandbox;
let stack: TestStack;
/** The processes of the interrupted command. */
let family: Process[] = [];

setUpCopies(
  (sandbox) => sandbox.config(),
  (...both) => ([sandbox, stack] = both),
);

afterEach(() => endAll(family));

/** Presses Ctrl-C and calls `then`. All processes must end in time. */
async function interrupt(command: Started, folder: string, presses = 1, then?: () => void): Promise<Ended> {
  family = familyOf(command.pid);
  expect(family.length).toBeGreaterThan(1);
  const pressed = Date.now();
  for (let press = 0; press < presses; press++) {
    process.kill(-command.pid, "SIGINT");
    await pause(1000);
  }
  then?.();
  const ended = await command.ended;
  await untilEnded(folder, pressed + limit * 1000);
  expect((Date.now() - pressed) / 1000).toBeLessThan(limit);
  return ended;
}

/** Waits until all processes have ended: those that a command leaves to the system end shortly after it. */
async function untilEnded(folder: string, until = Date.now() + limit * 1000): Promise<void> {
  const left = () => [...survivors(family), ...processesAt(folder)].map(({ pid, command }) => `${pid} ${command}`);
  while (left().length > 0 && Date.now() < until) await pause(100);
  expect(left()).toEqual([]);
}

/** Holds the response to a selected request: `reached` resolves when it was processed, `release` sends the response. */
function hold(isSelected: (path: string) => boolean) {
  const steps = new EventEmitter();
  const [reached, released] = [once(steps, "reached"), once(steps, "released")];
  const observe: Observer = async ({ path }, phase) => {
    if (phase !== "handled" || !isSelected(path)) return;
    steps.emit("reached");
    await released;
  };
  return { observe, reached, release: () => void steps.emit("released") };
}

/** One resource after the other, since Ctrl-C would also interrupt parallel operations, whose resources may exist. */
const up = () => stack.start("up", "--yes", "--skip-preview", "--parallel", "1");

describe.skipIf(!canSeeProcesses)("Ctrl-C", () => {
  it("once, during the registration: it completes and is stored; Ctrl-C also ends npm run doctor", async () => {
    const { observe, reached, release } = hold((path) => path === "/api/connections");
    sandbox.observe = observe;
    const deployment = up();
    await reached;
    const { code, output } = await interrupt(deployment, stack.folder, 1, release);
    expect(code).not.toBe(0);
    expect(output).toContain("press ^C again");
    expect(await pendingOperations(stack)).toEqual([]);
    sandbox.observe = undefined;
    expect(await stack.up()).not.toContain("create service-connection");
    expect(sandbox.registrations).toBe(1);
    endAll(family);

    const held = hold((path) => path.includes("/api/dashboards/"));
    sandbox.observe = held.observe;
    const doctor = started(
      spawn("npm", ["run", "doctor", "--", "--stack", "test"], { cwd: stack.folder, env: stack.environment, detached: true }),
    );
    await held.reached;
    const ended = await interrupt(doctor, stack.folder);
    expect(ended.code ?? ended.signal).not.toBe(0);
  });

  it("twice, during the registration: the next deployment registers again", async () => {
    const { observe, reached, release } = hold((path) => path === "/api/connections");
    sandbox.observe = observe;
    const deployment = up();
    await reached;
    const { code } = await interrupt(deployment, stack.folder, 2);
    expect(code).not.toBe(0);
    expect(await pendingOperations(stack)).toEqual(["creating service-connection"]);
    sandbox.observe = undefined;
    release();
    expect(await stack.up()).toContain("create service-connection");
    await stack.pulumi("refresh", "--yes", "--clear-pending-creates");
    expect(await pendingOperations(stack)).toEqual([]);
    expect(sandbox.registrations).toBe(2);
  });
});

describe.skipIf(!canSeeProcesses)("npm run local", () => {
  const root = resolve(__dirname, "../..");
  const folder = mkdtempSync(join(tmpdir(), "llm-observability-local-"));

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Starts the command. Resolves when it has printed a text. */
  async function startLocal(text: RegExp): Promise<Started> {
    const local = spawn("npm", ["run", "local"], { cwd: folder, env: { ...process.env, ...(await pluginEnvironment()) }, detached: true });
    const command = started(local);
    let output = "";
    local.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
    });
    // If the command ends earlier, the comparison shows its result.
    expect(await Promise.race([vi.waitUntil(() => text.test(output), 200_000), command.ended])).toBe(true);
    return command;
  }

  it("continues after Pulumi was killed, which keeps the lock, and after Ctrl-C, which also ends the sandbox", async () => {
    copyProject(root, folder);
    await moveToQuietPorts(join(folder, "Pulumi.local.yaml"));
    const killed = await startLocal(/Updating \(local\)/);
    family = familyOf(killed.pid);
    for (const { pid, command } of family) if (command.includes("/pulumi up ")) kill(pid);
    expect((await killed.ended).code).toBe(1);
    // Its language host, which stays, may have started the program after that.
    endAll([...family, ...processesAt(folder)]);

    // Between its first line and its handler of signals, Ctrl-C would kill Pulumi, and its language host would stay for minutes.
    const interrupted = await startLocal(/Updating \(local\)[\s\S]* creating/);
    const { code, signal, output } = await interrupt(interrupted, folder);
    expect(code ?? signal).not.toBe(0);
    expect(output).not.toContain("Deployment\n");
    const again = await (await startLocal(/Deployment\n/)).ended;
    expect(again.output).toContain("Deployment\n");
    await untilEnded(folder);
  });

  it("completes if the reader of its output ends, such as head", async () => {
    const env = { ...process.env, ...(await pluginEnvironment()) };
    const { output } = await started(spawn("bash", ["-c", "npm run local | head -1; echo $PIPESTATUS"], { cwd: folder, env })).ended;
    expect(output.trim().split("\n").at(-1)).toBe("0");
  });
});
