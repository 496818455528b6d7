/** How a fault of the service is set up: servers, names, certificates and proxies on one machine. */
import type { Certificate, Wanted } from "../../support/certificate";
import { startProxy } from "../../support/proxy";
import { answer, type RawServer, type RawServerOptions, type Script, startRawServer } from "../../support/raw-server";
import { quietPort } from "../ports";

/** What arrangements share. Everything that they start is stopped with it. */
export class World {
  private readonly running: { close(): Promise<void> }[] = [];

  /** @param authority the service's own CA, where it has one */
  constructor(readonly authority: { cert: string; issue: (wanted?: Wanted) => Certificate }) {}

  async serve(script: Script, options?: RawServerOptions): Promise<RawServer> {
    const server = await startRawServer(script, options);
    this.running.push(server);
    return server;
  }

  /** The address of a proxy whose tunnels all lead to `server`, or that refuses them. */
  async proxy({ port }: RawServer, refusal?: number): Promise<string> {
    const proxy = await startProxy(port, refusal);
    this.running.push(proxy);
    return proxy.url;
  }

  async close(): Promise<void> {
    await Promise.all(this.running.map((server) => server.close()));
  }
}

/** Where the service is, and what the process has that asks it, beside its own environment. */
export interface Place {
  url: string;
  environment?: NodeJS.ProcessEnv;
}

/** A service that misbehaves, ready to be asked. */
export interface Arranged extends Place {
  /** Who may read requests. */
  servers: RawServer[];
  /** Who must never be asked. */
  bystanders?: RawServer[];
  /** Of the connection, where that matters. */
  inputs?: Record<string, string>;
  /** What happens when the next attempt is announced. */
  meanwhile?: () => Promise<void>;
  /** Takes the fault away. */
  repair: () => Promise<Place>;
}

export type Arrange = (world: World) => Promise<Arranged>;

export const ok = answer(200);

/** A server that plays these actions, the last one again and again. */
export function plays(...script: Script): Arrange {
  return async (world) => repairable(await world.serve(script));
}

/** A server that ends the request half-way; the request is longer than what is read at once. */
export const resetMidway: Arrange = async (world) => ({
  ...(await plays("reset midway")(world)),
  inputs: { metricsUsername: "9".repeat(300_000) },
});

/** The same, where the answer names another server, which would answer well. */
export function playsBeside(script: (other: RawServer) => Script): Arrange {
  return async (world) => {
    const other = await world.serve([ok]);
    return { ...repairable(await world.serve(script(other))), bystanders: [other] };
  };
}

/** Nobody listens; when the next attempt is announced, or else when the fault is taken away, somebody does. */
export function refuses({ comesUp = false } = {}): Arrange {
  return async (world) => {
    const port = await quietPort();
    const url = `http://127.0.0.1:${port}`;
    const servers: RawServer[] = [];
    const listen = async () => void servers.push(await world.serve([ok], { port }));
    if (comesUp) return { url, servers, meanwhile: listen, repair: async () => ({ url }) };
    return { url, servers, repair: () => listen().then(() => ({ url })) };
  };
}

let names = 0;

/** A name of its own whose lookup fails with `code`, see `names.cjs`. */
export function unresolved(code: "ENOTFOUND" | "EAI_AGAIN"): Arrange {
  return async (world) => {
    const server = await world.serve([ok]);
    const url = `http://n${++names}.${code.toLowerCase().replace("_", "-")}.test`;
    return { url, servers: [server], repair: async () => ({ url: server.url }) };
  };
}

/** A server of TLS, of which the client wants to know who it is; in the end it shows what is trusted. */
export function shows(certificate: (world: World) => Certificate): Arrange {
  return async (world) => {
    const server = await world.serve([ok], { tls: certificate(world) });
    const good = await world.serve([ok], { tls: world.authority.issue() });
    const inputs = { serviceCaCert: world.authority.cert };
    return { url: server.url, servers: [server, good], inputs, repair: async () => ({ url: good.url }) };
  };
}

/** A server whose address begins with the other scheme. */
export function wrongScheme(scheme: "http" | "https"): Arrange {
  return async (world) => {
    const server = await world.serve([ok], scheme === "http" ? { tls: world.authority.issue() } : {});
    const inputs = { serviceCaCert: world.authority.cert };
    return { url: server.url.replace(/^https?/, scheme), servers: [server], inputs, repair: async () => ({ url: server.url }) };
  };
}

/** A service for which there is a proxy, which refuses tunnels with the status `refusal`, or the connection itself; it can be reached without. */
export function behindProxy(scheme: "http" | "https", refusal?: number | "connection"): Arrange {
  return async (world) => {
    const names = "DNS:service.test,IP:127.0.0.1";
    const server = await world.serve([ok], scheme === "https" ? { tls: world.authority.issue({ names }) } : {});
    const proxy = refusal === "connection" ? `http://127.0.0.1:${await quietPort()}` : await world.proxy(server, refusal);
    const arranged = {
      url: `${scheme}://service.test`,
      servers: [server],
      environment: { [`${scheme.toUpperCase()}_PROXY`]: proxy },
      inputs: { serviceCaCert: world.authority.cert },
    };
    return { ...arranged, repair: async () => (refusal ? { url: server.url } : arranged) };
  };
}

function repairable(server: RawServer): Arranged {
  const repair = async () => {
    server.follow([ok]);
    return { url: server.url };
  };
  return { url: server.url, servers: [server], repair };
}
