/** The demo, which `main.ts` starts. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { ensure } from "../../support/toolchain/install";
import { during } from "../../support/toolchain/progress";
import { pulumiTool } from "../../support/toolchain/pulumi";
import { startServers } from "../../truth/servers";
import { buildView } from "../../view/build";
import { LocalPulumi, stack } from "../local/pulumi";
import { sandboxAddresses, startSandbox } from "../local/sandbox";
import { section } from "../local/section";
import { pluginEnvironment } from "../plugin-environment";
import { findGrafana, startGrafana } from "./grafana";
import { ahead, createTelemetry, gateways, interval, type Telemetry, targetsOf } from "./telemetry";

const root = resolve(__dirname, "../../..");

const phase = <T>(name: string, work: () => Promise<T>) => during(name, work, (line) => console.log(`demo: ${line}`));

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
  // The stack's state and the sandbox's.
  const folder = mkdtempSync(join(tmpdir(), "llm-observability-demo-"));
  stops.push(() => rmSync(folder, { recursive: true }));
  await phase("Pulumi CLI", () => ensure(pulumiTool()));
  const genuine = await findGrafana();

  const configFile = join(folder, `Pulumi.${stack}.yaml`);
  const config = readFileSync(join(root, `Pulumi.${stack}.yaml`), "utf8");
  // With costs by the prices of models: Prometheus evaluates the rules.
  const recorded = config.replace(
    /^config:$/m,
    `$&\n  llm-observability:recordingRules: external\n  llm-observability:gateways: ${gateways.names}`,
  );
  const ports = process.env.DEMO_PORTS?.split(",") ?? [];
  writeFileSync(
    configFile,
    recorded.replace(/(?<=:)1448(\d)/g, (port, index) => ports[index] ?? port),
  );
  const pulumi = new LocalPulumi(root, folder, pluginEnvironment(genuine ? "genuine" : "stand-ins"), configFile);
  const adminPassword = randomBytes(16).toString("hex");
  const [viewFolder, servers, settings] = await Promise.all([
    genuine ? undefined : phase("page for the browser", () => buildView()),
    phase("Prometheus, Loki and Tempo", startServers).then((servers) => {
      stops.push(servers.stop);
      return servers;
    }),
    phase("Pulumi stack", async () => {
      await pulumi.read("stack", "init", "--no-select");
      // The token of the settings exists only in the stand-in.
      if (genuine) await pulumi.setSecret("grafanaAuth", `admin:${adminPassword}`);
      return pulumi.settings();
    }),
  ]);
  const now = Date.now();
  const telemetry = createTelemetry(servers, now);
  const addresses = sandboxAddresses(settings);
  const demo = { targets: targetsOf(servers, addresses, settings), viewFolder };
  await Promise.all([
    phase("telemetry of the last day", () => telemetry.push().then(telemetry.untilFound)),
    // First the sandbox, which reports a port that is in use.
    phase("sandbox", () => startSandbox(folder, addresses, () => undefined, demo)).then(async (stop) => {
      stops.push(stop);
      if (!genuine) return;
      const grafana = await phase("Grafana", () => startGrafana(genuine, addresses.grafanaUrl, adminPassword));
      stops.push(() => grafana.stop());
    }),
  ]);
  const deploy = async () => {
    const recording = phase("recorded counters and costs of the last day", telemetry.record);
    stops.push(() => recording.catch(() => undefined));
    // The made-up calls follow from these times, so that a test knows what the dashboards must show.
    writeFileSync(join(folder, "telemetry.json"), JSON.stringify({ now, recorded: await recording }));
    const deployment = pulumi.up("--skip-preview");
    // The engine ends before its servers.
    stops.push(() => deployment.catch(() => undefined));
    await deployment;
    const { links } = await pulumi.json<{ links: Record<string, string> }>("stack", "output");
    section("The dashboards are open at", [
      ["LLM Monitoring", links.llmMonitoring ?? ""],
      ["GenAI Observability", links.genaiObservability ?? ""],
      ["GenAI Observability (OpenTelemetry)", links.genaiObservabilityOtel ?? ""],
      ["folder", links.folder ?? ""],
    ]);
    const every = Math.max(1, Math.round(telemetry.secondsBetween));
    console.log(
      `\nReady after ${Math.round((Date.now() - began) / 1000)} s. Telemetry goes on: ${telemetry.requests.toLocaleString("en")} requests of the last day, ` +
        `then one every ${every} seconds. Ctrl-C stops everything.`,
    );
  };
  // Rules record each minute once: its telemetry must be there.
  await Promise.all([deploy(), goOn(telemetry, began)]);
  return new Promise(() => undefined);
}

/** Pushes telemetry until the made-up calls end. */
async function goOn(telemetry: Telemetry, began: number): Promise<void> {
  for (const end = began + ahead * 3_600_000; Date.now() < end; await setTimeout(interval)) await telemetry.push();
  console.log(
    `\nThe made-up telemetry ends after ${ahead} hours; the dashboards stay open. For more, stop with Ctrl-C and run npm run demo again.`,
  );
}

main().catch((error: unknown) => {
  console.error(`\n${error instanceof Error ? error.message : error}`);
  process.exit(1);
});
