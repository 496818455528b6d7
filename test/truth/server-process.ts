/** A server's process, which ends with this one, and free ports for it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { listen } from "../support/listen";

/** A limit for servers that hang. All three are usually ready within seconds. */
const readyTimeout = 90_000;

/** A server that writes its log and its data into a temporary folder of its own, which is deleted with it. */
export class Server {
  private readonly child;
  private readonly exited;
  private state: "starting" | "ready" | "stopping" = "starting";

  constructor(
    private readonly name: string,
    private readonly readyAddress: string,
    private readonly log: string,
    program: string,
    args: string[],
    /** Environment variables in addition to those of this process. */
    env: Record<string, string> = {},
  ) {
    const output = openSync(log, "w");
    // The shell's file 3 ends with this process, even by SIGKILL. It then kills the server and deletes its data.
    const script =
      'folder=$1; shift; "$@" 3<&- & server=$!; { read -r _ <&3; kill -9 $server; rm -rf "$folder"; } 2>/dev/null & wait $server';
    this.child = spawn("sh", ["-c", script, "sh", dirname(log), program, ...args], {
      stdio: ["ignore", output, output, "pipe"],
      // Another process group: a signal from the terminal must not end the shell before its server.
      detached: true,
      env: { ...process.env, ...env },
    });
    this.exited = once(this.child, "exit");
    // What fails next has no connection to it, but not the reason.
    void this.exited.then(() => this.state === "ready" && console.error(`${this.name} exited:\n${this.logEnd()}`));
  }

  async ready(): Promise<void> {
    const deadline = Date.now() + readyTimeout;
    const ended = this.exited.then(() => true);
    while (Date.now() < deadline) {
      const ready = await fetch(this.readyAddress).then(
        ({ ok }) => ok,
        () => false,
      );
      if (ready) {
        this.state = "ready";
        return;
      }
      if (await Promise.race([ended, setTimeout(200, false)]))
        throw new Error(`${this.name} exited before it was ready:\n${this.logEnd()}`);
    }
    throw new Error(`${this.name} was not ready within ${readyTimeout / 1000} s:\n${this.logEnd()}`);
  }

  async stop(): Promise<void> {
    this.state = "stopping";
    (this.child.stdio[3] as Writable).destroy();
    await this.exited;
  }

  private logEnd(): string {
    return readFileSync(this.log, "utf8").split("\n").slice(-15).join("\n");
  }
}

/** Ports of the loopback interface that are free now. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = (await Promise.all(servers.map(listen))).map((address) => Number(new URL(address).port));
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}
