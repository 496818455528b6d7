/** The provider plugins of a stack: the stand-ins, or the genuine ones, which Pulumi installs on first use. The variable `PROVIDER_PLUGINS` decides. */
import { delimiter, resolve } from "node:path";

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
