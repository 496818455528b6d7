/** The provider plugins. Pulumi installs them on first use. If it cannot download them, the stand-ins on PATH replace them. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { pulumi as commandPlugin } from "@pulumi/command/package.json";
import { pulumi as grafanaPlugin } from "@pulumiverse/grafana/package.json";
import { exchange } from "../../src/network/transport";

const standIns = resolve(__dirname, "plugins/bin");

/** The server from which Pulumi downloads these plugins. */
const releases = "https://api.github.com/";

/** Environment variables for `pulumi` with the stand-ins. Empty if the plugins are installed or can be downloaded. */
export async function pluginEnvironment(): Promise<Record<string, string>> {
  return (await hasGenuinePlugins()) ? {} : standInPlugins();
}

/** The same with the stand-ins in any case. */
export const standInPlugins = (): Record<string, string> => ({
  PATH: `${standIns}${delimiter}${process.env.PATH}`,
  PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
});

/** Whether the genuine plugins are installed or can be downloaded. */
export async function hasGenuinePlugins(): Promise<boolean> {
  const home = process.env.PULUMI_HOME || join(homedir(), ".pulumi");
  const installed = [commandPlugin, grafanaPlugin].every(({ name, version }) =>
    existsSync(join(home, "plugins", `resource-${name}-v${version}`)),
  );
  return installed || (await isReachable(releases));
}

/** Whether the genuine plugins are on PATH, where the engine looks first. */
export const hasPluginsOnPath = (): boolean =>
  [commandPlugin, grafanaPlugin].every(({ name }) =>
    (process.env.PATH ?? "").split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, `pulumi-resource-${name}`))),
  );

async function isReachable(address: string): Promise<boolean> {
  try {
    await exchange(address, { method: "HEAD", signal: AbortSignal.timeout(5_000) }, () => undefined);
    return true;
  } catch {
    return false; // The engine prints a warning about the stand-ins.
  }
}
