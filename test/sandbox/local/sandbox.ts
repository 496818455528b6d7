/** The sandbox of a local run or of the demo: the stand-ins at the addresses of the stack's config. It ends with this process. */
import { once } from "node:events";
import type { Server } from "node:http";
import { join } from "node:path";
import { createBackends } from "../backends";
import { createGateway, type Target } from "../gateway";
import { createGrafana } from "../grafana/server";
import { createService } from "../service";

/** The addresses of the stand-ins, and the accepted credentials. */
export type SandboxAddresses = ReturnType<typeof sandboxAddresses>;

/** What differs in the demo. */
export interface DemoParts {
  /** The real servers, in place of the stand-ins at `backendsUrl`. */
  targets: Target[];
  /** Folder of the built page. Undefined: a genuine Grafana runs at `grafanaUrl`. */
  viewFolder: string | undefined;
}

/**
 * The addresses and credentials of the stack's config, which the sandbox uses.
 *
 * @throws Error if an address is not one of this machine
 */
export function sandboxAddresses(settings: Record<string, string>) {
  const { serviceUrl = "", grafanaUrl = "", prometheusUrl = "", ...others } = settings;
  for (const [key, address] of Object.entries({ serviceUrl, grafanaUrl, prometheusUrl })) {
    if (!/^http:\/\/(127\.0\.0\.1|localhost):\d+(\/|$)/.test(address)) {
      throw new Error(`The setting ${key} must be http://127.0.0.1 with a port, where the sandbox listens. Fix it in Pulumi.local.yaml.`);
    }
  }
  const { serviceApiKey = "", grafanaAuth = "", otlpInstanceId = "", otlpToken = "" } = others;
  /** The address of Prometheus, Loki, Tempo and the OTLP endpoint. */
  const backendsUrl = new URL(prometheusUrl).origin;
  return { serviceUrl, serviceApiKey, grafanaUrl, grafanaAuth, backendsUrl, otlpInstanceId, otlpToken };
}

/**
 * Starts the sandbox and waits until it listens.
 *
 * @param folder of Grafana's state
 * @param log called with a line for each request to the service
 * @returns the function that stops it
 * @throws Error if an address is in use
 */
export async function startSandbox(folder: string, addresses: SandboxAddresses, log: (line: string) => void, demo?: DemoParts) {
  const { serviceApiKey: apiKey, grafanaAuth: token, otlpInstanceId: user, otlpToken } = addresses;
  const otlp = { user, accepts: (password: string) => password === otlpToken };
  const page = demo?.viewFolder === undefined ? {} : { viewFolder: demo.viewFolder, anonymous: "Viewer" as const };
  const servers: Partial<Record<"serviceUrl" | "grafanaUrl" | "backendsUrl", Server>> = {
    serviceUrl: createService(apiKey, log),
    backendsUrl: demo ? createGateway(demo.targets) : createBackends({ metrics: [], otlp }),
    ...((!demo || demo.viewFolder) && { grafanaUrl: createGrafana({ token, stateFile: join(folder, "grafana.json"), ...page }) }),
  };
  const stop = () => {
    for (const server of Object.values(servers)) {
      server.close();
      server.closeAllConnections();
    }
  };
  try {
    for (const [setting, server] of Object.entries(servers) as [keyof typeof servers, Server][]) await listen(server, setting, addresses);
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}

async function listen(server: Server, setting: "serviceUrl" | "grafanaUrl" | "backendsUrl", addresses: SandboxAddresses): Promise<void> {
  const { hostname, port, origin } = new URL(addresses[setting]);
  await once(server.listen(Number(port), hostname), "listening").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    const keys = setting === "backendsUrl" ? "prometheusUrl, lokiUrl, tempoUrl and otlpEndpoint" : setting;
    throw new Error(`${origin} is in use by another program. Stop that program, or set another port in Pulumi.local.yaml: ${keys}.`);
  });
}
