/** `npm run local`: the program on this machine, without accounts. */
import "../../support/dev-packages";
import { mkdirSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { readOptions } from "../../../src/cli/options";
import { ensure } from "../../support/toolchain/install";
import { pulumiTool } from "../../support/toolchain/pulumi";
import { readGrafanaState } from "../grafana/state";
import { chosenPlugins, pluginEnvironment } from "../plugin-environment";
import { LocalPulumi } from "./pulumi";
import { sandboxAddresses, startSandbox } from "./sandbox";
import { section } from "./section";

const usage = `Usage: npm run local [-- --destroy]

Starts stand-ins for Grafana and the service, runs "pulumi up" on the stack local, and prints a summary of the result. The first run installs the
Pulumi CLI, which takes 4 minutes where it must be built; later ones take seconds.

  --destroy        destroy the stack and delete the state of the stand-ins

Exit codes: 0 done, 1 failed.`;

const root = resolve(__dirname, "../../..");
const folder = join(root, ".local");

async function main(): Promise<void> {
  const { values: options } = readOptions(usage, { destroy: { type: "boolean" } });
  process.chdir(root);
  await ensure(pulumiTool());
  mkdirSync(folder, { recursive: true });
  console.log(
    `local: Grafana and the service are stand-ins; the provider plugins are ${chosenPlugins === "genuine" ? "the genuine ones" : "stand-ins, too"}`,
  );
  const pulumi = new LocalPulumi(root, folder, pluginEnvironment());
  if (options.destroy) return destroy(pulumi);

  if (!(await pulumi.exists())) await pulumi.show("stack", "init", "--no-select");
  await withSandbox(pulumi, () => pulumi.up());
  await summarize(pulumi);
}

/** The requests to the service. */
const received: string[] = [];

async function withSandbox(pulumi: LocalPulumi, work: () => Promise<void>): Promise<void> {
  const stop = await startSandbox(folder, sandboxAddresses(await pulumi.settings()), (line) => received.push(line));
  await work().finally(stop);
}

async function destroy(pulumi: LocalPulumi): Promise<void> {
  if (await pulumi.exists()) {
    await pulumi.read("state", "unprotect", "--all", "--yes"); // After a trial of the setting protect.
    await withSandbox(pulumi, () => pulumi.show("destroy", "--yes"));
    await pulumi.show("stack", "rm", "--yes", "--preserve-config");
  }
  // The state of the stand-ins is in it.
  rmSync(folder, { recursive: true, force: true });
  console.log(`\nThe local run is removed: ${relative(root, folder)}/ is deleted.`);
}

/** What Pulumi's own output does not say. */
async function summarize(pulumi: LocalPulumi): Promise<void> {
  section("Resources in Grafana", grafanaContents());
  section("Checks", (await checksTable(pulumi)).split("\n"));
  section("Requests to the service in this run", received.length > 0 ? received : ["none"]);
  section("Next steps", [
    ["npm run local", "runs again and changes nothing"],
    ["npm run demo", "opens the dashboards in a browser, with telemetry on real servers: these stand-ins end with this command"],
    ["npm run local -- --destroy", "destroys the stack and deletes the state of the stand-ins"],
  ]);
  section("Using the stack with the Pulumi CLI", [pulumi.exports(), "npx pulumi stack output otlpDotenv --show-secrets --stack local"]);
}

/** The output of the last checks, from the state. The stack output `checks` has only the summary. */
async function checksTable(pulumi: LocalPulumi): Promise<string> {
  const { deployment } = JSON.parse(await pulumi.read("stack", "export"));
  const checks = deployment.resources.find(({ type }: { type: string }) => type === "command:local:Command");
  return String(checks?.outputs?.stdout ?? "not run yet");
}

/** The resources in the state of the stand-in. */
function grafanaContents(): [string, string][] {
  const { datasources, folders, dashboards, rules } = readGrafanaState(join(folder, "grafana.json"));
  return [
    ...datasources.map(({ uid, type, url }): [string, string] => [`datasource ${uid}`, `${type} at ${url}`]),
    ...folders.map(({ uid, title }): [string, string] => [`folder ${uid}`, title]),
    ...dashboards.map(({ uid, versions }): [string, string] => [`dashboard ${uid}`, versions.at(-1)?.title ?? ""]),
    ...(rules.length > 0 ? [["rules", String(rules.length)] as [string, string]] : []),
  ];
}

// The run goes on if nobody reads its output any more.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
main().catch((error: unknown) => {
  console.error(`\n${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
});
