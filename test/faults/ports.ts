/** Ports on which a test listens later or again, outside of the range of ephemeral ports, which other processes could get meanwhile. */
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";

const used = new Set<number>();

/** A free port outside of the range of ephemeral ports. */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if (used.has(port) || (await listens(port))) continue;
    used.add(port);
    return port;
  }
}

/** Replaces the ports of the addresses in a local stack's file with free ones. */
export async function moveToQuietPorts(stackFile: string): Promise<void> {
  let text = readFileSync(stackFile, "utf8");
  for (const address of new Set(text.match(/127\.0\.0\.1:\d+/g))) text = text.replaceAll(address, `127.0.0.1:${await quietPort()}`);
  writeFileSync(stackFile, text);
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
