/**
 * How requests leave this machine: through the proxy of the environment, chosen as the Pulumi CLI and its plugins choose it, and never to a server
 * whose certificate does not hold, whatever the environment says.
 *
 * Also part of the dynamic provider's code (see `connection/exchange.ts`): the library is required where it is used.
 */
import type { RequestInit, Response } from "undici";
import { environmentVariable, isExcepted, proxyFromEnvironment } from "./proxy";

export interface Transport {
  /** Like the global one. */
  fetch(address: string, init: RequestInit): Promise<Response>;
  /** Ends all connections, with the bodies that nobody read: they would keep the process. */
  close(): Promise<void>;
}

/**
 * Opens a way out. It leads through the proxy that HTTPS_PROXY names for https addresses and HTTP_PROXY for http ones, except to what NO_PROXY
 * lists and to this machine itself. Unlike Go's programs, a proxy is asked for a tunnel to http addresses, too.
 *
 * @param caCert the CA certificate, in PEM form, that signed the server's own; without it the public ones hold, and those of NODE_EXTRA_CA_CERTS
 * @throws Error where the environment's proxy is no address
 */
export function openTransport(caCert?: string): Transport {
  const { Agent, ProxyAgent, fetch } = require("undici") as typeof import("undici");
  const server = { rejectUnauthorized: true, ...(caCert && { ca: caCert }) };
  const direct = new Agent({ connect: server });
  const through = (proxy: string) =>
    proxy ? new ProxyAgent({ uri: proxy, requestTls: server, proxyTls: { rejectUnauthorized: true } }) : direct;
  const [forHttp, forHttps] = [through(proxyFromEnvironment("HTTP_PROXY")), through(proxyFromEnvironment("HTTPS_PROXY"))];
  const exceptions = environmentVariable("NO_PROXY");
  const wayTo = (address: URL) => {
    if (isExcepted(address, exceptions)) return direct;
    return address.protocol === "https:" ? forHttps : forHttp;
  };
  // Chosen for each request: a redirection may lead elsewhere.
  const dispatcher = direct.compose(() => (options, handler) => wayTo(new URL(String(options.origin))).dispatch(options, handler));
  return {
    fetch: (address, init) => fetch(address, { ...init, dispatcher }),
    close: async () => {
      await Promise.all([...new Set([direct, forHttp, forHttps])].map((agent) => agent.destroy()));
    },
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

/**
 * The text of a body; undefined where it has more than `limit` characters, of which the rest is not read.
 *
 * @throws what breaks the connection, or the request's time limit
 */
export async function readText({ body }: Pick<Response, "body">, limit: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  // Leaving the loop ends the connection.
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > limit) return undefined;
  }
  return text + decoder.decode();
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
export function rootCause(error: unknown): Cause {
  const { cause, errors } = error as { cause?: unknown; errors?: unknown[] };
  const inner = cause ?? errors?.[0];
  return inner === undefined || inner === null ? (error as Cause) : rootCause(inner);
}

/** Why a request got no answer: the code of the system's error, or the words for it. */
export function reasonOf(error: unknown): string {
  const { message, code } = rootCause(error);
  return code && !code.startsWith("UND_ERR") ? code : message;
}
