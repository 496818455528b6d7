/** `npm run toolchain`: installs the Pulumi CLI for `npx pulumi`. With `-- --truth`, the servers of `npm run test:truth` instead. */
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
  if ((await ensure(tool)) === "cached") console.log(`toolchain: ${tool.name} ${tool.version} is installed`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
