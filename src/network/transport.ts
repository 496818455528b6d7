/**
 * Sends HTTP requests, through the proxy of the environment. It always verifies certificates, whatever the environment sets. It uses Node's
 * own client, and packages that Pulumi's SDK has installed already. undici is no alternative: it waits five minutes for a proxy that does
 * not answer, whatever the signal, so that nobody knows whether a request was sent.
 */
import http from "node:http";
import https from "node:https";
import { addAbortSignal } from "node:stream";
import { HttpProxyAgent } from "http-proxy-agent";
import { HttpsProxyAgent } from "https-proxy-agent";

export interface Request {
  /** Defaults to GET. */
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** The CA certificate of the server, in PEM format. Defaults to the public CAs and NODE_EXTRA_CA_CERTS. */
  caCert?: string | undefined;
  /** Ends the request, including its response. Defaults to `timeLimit`. */
  signal?: AbortSignal;
  /** Whether to use an open connection, which the server may close at the same moment. Defaults to false. */
  reuse?: boolean;
}

/** Milliseconds. */
export const timeLimit = 15_000;

/**
 * Sends a request and passes the response to `use`, then closes the connection if its body was not read. Redirects are not followed.
 *
 * @throws Error of Node. Its code is `CONNECT_TIMEOUT` if the time was over before a connection was open.
 */
export async function exchange<T>(address: string, options: Request, use: (response: http.IncomingMessage) => T | Promise<T>): Promise<T> {
  const url = new URL(address);
  // For https, a tunnel. For http, the proxy receives the whole request: usual proxies allow tunnels to port 443 only.
  const [{ request }, Agent] = url.protocol === "https:" ? ([https, HttpsProxyAgent] as const) : ([http, HttpProxyAgent] as const);
  const { method = "GET", headers, body, caCert, signal = AbortSignal.timeout(timeLimit), reuse = false } = options;
  const proxy = proxyFor(url);
  // The signal ends the connection of an agent, which the request does not know until it is open.
  const agent = proxy ? new Agent(proxy, { rejectUnauthorized: true, signal } as object) : false;
  const settings: https.RequestOptions & { ca?: string; rejectUnauthorized: boolean } = {
    method,
    signal,
    headers: { Accept: "*/*", "User-Agent": "llm-observability", ...headers },
    rejectUnauthorized: true,
    ...(caCert && { ca: caCert }),
    ...((agent || !reuse) && { agent }),
  };
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const sent = request(url, settings, resolve);
    const isConnected = connectionOf(sent);
    sent.on("error", (error) =>
      reject(signal.aborted && !isConnected() ? Object.assign(new Error("no connection in time"), { code: "CONNECT_TIMEOUT" }) : error),
    );
    sent.end(body);
  });
  // An unread body may fail, too.
  addAbortSignal(signal, response).on("error", () => undefined);
  try {
    // Only a proxy has this status.
    if (response.statusCode === 407) throw new Error(`Proxy response (407) to ${method}`);
    return await use(response);
  } finally {
    response.destroy();
  }
}

/** @returns whether the request has its connection, including TLS. Ends the request if a proxy refuses the tunnel. */
function connectionOf(request: http.ClientRequest): () => boolean {
  let isConnected = false;
  request.once("socket", (socket) => {
    const isEncrypted = "encrypted" in socket;
    isConnected = request.reusedSocket || !(isEncrypted || socket.connecting);
    if (isConnected) return;
    socket.once(isEncrypted ? "secureConnect" : "connect", () => {
      isConnected = true;
    });
  });
  // The agent would pass on the proxy's response as the server's.
  request.once("proxyConnect", ({ statusCode }: { statusCode: number }) => {
    if (statusCode !== 200) request.destroy(new Error(`Proxy response (${statusCode}) to CONNECT`));
  });
  return () => isConnected;
}

/** A variable in capital or small letters, the first that is not empty, as Pulumi reads it; "" if none. */
const environmentVariable = (name: string): string => process.env[name] || process.env[name.toLowerCase()] || "";

/** The proxy for an address, except this machine and the hosts in NO_PROXY. @throws Error without the value: it may be secret */
function proxyFor({ protocol, hostname, port }: URL): string | undefined {
  const variable = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const value = environmentVariable(variable);
  const proxy = value.includes("://") ? value : `http://${value}`;
  const host = hostname.replace(/[[\]]/g, "");
  const names = [host, `${host}:${port || (protocol === "https:" ? 443 : 80)}`];
  const exceptions = `${environmentVariable("NO_PROXY")},localhost,127.0.0.1,::1`.toLowerCase().split(/[\s,]+/);
  const isExcepted = exceptions.some((exception) => {
    const name = exception.replace(/^\*?\.|[[\]]/g, "");
    return name === "*" || (name && names.some((known) => known === name || known.endsWith(`.${name}`)));
  });
  if (!value || isExcepted) return undefined;
  if (!(URL.canParse(proxy) && /^https?:\/\/[^/]/.test(proxy))) throw new Error(`${variable} is not a valid proxy address`);
  return proxy;
}

/** The text of a body, or a start with more than `limit` characters; the error if the connection breaks or the time is over. */
export async function readText(body: AsyncIterable<Uint8Array>, limit: number): Promise<{ text: string; error?: unknown }> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      // Leaving the loop closes the connection.
      if (text.length > limit) return { text };
    }
    return { text: text + decoder.decode() };
  } catch (error) {
    return { text, error };
  }
}

export const isTimeout = (error: unknown) => rootCause(error).name === "TimeoutError";

/** Node's error of a failed request. */
export type Cause = Error & { code?: string; address?: string; hostname?: string; port?: number };

/** The innermost error. An ended request has it in `cause`, a request to several addresses in `errors`. */
export function rootCause(error: unknown): Cause {
  const { cause, errors } = error as { cause?: unknown; errors?: unknown[] };
  const inner = cause ?? errors?.[0];
  return inner === undefined || inner === null ? (error as Cause) : rootCause(inner);
}

/** The reason for a failed request: the code of the system's error, or its message. */
export function reasonOf(error: unknown): string {
  const { message, code } = rootCause(error);
  return code ?? message;
}
