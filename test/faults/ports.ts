/** Ports on which a local run listens again, outside of the range of ephemeral ports, which other processes could get meanwhile. */
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";

/** Replaces the ports of the addresses in a local stack's file with free ones. */
export async function moveToQuietPorts(stackFile: string): Promise<void> {
  let text = readFileSync(stackFile, "utf8");
  for (const address of new Set(text.match(/127\.0\.0\.1:\d+/g))) {
    let port: number;
    do port = 20_000 + Math.floor(Math.random() * 10_000);
    while (text.includes(`:${port}`) || (await listens(port)));
    text = text.replaceAll(address, `127.0.0.1:${port}`);
  }
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
