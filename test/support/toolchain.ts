/** The options of `npm run toolchain`: `-- --truth` for the servers of `npm run test:truth` and `npm run demo`, `-- --grafana` for a genuine Grafana. */
import { parseArgs } from "node:util";
import { endWith } from "../../src/cli/run";
import { locateAll } from "./locate";
import { grafanaTool, servers } from "./tools";

async function main(): Promise<void> {
  const { truth, grafana } = parseArgs({ options: { truth: { type: "boolean" }, grafana: { type: "boolean" } } }).values;
  await locateAll(...(grafana ? [grafanaTool()] : []), ...(truth ? servers() : []));
}

main().catch(endWith(1));
