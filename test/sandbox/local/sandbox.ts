/**
 * The sandbox of a local run, as a child process. It ends when this process ends or when its life file is deleted. It is never killed by
 * its process id, which another process may have by then.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SandboxAddresses } from "../main";

/**
 * The addresses and credentials of the stack's config, which the sandbox uses.
 *
 * @throws Error if an address is not one of this machine
 */
export function sandboxAddresses(settings: Record<string, string>): SandboxAddresses {
  const { serviceUrl = "", grafanaUrl = "", prometheusUrl = "", ...others } = settings;
  for (const [key, address] of Object.entries({ serviceUrl, grafanaUrl, prometheusUrl })) {
    if (!/^http:\/\/(127\.0\.0\.1|localhost):\d+(\/|$)/.test(address)) {
      throw new Error(`The setting ${key} must be http://127.0.0.1 with a port, where the sandbox listens. Fix it in Pulumi.local.yaml.`);
    }
  }
  const { serviceApiKey = "", grafanaAuth = "", otlpInstanceId = "", otlpToken = "" } = others;
  const backendsUrl = new URL(prometheusUrl).origin;
  return { serviceUrl, serviceApiKey, grafanaUrl, grafanaAuth, backendsUrl, otlpInstanceId, otlpToken };
}

const lifeFile = (folder: string) => join(folder, "sandbox.alive");

/**
 * Starts the sandbox and waits until it listens. Stops the sandbox of an earlier run first.
 *
 * @param folder of the state, the log and the life file
 * @throws Error if an address is in use or the sandbox does not start
 */
export async function startSandbox(folder: string, addresses: SandboxAddresses): Promise<void> {
  stopSandbox(folder);
  for (const setting of ["serviceUrl", "grafanaUrl", "backendsUrl"] as const) await untilFree(setting, addresses[setting]);
  writeFileSync(lifeFile(folder), "");
  const log = join(folder, "sandbox.log");
  const output = openSync(log, "w");
  const main = join(__dirname, "../main.ts");
  const args = ["--state", folder, "--alive", lifeFile(folder)];
  const child = spawn(process.execPath, ["-r", "tsx/cjs", main, ...args], {
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
  // The sandbox detects the end of this process by the channel. Neither channel nor child may keep this process alive.
  child.unref();
  child.channel?.unref();
}

/** Stops a running sandbox within a second. */
export function stopSandbox(folder: string): void {
  rmSync(lifeFile(folder), { force: true });
}

function untilReady(child: ChildProcess, log: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The sandbox exited with code ${code}:\n${readFileSync(log, "utf8").trim()}`)));
  });
}

async function untilFree(setting: string, address: string): Promise<void> {
  for (const end = Date.now() + 5_000; await isListening(address); ) {
    if (Date.now() > end) {
      const keys = setting === "backendsUrl" ? "prometheusUrl, lokiUrl, tempoUrl and otlpEndpoint" : setting;
      throw new Error(`${address} is in use by another program. Stop that program, or set another port in Pulumi.local.yaml: ${keys}.`);
    }
    await new Promise((resume) => setTimeout(resume, 200));
  }
}

const isListening = (address: string) =>
  fetch(address, { signal: AbortSignal.timeout(1_000) }).then(
    () => true,
    () => false,
  );
