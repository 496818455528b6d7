/**
 * Starts the sandbox as a process of its own: the stand-ins for what a local run needs. Sends its parent a message once all of them listen.
 *
 * Arguments: --state, the folder that keeps what was received; --alive, a file with whose removal the sandbox ends; --keep, to live on when
 * the parent has ended. The variable SANDBOX holds the rest as JSON, since some of it is secret: see `SandboxAddresses`.
 */
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createBackends } from "./backends";
import { createGrafana } from "./grafana/server";
import { createService } from "./service";

/** Where the stand-ins listen, and the credentials that they accept. */
export interface SandboxAddresses {
  serviceUrl: string;
  serviceApiKey: string;
  grafanaUrl: string;
  grafanaAuth: string;
  /** Of Prometheus, Loki, Tempo and the OTLP endpoint, which share it. */
  backendsUrl: string;
  otlpInstanceId: string;
  otlpToken: string;
}

const text = { type: "string" } as const;
const { state, alive, keep } = parseArgs({ options: { state: text, alive: text, keep: { type: "boolean" } } }).values;
if (!state || !alive || !process.env.SANDBOX) throw new Error("sandbox: --state, --alive and the variable SANDBOX are needed");
const sandbox = JSON.parse(process.env.SANDBOX) as SandboxAddresses;

/** Names of series that the Prometheus knows: none at first, as on a fresh platform. Edit the file to see the checks find them. */
const metrics = join(state, "metrics.json");
if (!existsSync(metrics)) writeFileSync(metrics, "[]\n");

function listen(server: Server, address: string): Promise<unknown> {
  const { hostname, port } = new URL(address);
  return once(server.listen(Number(port), hostname), "listening");
}

void Promise.all([
  listen(createService({ apiKey: sandbox.serviceApiKey, stateFile: join(state, "service.json") }), sandbox.serviceUrl),
  listen(createGrafana({ token: sandbox.grafanaAuth, stateFile: join(state, "grafana.json") }), sandbox.grafanaUrl),
  listen(
    createBackends({
      metrics: { file: metrics },
      otlp: { user: sandbox.otlpInstanceId, accepts: (password) => password === sandbox.otlpToken },
    }),
    sandbox.backendsUrl,
  ),
]).then(() => process.send?.("ready"));

if (!keep) process.once("disconnect", () => process.exit(0));
setInterval(() => {
  if (!existsSync(alive)) process.exit(0);
}, 250);
