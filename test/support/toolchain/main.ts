/**
 * `npm run toolchain`: installs the Pulumi CLI for `npx pulumi`, from the official release or, where that cannot be reached, from Go modules.
 * `-- --truth` installs the servers of `npm run test:truth` and `npm run demo` instead, `-- --grafana` a genuine Grafana.
 */
import { parseArgs } from "node:util";
import { endWith } from "../../../src/cli/run";
import { ensure } from "./install";
import { log } from "./progress";
import { pulumiTool } from "./pulumi";

async function main(): Promise<void> {
  const { truth, grafana } = parseArgs({ options: { truth: { type: "boolean" }, grafana: { type: "boolean" } } }).values;
  if (truth || grafana) {
    // Only these require development dependencies.
    const { locateAll } = require("./locate") as typeof import("./locate");
    const { grafanaTool, servers } = require("./servers") as typeof import("./servers");
    await locateAll(...(grafana ? [grafanaTool()] : []), ...(truth ? servers() : []));
    return;
  }
  const tool = pulumiTool();
  if ((await ensure(tool)) === "cached") log(`${tool.name} ${tool.version} is installed`);
}

main().catch(endWith(1));
