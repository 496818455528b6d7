/**
 * `npm run local`: the main job on this machine alone. Starts the sandbox, runs `pulumi up` on the stack `local` and says what now exists.
 *
 *   -- --keep      leaves the sandbox up
 *   -- --destroy   takes everything down
 */
import { mkdirSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readServiceState } from "../../test/sandbox/service";
import type { OtlpEnvironment } from "../otlp";
import { LocalPulumi, stack } from "./local/pulumi";
import { startSandbox, stopSandbox } from "./local/sandbox";
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
  const pulumi = new LocalPulumi(root, folder);
  if (options.destroy) return destroy(pulumi);

  if (!(await pulumi.exists())) await pulumi.show("stack", "init", "--no-select");
  const sandbox = await sandboxSettings(pulumi);
  await startSandbox({ folder, ...sandbox, keep: options.keep === true });
  const began = new Date().toISOString();
  await pulumi.show("up", "--yes");
  await summarize(pulumi, began, options.keep ? sandbox.serviceUrl : undefined);
}

async function destroy(pulumi: LocalPulumi): Promise<void> {
  if (await pulumi.exists()) {
    await startSandbox({ folder, ...(await sandboxSettings(pulumi)), keep: false });
    await pulumi.show("destroy", "--yes");
    await pulumi.show("stack", "rm", "--yes", "--preserve-config");
  }
  stopSandbox(folder);
  rmSync(folder, { recursive: true, force: true });
  console.log(`\nNothing is left of the local run: the sandbox is down and ${relative(root, folder)}/ is gone.`);
}

/** What the sandbox must know of the stack's config, so that it answers at the address and accepts the key that stand there. */
async function sandboxSettings(pulumi: LocalPulumi): Promise<{ serviceUrl: string; serviceApiKey: string }> {
  const { serviceUrl = "", serviceApiKey = "" } = await pulumi.settings();
  if (!/^http:\/\/(127\.0\.0\.1|localhost):\d+\/?$/.test(serviceUrl)) {
    throw new Error(
      "The local stack's serviceUrl must be http://127.0.0.1 with a port: the sandbox listens there. Mend Pulumi.local.yaml.",
    );
  }
  return { serviceUrl, serviceApiKey };
}

/** @param keptUrl the sandbox's address, where it stays up */
async function summarize(pulumi: LocalPulumi, began: string, keptUrl: string | undefined): Promise<void> {
  const outputs = await pulumi.json<{
    otlp: OtlpEnvironment;
    otlpTokenScopes: string[];
    connection: { service: string; registeredAt: string };
  }>("stack", "output", "--stack", stack);
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
    ["connection", `registered at ${outputs.connection.service} since ${outputs.connection.registeredAt}`],
    ["OTLP push", `3 environment variables (secret), for a token with ${outputs.otlpTokenScopes.join(" and ")}`],
  ]);
  section("What the service received in this run", received.length > 0 ? received : ["nothing"]);
  section("What the service holds", Object.entries(held ?? {}));
  section("What to run next", [
    ["npm run local", "again: nothing changes"],
    ["npm run local -- --destroy", "takes everything down"],
  ]);
  section("The same stack by hand", [pulumi.exports(), "npx pulumi stack output otlpDotenv --show-secrets --stack local"]);
  console.log(keptUrl ? `\nThe sandbox stays up at ${keptUrl}; its log is ${relative(root, folder)}/sandbox.log.` : "");
}

/** The engine's own count of operations, as a sentence. */
function describeChanges(changes: Record<string, number>): string {
  const { same = 0, ...others } = changes;
  const done = Object.entries(others).map(([operation, count]) => `${count} ${operation}d`); // create, update, replace, delete
  return done.length > 0
    ? `${[...done, `${same} unchanged`].join(", ")}`
    : `nothing changed: ${same} of ${same} resources are as they were`;
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
