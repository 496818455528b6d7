/** A copy of the project in which `npm run local` works, without the installed packages and the page of the view. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { basename, join } from "node:path";

const parts = [
  "Pulumi.yaml",
  "Pulumi.local.yaml",
  "index.ts",
  "src",
  "test/sandbox",
  "test/support/dev-packages.ts",
  "test/support/run.ts",
  "test/support/toolchain",
  "package.json",
  "tsconfig.json",
];

/** Copies the project, since `npm run local` works in the folder of its files, on its ports. The packages are a link. */
export async function copyProject(root: string, folder: string): Promise<void> {
  const isOwn = (path: string) => !["node_modules", "build"].includes(basename(path));
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true, filter: isOwn });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const stackFile = join(folder, "Pulumi.local.yaml");
  let text = readFileSync(stackFile, "utf8");
  const addresses = [...new Set(text.match(/127\.0\.0\.1:\d+/g))];
  for (const [index, address] of addresses.entries()) {
    text = text.replaceAll(address, `127.0.0.1:${await quietPort(20_000 + 2_000 * index)}`);
  }
  writeFileSync(stackFile, text);
}

/** A free one of 2,000 ports, outside of the range of ephemeral ports, which other processes could get meanwhile. */
function quietPort(lowest: number): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    const listen = () => server.listen(lowest + Math.floor(Math.random() * 2_000), "127.0.0.1");
    server.on("error", listen);
    server.once("listening", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
    listen();
  });
}
