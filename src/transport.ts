/**
 * How requests leave this machine: through the proxy of the environment, as those of the Pulumi CLI and its plugins do, and never to a server
 * whose certificate does not hold, whatever the environment says.
 *
 * Also part of the dynamic provider's code (see `connection/exchange.ts`): the library is required where it is used.
 */
import type { RequestInit, Response } from "undici";

export interface Transport {
  /** Like the global one. */
  fetch(address: string, init: RequestInit): Promise<Response>;
  /** Ends all connections, with the bodies that nobody read: they would keep the process. */
  close(): Promise<void>;
}

/**
 * Opens a way out. It leads through the proxy that HTTPS_PROXY or HTTP_PROXY names, except to what NO_PROXY lists and to this machine itself.
 *
 * @param caCert the CA certificate, in PEM form, that signed the server's own; without it the public ones hold, and those of NODE_EXTRA_CA_CERTS
 * @throws Error where the environment's proxy is no address
 */
export function openTransport(caCert?: string): Transport {
  const { EnvHttpProxyAgent, fetch } = require("undici") as typeof import("undici");
  const server = { rejectUnauthorized: true, ...(caCert && { ca: caCert }) };
  const except = process.env.no_proxy ?? process.env.NO_PROXY ?? "";
  const dispatcher = new EnvHttpProxyAgent({
    connect: server,
    requestTls: server,
    proxyTls: { rejectUnauthorized: true },
    httpProxy: proxyOf("HTTP_PROXY"),
    httpsProxy: proxyOf("HTTPS_PROXY"),
    noProxy: except.trim() === "*" ? "*" : `${except},localhost,127.0.0.1,[::1]`,
  });
  return {
    fetch: (address, init) => fetch(address, { ...init, dispatcher }),
    close: () => dispatcher.destroy(),
  };
}

/** Opens a way out for `use`, and closes it afterwards. @throws also what `use` throws */
export async function withTransport<T>(caCert: string | undefined, use: (transport: Transport) => Promise<T>): Promise<T> {
  const transport = openTransport(caCert);
  try {
    return await use(transport);
  } finally {
    await transport.close();
  }
}

/** The proxy that a variable names, in capitals or not; "" for none. Its value is not shown: it may hold a password. */
function proxyOf(variable: string): string {
  const value = process.env[variable.toLowerCase()] || process.env[variable] || "";
  const address = !value || value.includes("://") ? value : `http://${value}`;
  if (address && !(URL.canParse(address) && /^(https?|socks5):\/\/[^/]/.test(address)))
    throw new Error(`${variable} is not the address of a proxy`);
  return address;
}

/** Whether a request ended by its own time limit. */
export const isTimeout = (error: unknown) => (error as Error).name === "TimeoutError";

/** What Node tells of a failed request. */
export interface Cause extends Error {
  code?: string;
  address?: string;
  hostname?: string;
  port?: number;
}

/** The reason behind the reasons: fetch wraps it in `cause`, a refused tunnel twice; those of several addresses stand in `errors`. */
export function innermost(error: unknown): Cause {
  const { cause, errors } = error as { cause?: unknown; errors?: unknown[] };
  const inner = cause ?? errors?.[0];
  return inner === undefined || inner === null ? (error as Cause) : innermost(inner);
}

/** Why a request got no answer: the code of the system's error, or the words for it. */
export function reasonOf(error: unknown): string {
  const { message, code } = innermost(error);
  return code && !code.startsWith("UND_ERR") ? code : message;
}
