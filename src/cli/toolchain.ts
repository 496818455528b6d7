/**
 * `npm run toolchain`: makes `npx pulumi` work on this machine. With `-- --truth` it provides the servers of the truth tests instead. Says
 * nothing but one line for each tool that is there already.
 */
import { parseArgs } from "node:util";
import { ensure } from "./toolchain/install";
import { locate } from "./toolchain/locate";
import { lokiTool, prometheusTool, pulumiTool, tempoTool } from "./toolchain/tools";

async function main(): Promise<void> {
  const { truth } = parseArgs({ options: { truth: { type: "boolean" } } }).values;
  if (truth) {
    for (const tool of [prometheusTool(), lokiTool(), tempoTool()]) await locate(tool);
    return;
  }
  const tool = pulumiTool();
  if ((await ensure(tool)) === "cached") console.log(`toolchain: ${tool.name} ${tool.version} is ready`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
