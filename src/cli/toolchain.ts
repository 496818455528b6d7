/** `npm run toolchain`: makes `npx pulumi` work on this machine. Says nothing but one line where it already does. */
import { ensure } from "./toolchain/install";
import { pulumiTool } from "./toolchain/tools";

async function main(): Promise<void> {
  const tool = pulumiTool();
  if ((await ensure(tool)) === "cached") console.log(`toolchain: ${tool.name} ${tool.version} is ready`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
