/**
 * `npm run local`: the main job on this machine alone. Starts the sandbox, runs `pulumi up` on the stack `local` and says what now exists.
 *
 *   -- --keep      leaves the sandbox up
 *   -- --destroy   takes everything down
 */
import { mkdirSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readGrafanaState } from "../../test/sandbox/grafana/state";
import type { SandboxAddresses } from "../../test/sandbox/main";
import { readServiceState } from "../../test/sandbox/service";
import { describeChanges } from "./local/changes";
import { LocalPulumi, stack } from "./local/pulumi";
import { startSandbox, stopSandbox } from "./local/sandbox";
import { pluginEnvironment } from "./plugins";
import { CommandError } from "./run";
import { ensure } from "./toolchain/install";
import { pulumiTool } from "./toolchain/tools";

const root = resolve(__dirname, "../..");
const folder = join(root, ".local");

async function main(): Promise<void> {
  const { values: options } = parseArgs({ options: { keep: { type: "boolean" }, destroy: { type: "boolean" } } });
  process.chdir(root);
  await ensure(pulumiTool());
  mkdirSync(folder, { recursive: true });
  const pulumi = new LocalPulumi(root, folder, await pluginEnvironment());
  if (options.destroy) return destroy(pulumi);

  if (!(await pulumi.exists())) await pulumi.show("stack", "init", "--no-select");
  const addresses = await sandboxAddresses(pulumi);
  await startSandbox({ folder, addresses, keep: options.keep === true });
  const began = new Date().toISOString();
  await pulumi.show("up", "--yes");
  await summarize(pulumi, began, options.keep ? addresses.grafanaUrl : undefined);
}

async function destroy(pulumi: LocalPulumi): Promise<void> {
  if (await pulumi.exists()) {
    await startSandbox({ folder, addresses: await sandboxAddresses(pulumi), keep: false });
    await pulumi.show("destroy", "--yes");
    await pulumi.show("stack", "rm", "--yes", "--preserve-config");
  }
  stopSandbox(folder);
  rmSync(folder, { recursive: true, force: true });
  console.log(`\nNothing is left of the local run: the sandbox is down and ${relative(root, folder)}/ is gone.`);
}

/** The sandbox listens at the addresses of the stack's config, and accepts the credentials that stand there. */
async function sandboxAddresses(pulumi: LocalPulumi): Promise<SandboxAddresses> {
  const { serviceUrl = "", grafanaUrl = "", prometheusUrl = "", ...others } = await pulumi.settings();
  for (const [key, address] of Object.entries({ serviceUrl, grafanaUrl, prometheusUrl })) {
    if (!/^http:\/\/(127\.0\.0\.1|localhost):\d+(\/|$)/.test(address)) {
      throw new Error(`The local stack's ${key} must be http://127.0.0.1 with a port: the sandbox listens there. Mend Pulumi.local.yaml.`);
    }
  }
  const { serviceApiKey = "", grafanaAuth = "", otlpInstanceId = "", otlpToken = "" } = others;
  const backendsUrl = new URL(prometheusUrl).origin;
  return { serviceUrl, serviceApiKey, grafanaUrl, grafanaAuth, backendsUrl, otlpInstanceId, otlpToken };
}

/** The stack's outputs, as far as the summary shows them. */
interface Outputs {
  links: Record<"folder" | "llmMonitoring" | "genaiObservability", string>;
  connection: { service: string; registeredAt: string };
  otlpTokenScopes: string[];
}

/** @param keptUrl the sandbox's address, where it stays up */
async function summarize(pulumi: LocalPulumi, began: string, keptUrl: string | undefined): Promise<void> {
  const { links, connection, otlpTokenScopes } = await pulumi.json<Outputs>("stack", "output", "--stack", stack);
  const [update] = await pulumi.json<{ result: string; resourceChanges: Record<string, number> }[]>(
    "stack",
    "history",
    "--page-size",
    "1",
    "--stack",
    stack,
  );
  const { connection: held, requests } = readServiceState(join(folder, "service.json"));
  const received = requests
    .filter(({ at }) => at >= began)
    .map(({ method, path, status, message }) => `${method} ${path} → ${status} ${message}`);

  section("What the engine did", [describeChanges(update?.resourceChanges ?? {})]);
  section("What exists now", [
    ["folder", links.folder],
    ["LLM Monitoring", links.llmMonitoring],
    ["GenAI Observability", links.genaiObservability],
    ["connection", `registered at ${connection.service} since ${connection.registeredAt}`],
    ["OTLP push", `3 environment variables (secret), for a token with ${otlpTokenScopes.join(" and ")}`],
  ]);
  section("What Grafana holds", grafanaContents());
  section("What the checks said", (await checksTable(pulumi)).split("\n"));
  section("What the service received in this run", received.length > 0 ? received : ["nothing"]);
  section("What the service holds", Object.entries(held ?? {}));
  section("What to run next", [
    ["npm run local", "again: nothing changes"],
    ["npm run local -- --destroy", "takes everything down"],
  ]);
  section("The same stack by hand", [pulumi.exports(), "npx pulumi stack output otlpDotenv --show-secrets --stack local"]);
  console.log(keptUrl ? `\nThe sandbox stays up, its Grafana at ${keptUrl}; its log is ${relative(root, folder)}/sandbox.log.` : "");
}

/** What the checks printed when they last ran. The state keeps it; the output `checks` has only its summary. */
async function checksTable(pulumi: LocalPulumi): Promise<string> {
  const checks = (await pulumi.resources()).find(({ type }) => type === "command:local:Command");
  return String(checks?.outputs?.stdout ?? "they have not run yet");
}

/** The stand-in's own account of what is there. */
function grafanaContents(): [string, string][] {
  const { datasources, folders, dashboards } = readGrafanaState(join(folder, "grafana.json"));
  return [
    ...datasources.map(({ uid, type, url }): [string, string] => [`datasource ${uid}`, `${type} at ${url}`]),
    ...folders.map(({ uid, title }): [string, string] => [`folder ${uid}`, title]),
    ...dashboards.map(({ uid, versions }): [string, string] => [`dashboard ${uid}`, versions.at(-1)?.title ?? ""]),
  ];
}

/** A titled block; pairs are aligned. */
function section(title: string, lines: readonly (string | readonly [string, string])[]): void {
  const width = Math.max(...lines.map((line) => (typeof line === "string" ? 0 : line[0].length)));
  console.log(`\n${title}`);
  for (const line of lines) console.log(`  ${typeof line === "string" ? line : `${line[0].padEnd(width)}  ${line[1]}`}`.trimEnd());
}

main().catch((error: unknown) => {
  // A command that the user watched has said itself what was wrong.
  const shown = error instanceof CommandError && error.output === "";
  console.error(`\n${shown ? `local: ${error.message}` : error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
});
