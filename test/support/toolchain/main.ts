/** `npm run toolchain`: installs programs that tests and commands start. */
import "../dev-packages";
import { endWith, readOptions } from "../../../src/cli/options";
import { ensure } from "./install";
import { locateAll } from "./locate";
import { log } from "./progress";
import { pulumiTool } from "./pulumi";
import { grafanaTool, mimirTools, prometheusTool, servers } from "./servers";

const usage = `Usage: npm run toolchain [-- --truth | --mimir | --grafana]

Installs the Pulumi CLI for "npx pulumi", from the official release or, where that cannot be reached, from Go modules: says how long that takes.

  --truth          install the servers of npm run test:truth and npm run demo instead
  --mimir          install those of npm run test:mimir instead
  --grafana        install a genuine Grafana instead

Exit codes: 0 installed, 1 failed.`;

async function main(): Promise<void> {
  const type = "boolean";
  const { truth, mimir, grafana } = readOptions(usage, { truth: { type }, mimir: { type }, grafana: { type } }).values;
  const tools = [...(grafana ? [grafanaTool()] : []), ...(truth ? servers() : []), ...(mimir ? [prometheusTool(), ...mimirTools()] : [])];
  if (tools.length > 0) {
    await locateAll(...tools);
    return;
  }
  const tool = pulumiTool();
  if ((await ensure(tool)) === "cached") log(`${tool.name} ${tool.version} is installed`);
}

main().catch(endWith(1));
