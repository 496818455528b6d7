/**
 * The provider plugins of a sandboxed run. Pulumi downloads genuine ones on first use; where it cannot, the stand-ins of `test/sandbox/plugins`
 * are put on PATH, where the engine looks first.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { pulumi as commandPlugin } from "@pulumi/command/package.json";
import { pulumi as grafanaPlugin } from "@pulumiverse/grafana/package.json";
import { withTransport } from "../network/transport";

const standIns = resolve(__dirname, "../../test/sandbox/plugins/bin");

/** Where Pulumi downloads these plugins from. */
const releases = "https://api.github.com/";

/** Variables to add to the environment of `pulumi`: none where the genuine plugins are there or can be had. */
export async function pluginEnvironment(): Promise<Record<string, string>> {
  const home = process.env.PULUMI_HOME || join(homedir(), ".pulumi");
  const installed = [commandPlugin, grafanaPlugin].every(({ name, version }) =>
    existsSync(join(home, "plugins", `resource-${name}-v${version}`)),
  );
  if (installed || (await isReachable(releases))) return {};
  return { PATH: `${standIns}${delimiter}${process.env.PATH}`, PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" };
}

async function isReachable(address: string): Promise<boolean> {
  try {
    await withTransport(undefined, (transport) => transport.fetch(address, { method: "HEAD", signal: AbortSignal.timeout(5_000) }));
    return true;
  } catch {
    return false; // The reason does not matter: the stand-ins say that they are in use.
  }
}
