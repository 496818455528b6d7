/**
 * `npm run toolchain`: installs the Pulumi CLI for `npx pulumi`. With `-- --truth`, the servers of `npm run test:truth` and `npm run demo` instead; with
 * `-- --grafana`, a genuine Grafana for `npm run demo`.
 */
import { parseArgs } from "node:util";
import { ensure } from "./toolchain/install";
import { locate } from "./toolchain/locate";
import { grafanaTool, lokiTool, prometheusTool, pulumiTool, tempoTool } from "./toolchain/tools";

async function main(): Promise<void> {
  const { truth, grafana } = parseArgs({ options: { truth: { type: "boolean" }, grafana: { type: "boolean" } } }).values;
  if (grafana) await locate(grafanaTool());
  if (truth) {
    for (const tool of [prometheusTool(), lokiTool(), tempoTool()]) await locate(tool);
  }
  if (truth || grafana) return;
  const tool = pulumiTool();
  if ((await ensure(tool)) === "cached") console.log(`toolchain: ${tool.name} ${tool.version} is installed`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
