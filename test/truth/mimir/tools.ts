/** The environment of the commands of src/settings/README.md for Mimir. */
import { delimiter, dirname } from "node:path";
import { locateAll } from "../../support/toolchain/locate";
import { mimirTools, prometheusTool } from "../../support/toolchain/servers";

/** promtool and mimirtool on PATH, and what mimirtool reads. */
export async function toolsFor(mimir: string, tenant: string): Promise<NodeJS.ProcessEnv> {
  const folders = (await locateAll(prometheusTool(), mimirTools()[1])).map((program) => dirname(program));
  return { ...process.env, PATH: [...folders, process.env.PATH].join(delimiter), MIMIR_ADDRESS: mimir, MIMIR_TENANT_ID: tenant };
}
