/** Sets up the faults of the service: servers, names, certificates and proxies on one machine. */
import type { Certificate, Wanted } from "../../support/certificate";
import { startProxy } from "../../support/proxy";
import { answer, type RawServer, type RawServerOptions, type Script, startRawServer } from "../../support/raw-server";
import { quietPort } from "../ports";

/** The servers of all faults. `close` stops them. */
export class World {
  private readonly running: { close(): Promise<void> }[] = [];

  /** @param authority the CA of the service */
  constructor(readonly authority: { cert: string; issue: (wanted?: Wanted) => Certificate }) {}

  async serve(script: Script, options?: RawServerOptions): Promise<RawServer> {
    const server = await startRawServer(script, options);
    this.running.push(server);
    return server;
  }

  /** Starts a proxy whose tunnels all lead to `server`, or that refuses them, and returns its address. */
  async proxy({ port }: RawServer, refusal?: number): Promise<string> {
    const proxy = await startProxy(port, refusal);
    this.running.push(proxy);
    return proxy.url;
  }

  async close(): Promise<void> {
    await Promise.all(this.running.map((server) => server.close()));
  }
}

/** The address of the service, and additional environment variables of the client process. */
export interface Place {
  url: string;
  environment?: NodeJS.ProcessEnv;
}

/** A service with a fault. */
export interface Arranged extends Place {
  /** The servers that may receive requests. */
  servers: RawServer[];
  /** The servers that must receive none. */
  bystanders?: RawServer[];
  /** Special inputs of the connection. */
  inputs?: Record<string, string>;
  /** Runs when the next attempt is announced. */
  meanwhile?: () => Promise<void>;
  /** Removes the fault. */
  repair: () => Promise<Place>;
}

export type Arrange = (world: World) => Promise<Arranged>;

export const ok = answer(200);

/** A server that plays these actions and repeats the last one. */
export function plays(...script: Script): Arrange {
  return async (world) => repairable(await world.serve(script));
}

/** A server that resets the connection during the request, which is longer than one read. */
export const resetMidway: Arrange = async (world) => ({
  ...(await plays("reset midway")(world)),
  inputs: { metricsUsername: "9".repeat(300_000) },
});

/** A server whose response names another server, which would return 200. */
export function playsBeside(script: (other: RawServer) => Script): Arrange {
  return async (world) => {
    const other = await world.serve([ok]);
    return { ...repairable(await world.serve(script(other))), bystanders: [other] };
  };
}

/** A closed port. A server listens on it as soon as the next attempt is announced, or the fault is removed. */
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

/** A unique name whose lookup fails with `code`, see `names.cjs`. */
export function unresolved(code: "ENOTFOUND" | "EAI_AGAIN"): Arrange {
  return async (world) => {
    const server = await world.serve([ok]);
    const url = `http://n${++names}.${code.toLowerCase().replace("_", "-")}.test`;
    return { url, servers: [server], repair: async () => ({ url: server.url }) };
  };
}

/** A TLS server with this certificate; after the repair, a server with a trusted one. */
export function shows(certificate: (world: World) => Certificate): Arrange {
  return async (world) => {
    const server = await world.serve([ok], { tls: certificate(world) });
    const good = await world.serve([ok], { tls: world.authority.issue() });
    const inputs = { serviceCaCert: world.authority.cert };
    return { url: server.url, servers: [server, good], inputs, repair: async () => ({ url: good.url }) };
  };
}

/** A server whose address has the wrong scheme. */
export function wrongScheme(scheme: "http" | "https"): Arrange {
  return async (world) => {
    const server = await world.serve([ok], scheme === "http" ? { tls: world.authority.issue() } : {});
    const inputs = { serviceCaCert: world.authority.cert };
    return { url: server.url.replace(/^https?/, scheme), servers: [server], inputs, repair: async () => ({ url: server.url }) };
  };
}

/** A service behind a proxy, which may refuse tunnels with the status `refusal`, or the connection. After the repair, the client uses no proxy. */
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
