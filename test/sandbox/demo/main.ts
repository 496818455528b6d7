/**
 * `npm run demo`: deploys both dashboards to this machine, with a day of telemetry on real Prometheus, Loki and Tempo, and lets a browser open them.
 * Telemetry goes on until Ctrl-C, which stops everything and deletes the data.
 */
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { CommandError } from "../../../src/cli/run";
import { ensure } from "../../../src/cli/toolchain/install";
import { pulumiTool } from "../../../src/cli/toolchain/tools";
import { startServers } from "../../real-servers/servers";
import { sandboxAddresses } from "../local/addresses";
import { LocalPulumi, stack } from "../local/pulumi";
import { startSandbox, stopSandbox } from "../local/sandbox";
import { section } from "../local/section";
import { pluginEnvironment } from "../plugin-environment";
import { claimFolder } from "./folder";
import { installPackages } from "./packages";
import { phase } from "./phase";

const root = resolve(__dirname, "../../..");

/** Actions that take the demo down, the last one first. */
const stops: (() => unknown)[] = [];

async function main(): Promise<void> {
  process.chdir(root);
  const interrupted = new Promise<"interrupted">((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => resolve("interrupted"));
  });
  try {
    if ((await Promise.race([demo(), interrupted])) === "interrupted") console.log("\ndemo: stopping …");
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
  // A phase that the signal has interrupted may still wait for something.
  process.exit();
}

async function demo(): Promise<never> {
  const began = Date.now();
  const { folder, release } = await claimFolder(root);
  stops.push(release);
  await phase("Pulumi CLI", () => ensure(pulumiTool()));
  await phase("packages of test/real-servers", () => installPackages(join(root, "test/real-servers")));
  // Both require packages that were not installed before.
  const { createTelemetry, interval, targetsOf } = require("./telemetry") as typeof import("./telemetry");
  const { buildView } = require(join(root, "src/view/build")) as { buildView(): Promise<string> };

  const pulumi = new LocalPulumi(root, folder, await pluginEnvironment());
  const [viewFolder, servers, settings] = await Promise.all([
    phase("page for the browser", buildView),
    phase("Prometheus, Loki and Tempo", startServers).then((servers) => {
      stops.push(servers.stop);
      return servers;
    }),
    phase("Pulumi stack", () => pulumi.init().then(() => pulumi.settings())),
  ]);
  const { service = "", sdkName = "openlit" } = settings;
  const telemetry = createTelemetry({ service, sdkName }, servers);
  const addresses = sandboxAddresses(settings);
  stops.push(() => stopSandbox(folder));
  await Promise.all([
    phase("telemetry of the last day", telemetry.push),
    phase("sandbox", () =>
      startSandbox({
        folder,
        addresses: { ...addresses, demo: { targets: targetsOf(servers, addresses, settings), viewFolder } },
        keep: false,
      }),
    ),
  ]);
  const deployment = pulumi.up("--skip-preview");
  // The engine ends before its servers.
  stops.push(() => deployment.catch(() => undefined));
  await deployment;

  const { links } = await pulumi.json<{ links: Record<string, string> }>("stack", "output", "--stack", stack);
  section("The dashboards are open at", [
    ["LLM Monitoring", links.llmMonitoring ?? ""],
    ["GenAI Observability", links.genaiObservability ?? ""],
    ["folder", links.folder ?? ""],
  ]);
  const every = Math.max(1, Math.round(telemetry.secondsBetween));
  console.log(
    `\nReady after ${Math.round((Date.now() - began) / 1000)} s. Telemetry goes on: ${telemetry.requests.toLocaleString("en")} requests of the last day, ` +
      `then one every ${every} seconds. Ctrl-C stops everything.`,
  );
  for (;;) {
    await setTimeout(interval);
    await telemetry.push();
  }
}

main().catch((error: unknown) => {
  // A command with inherited output has printed its error.
  const shown = error instanceof CommandError && error.output === "";
  console.error(`\n${shown ? `demo: ${error.message}` : error instanceof Error ? error.message : error}`);
  process.exit(1);
});
