/**
 * `npm run toolchain`: installs the Pulumi CLI for `npx pulumi`. Its options name tools that only the tests, the demo and the pictures need: they are
 * passed to `test/support/toolchain.ts`.
 */
import { spawnSync } from "node:child_process";
import { endWith } from "./run";
import { ensure } from "./toolchain/install";
import { log } from "./toolchain/progress";
import { pulumiTool } from "./toolchain/tools";

async function main(options: readonly string[]): Promise<void> {
  if (options.length > 0) {
    const script = ["-r", "./src/load.cjs", "test/support/toolchain.ts", ...options];
    process.exitCode = spawnSync(process.execPath, script, { stdio: "inherit" }).status ?? 1;
    return;
  }
  const tool = pulumiTool();
  if ((await ensure(tool)) === "cached") log(`${tool.name} ${tool.version} is installed`);
}

main(process.argv.slice(2)).catch(endWith(1));
