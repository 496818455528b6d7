/**
 * The sandbox of a local run, as a process beside it. It ends with this process, however that ends, or, kept, with the removal of its life
 * file: so no process is ever killed by a number that may have passed to another one.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { SandboxAddresses } from "../../../test/sandbox/main";

export interface SandboxOptions {
  /** Folder for the state that runs build on, the log and the life file. */
  folder: string;
  addresses: SandboxAddresses;
  /** Whether it stays up when this process ends. */
  keep: boolean;
}

const lifeFile = (folder: string) => join(folder, "sandbox.alive");

/**
 * Starts the sandbox and waits until it listens. One that an earlier run left is ended first.
 *
 * @throws Error where the address is taken or the sandbox does not start
 */
export async function startSandbox({ folder, addresses, keep }: SandboxOptions): Promise<void> {
  stopSandbox(folder);
  for (const setting of ["serviceUrl", "grafanaUrl", "backendsUrl"] as const) await untilFree(setting, addresses[setting]);
  writeFileSync(lifeFile(folder), "");
  const log = join(folder, "sandbox.log");
  const output = openSync(log, "w");
  const main = join(__dirname, "../../../test/sandbox/main.ts");
  const args = ["--state", folder, "--alive", lifeFile(folder), ...(keep ? ["--keep"] : [])];
  const child = spawn(process.execPath, ["-r", "./src/load.cjs", main, ...args], {
    detached: true,
    stdio: ["ignore", output, output, "ipc"],
    env: { ...process.env, SANDBOX: JSON.stringify(addresses) },
  });
  try {
    await untilReady(child, log);
  } catch (error) {
    stopSandbox(folder);
    throw error;
  }
  // The channel stays open, so that the sandbox sees our end; neither it nor the child keeps us from ending.
  child.unref();
  child.channel?.unref();
}

/** Ends the sandbox, if there is one, within a second. */
export function stopSandbox(folder: string): void {
  rmSync(lifeFile(folder), { force: true });
}

function untilReady(child: ChildProcess, log: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The sandbox ended with exit code ${code}:\n${readFileSync(log, "utf8").trim()}`)));
  });
}

async function untilFree(setting: string, address: string): Promise<void> {
  for (const end = Date.now() + 5_000; await isListening(address); ) {
    if (Date.now() > end) {
      const keys = setting === "backendsUrl" ? "prometheusUrl, lokiUrl, tempoUrl and otlpEndpoint" : setting;
      throw new Error(`${address} is in use by another program. Stop it, or choose another port in Pulumi.local.yaml: ${keys}.`);
    }
    await new Promise((resume) => setTimeout(resume, 200));
  }
}

function isListening(address: string): Promise<boolean> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    const settle = (listening: boolean) => {
      socket.destroy();
      resolve(listening);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
