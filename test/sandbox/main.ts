/**
 * Starts the sandbox as a process: the stand-ins for a local run. Sends a message to its parent when all of them listen.
 *
 * Arguments: --state, the folder of the state; --alive, a file whose deletion stops the sandbox, which also ends with its parent. The
 * variable SANDBOX contains the addresses and secrets as JSON: see `SandboxAddresses`.
 */
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createBackends } from "./backends";
import { createGateway, type Target } from "./gateway";
import { createGrafana } from "./grafana/server";
import { createService } from "./service";

/** The addresses of the stand-ins, and the accepted credentials. */
export interface SandboxAddresses {
  serviceUrl: string;
  serviceApiKey: string;
  grafanaUrl: string;
  grafanaAuth: string;
  /** The address of Prometheus, Loki, Tempo and the OTLP endpoint. */
  backendsUrl: string;
  otlpInstanceId: string;
  otlpToken: string;
  /** Only in the demo. */
  demo?: {
    /** The real servers, in place of the stand-ins at `backendsUrl`. */
    targets: Target[];
    /** Folder of the built page. Undefined: a genuine Grafana runs at `grafanaUrl`. */
    viewFolder?: string;
  };
}

const text = { type: "string" } as const;
const { state, alive } = parseArgs({ options: { state: text, alive: text } }).values;
if (!state || !alive || !process.env.SANDBOX) throw new Error("sandbox: --state, --alive and the variable SANDBOX are required");
const sandbox = JSON.parse(process.env.SANDBOX) as SandboxAddresses;

/** Names of the series in Prometheus. Initially none. Edit the file to see the effect on the checks. */
const metrics = join(state, "metrics.json");
if (!existsSync(metrics)) writeFileSync(metrics, "[]\n");

function listen(server: Server, address: string): Promise<unknown> {
  const { hostname, port } = new URL(address);
  return once(server.listen(Number(port), hostname), "listening");
}

const { demo } = sandbox;
const grafana = { token: sandbox.grafanaAuth, stateFile: join(state, "grafana.json") };
const otlp = { user: sandbox.otlpInstanceId, accepts: (password: string) => password === sandbox.otlpToken };

void Promise.all([
  listen(createService({ apiKey: sandbox.serviceApiKey, stateFile: join(state, "service.json") }), sandbox.serviceUrl),
  listen(demo ? createGateway(demo.targets) : createBackends({ metrics: { file: metrics }, otlp }), sandbox.backendsUrl),
  ...(demo && !demo.viewFolder
    ? []
    : [
        listen(
          createGrafana({ ...grafana, ...(demo?.viewFolder ? { viewFolder: demo.viewFolder, anonymous: "Viewer" } : {}) }),
          sandbox.grafanaUrl,
        ),
      ]),
]).then(() => process.send?.("ready"));

process.once("disconnect", () => process.exit(0));
setInterval(() => {
  if (!existsSync(alive)) process.exit(0);
}, 250);
