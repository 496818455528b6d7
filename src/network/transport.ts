/**
 * Sends HTTP requests through the proxy of the environment. It always verifies certificates, whatever the environment sets.
 *
 * Part of the dynamic provider's code (see `connection/exchange.ts`).
 */
import type { RequestInit, Response } from "undici";

export interface Transport {
  /** Like the global `fetch`, but follows redirects only with `redirect: "follow"`. Without a signal, the time limit is `timeLimit`. */
  fetch(address: string, init: RequestInit): Promise<Response>;
  /** Closes all connections. Unread bodies would keep the process running. */
  close(): Promise<unknown>;
}

/** In milliseconds. */
export const timeLimit = 15_000;

/**
 * Opens a transport. https addresses use the proxy in HTTPS_PROXY or else in HTTP_PROXY, http addresses the one in HTTP_PROXY, except for this machine and the
 * names and addresses in NO_PROXY.
 *
 * @param caCert the CA certificate of the server, in PEM format. Defaults to the public CAs and those of NODE_EXTRA_CA_CERTS.
 * @throws Error if a variable does not contain the address of a proxy
 */
export function openTransport(caCert?: string): Transport {
  const { EnvHttpProxyAgent, fetch } = require("undici") as typeof import("undici");
  const server = { rejectUnauthorized: true, ...(caCert && { ca: caCert }) };
  const exceptions = environmentVariable("NO_PROXY");
  const agent = new EnvHttpProxyAgent({
    httpProxy: proxyIn("HTTP_PROXY"),
    httpsProxy: proxyIn("HTTPS_PROXY"),
    noProxy: exceptions === "*" ? exceptions : `${exceptions},localhost,127.0.0.1,[::1]`,
    connect: server,
    requestTls: server,
    proxyTls: { rejectUnauthorized: true },
  });
  const dispatcher = agent.compose((dispatch) => (options, handler) => {
    // A response that ends while it is paused throws an AssertionError that nobody can catch (nodejs/undici#5360; fixed in 8, for later Node.js).
    const receive = handler.onResponseData?.bind(handler);
    handler.onResponseData = (controller, chunk) => {
      receive?.(controller, chunk);
      controller.resume();
    };
    return dispatch(options, handler);
  });
  return {
    fetch: (address, init) => fetch(address, { redirect: "manual", signal: AbortSignal.timeout(timeLimit), ...init, dispatcher }),
    close: () => agent.destroy(),
  };
}

/** A variable in capital or small letters, the first that is not empty, as in Go, in which Pulumi is built; "" if none. */
const environmentVariable = (name: string): string => process.env[name] || process.env[name.toLowerCase()] || "";

/** The proxy in a variable; "" if none. @throws Error without the value, which may contain a password */
function proxyIn(name: string): string {
  const value = environmentVariable(name);
  const address = !value || value.includes("://") ? value : `http://${value}`;
  if (address && !(URL.canParse(address) && /^(https?|socks5):\/\/[^/]/.test(address)))
    throw new Error(`${name} is not a valid proxy address`);
  return address;
}

/** Opens a transport for `use` and closes it afterwards. */
export async function withTransport<T>(caCert: string | undefined, use: (transport: Transport) => Promise<T>): Promise<T> {
  const transport = openTransport(caCert);
  try {
    return await use(transport);
  } finally {
    await transport.close();
  }
}

/**
 * The text of a body. Of a body with more than `limit` characters, the start, which has more than `limit` characters, too.
 *
 * @returns in addition, the error if the connection breaks or the request exceeds its time limit
 */
export async function readText({ body }: Pick<Response, "body">, limit: number): Promise<{ text: string; error?: unknown }> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      // Leaving the loop closes the connection.
      if (text.length > limit) return { text };
    }
    return { text: text + decoder.decode() };
  } catch (error) {
    return { text, error };
  }
}

/** Whether a request exceeded its time limit. */
export const isTimeout = (error: unknown) => (error as Error).name === "TimeoutError";

/** Node's error of a failed request. */
export type Cause = Error & { code?: string; address?: string; hostname?: string; port?: number };

/** The innermost error: fetch wraps it in `cause`, a refused tunnel twice, and the errors of several addresses in `errors`. */
export function rootCause(error: unknown): Cause {
  const { cause, errors } = error as { cause?: unknown; errors?: unknown[] };
  const inner = cause ?? errors?.[0];
  return inner === undefined || inner === null ? (error as Cause) : rootCause(inner);
}

/** The reason for a failed request: the code of the system's error, or its message. */
export function reasonOf(error: unknown): string {
  const { message, code } = rootCause(error);
  return code && !code.startsWith("UND_ERR") ? code : message;
}
