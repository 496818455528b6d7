/** Sets up the faults of the service: servers, names, certificates and proxies on one machine. */
import { type Certificate, createAuthority } from "../../support/certificate";
import { startProxy } from "../../support/proxy";
import { answer, type RawServer, type RawServerOptions, type Script, startRawServer } from "../../support/raw-server";
import { quietPort } from "../ports";

/** The servers of all faults. `close` stops them. */
export class World {
  readonly authority = createAuthority();
  /** The variables of the client's process. The machine that runs the tests may have a proxy. */
  readonly environment: NodeJS.ProcessEnv = Object.fromEntries(
    ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]).map((name) => [name, undefined]),
  );
  private readonly running: { close(): Promise<void> }[] = [];

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

/** A service with a fault. */
export interface Arranged {
  url: string;
  /** The servers that may receive requests. */
  servers: RawServer[];
  /** The server that must receive none. */
  bystander?: RawServer;
  /** The CA that the client trusts. */
  serviceCaCert?: string;
  /** The proxy that the client asks first. */
  proxy?: string;
  /** Removes the fault, and returns the address of the service without it. */
  repair: () => Promise<string>;
}

export type Arrange = (world: World) => Promise<Arranged>;

export const ok = answer(200);

/** A server that plays these actions and repeats the last one. */
export function plays(...script: Script): Arrange {
  return async (world) => repairable(await world.serve(script));
}

/** A server that redirects to another server, which would return 200. */
export function redirectsElsewhere(redirect: (address: string) => string): Arrange {
  return async (world) => {
    const bystander = await world.serve([ok]);
    return { ...repairable(await world.serve([redirect(bystander.url), ok])), bystander };
  };
}

/** A closed port. A server listens on it as soon as the fault is removed. */
export const refuses: Arrange = async (world) => {
  const port = await quietPort();
  const url = `http://127.0.0.1:${port}`;
  const servers: RawServer[] = [];
  const repair = async () => {
    servers.push(await world.serve([ok], { port }));
    return url;
  };
  return { url, servers, repair };
};

/** A name whose lookup fails with `code`, see `names.cjs`. */
export function unresolved(code: "ENOTFOUND" | "EAI_AGAIN"): Arrange {
  return async (world) => {
    const server = await world.serve([ok]);
    const name = `name.${code.toLowerCase().replace("_", "-")}.test`;
    // A proxy would look up the name.
    world.environment.NO_PROXY = `${world.environment.NO_PROXY ?? ""},${name}`;
    return { url: `http://${name}`, servers: [server], repair: async () => server.url };
  };
}

/** A TLS server with this certificate; after the repair, a server with a trusted one. */
export function shows(certificate: () => Certificate): Arrange {
  return async (world) => {
    const server = await world.serve([ok], { tls: certificate() });
    const good = await world.serve([ok], { tls: world.authority.issue() });
    return { url: server.url, servers: [server, good], serviceCaCert: world.authority.cert, repair: async () => good.url };
  };
}

/** A server whose address has the wrong scheme. */
export function wrongScheme(scheme: "http" | "https"): Arrange {
  return async (world) => {
    const server = await world.serve([ok], scheme === "http" ? { tls: world.authority.issue() } : {});
    const url = server.url.replace(/^https?/, scheme);
    return { url, servers: [server], serviceCaCert: world.authority.cert, repair: async () => server.url };
  };
}

/** A service behind a proxy that refuses tunnels with a status, or the connection. After the repair, it lets the client through. */
export function behindProxy(scheme: "http" | "https", refusal: number | "connection"): Arrange {
  return async (world) => {
    const name = "service.test";
    const server = await world.serve([ok], scheme === "https" ? { tls: world.authority.issue({ names: `DNS:${name}` }) } : {});
    const variable = `${scheme.toUpperCase()}_PROXY`;
    const proxy = refusal === "connection" ? `http://127.0.0.1:${await quietPort()}` : await world.proxy(server, refusal);
    world.environment[variable] = proxy;
    const url = `${scheme}://${name}`;
    const repair = async () => {
      world.environment[variable] = await world.proxy(server);
      return url;
    };
    return { url, servers: [server], proxy, serviceCaCert: world.authority.cert, repair };
  };
}

function repairable(server: RawServer): Arranged {
  const repair = async () => {
    server.follow([ok]);
    return server.url;
  };
  return { url: server.url, servers: [server], repair };
}
