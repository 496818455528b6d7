/**
 * `npm run toolchain`: installs the Pulumi CLI for `npx pulumi`, from the official release or, where that cannot be reached, from Go modules.
 * With a release, `npx pulumi` does so on its own. `-- --truth` installs the servers of `npm run test:truth` and `npm run demo` instead,
 * `-- --mimir` those of `npm run test:mimir`, `-- --grafana` a genuine Grafana.
 */
import { parseArgs } from "node:util";
import { ensure } from "./install";
import { locateAll } from "./locate";
import { log } from "./progress";
import { pulumiTool } from "./pulumi";
import { grafanaTool, mimirTools, prometheusTool, servers } from "./servers";

async function main(): Promise<void> {
  const type = "boolean";
  const { truth, mimir, grafana } = parseArgs({ options: { truth: { type }, mimir: { type }, grafana: { type } } }).values;
  const tools = [...(grafana ? [grafanaTool()] : []), ...(truth ? servers() : []), ...(mimir ? [prometheusTool(), ...mimirTools()] : [])];
  if (tools.length > 0) {
    await locateAll(...tools);
    return;
  }
  const tool = pulumiTool();
  if ((await ensure(tool)) === "cached") log(`${tool.name} ${tool.version} is installed`);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
