/** Ports at which something listens only later, or again: none of those that the system hands out, which others would get meanwhile. */
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";

const given = new Set<number>();

/** A port at which nobody listens, outside of the range from which the system hands out free ones: nobody else will get it meanwhile. */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if (given.has(port) || (await listens(port))) continue;
    given.add(port);
    return port;
  }
}

/** The addresses in a local stack's file moved to ports at which nobody listens. */
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
