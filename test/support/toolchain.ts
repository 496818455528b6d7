/**
 * `npm run toolchain`: installs the Pulumi CLI for `npx pulumi`. With `-- --truth`, the servers of `npm run test:truth` and `npm run demo` instead; with
 * `-- --grafana`, a genuine Grafana for `npm run demo`. These are loaded on request only: a deployment has no development dependencies.
 */
import { parseArgs } from "node:util";
import { ensure } from "../../src/cli/toolchain/install";
import { log } from "../../src/cli/toolchain/progress";
import { pulumiTool } from "../../src/cli/toolchain/tools";

async function main(): Promise<void> {
  const { truth, grafana } = parseArgs({ options: { truth: { type: "boolean" }, grafana: { type: "boolean" } } }).values;
  if (truth || grafana) {
    const { locateAll } = require("./locate") as typeof import("./locate");
    const { grafanaTool, servers } = require("./tools") as typeof import("./tools");
    await locateAll(...(grafana ? [grafanaTool()] : []), ...(truth ? servers() : []));
    return;
  }
  const tool = pulumiTool();
  if ((await ensure(tool)) === "cached") log(`${tool.name} ${tool.version} is installed`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
