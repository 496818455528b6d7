/** A newer Node.js than the running one, from npm. */
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { run } from "../../support/run";

/** The newest release that Pulumi's SDK supports. */
const version = "26.10.0";

const folder = resolve(__dirname, `../../../node_modules/.cache/bench/node-${version}`);

/** The folder of its program. Undefined, with a message, if npm has none for this machine. */
export async function newestNode(): Promise<{ version: string; bin: string } | undefined> {
  const name = `node-${process.platform}-${process.arch}`;
  const bin = join(folder, "node_modules", name, "bin");
  if (!existsSync(join(bin, "node"))) {
    mkdirSync(folder, { recursive: true });
    try {
      await run("npm", ["install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", `${name}@${version}`]);
    } catch (error) {
      process.stderr.write(`Without a newer Node.js: ${(error as Error).message}\n`);
      return undefined;
    }
  }
  return { version, bin };
}
