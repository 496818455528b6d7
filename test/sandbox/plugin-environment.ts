/** The provider plugins of a stack: the stand-ins, or the genuine ones, which Pulumi installs on first use. The variable `PROVIDER_PLUGINS` decides. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { pulumi as commandPlugin } from "@pulumi/command/package.json";
import { pulumi as grafanaPlugin } from "@pulumiverse/grafana/package.json";
import { exchange } from "../../src/network/transport";

type Plugins = "genuine" | "stand-ins";

/** The plugins of tests and of `npm run local`. @throws Error if the variable has another value */
export const chosenPlugins: Plugins = choose(process.env.PROVIDER_PLUGINS ?? "stand-ins");

function choose(value: string): Plugins {
  if (value === "genuine" || value === "stand-ins") return value;
  throw new Error(`PROVIDER_PLUGINS is ${JSON.stringify(value)}, but must be genuine or stand-ins`);
}

/** Environment variables with which `pulumi` finds these plugins. */
export function pluginEnvironment(plugins: Plugins = chosenPlugins): Record<string, string> {
  if (plugins === "genuine") return {};
  return {
    PATH: `${resolve(__dirname, "plugins/bin")}${delimiter}${process.env.PATH}`,
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
}

/** The server from which Pulumi downloads these plugins. */
const releases = "https://api.github.com/";

/** Whether the genuine plugins are installed, on PATH, or can be downloaded. */
export async function hasGenuinePlugins(): Promise<boolean> {
  const home = process.env.PULUMI_HOME || join(homedir(), ".pulumi");
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const isInstalled = [commandPlugin, grafanaPlugin].every(
    ({ name, version }) =>
      existsSync(join(home, "plugins", `resource-${name}-v${version}`)) ||
      folders.some((folder) => existsSync(join(folder, `pulumi-resource-${name}`))),
  );
  if (isInstalled) return true;
  // The demo says what it uses instead.
  return exchange(releases, { method: "HEAD", signal: AbortSignal.timeout(5_000) }, () => true).catch(() => false);
}
