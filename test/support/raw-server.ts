/**
 * A stand-in for the service, or for a server in front of it: a server that records each request, with the names of headers as sent, and plays a
 * script of responses on its socket, including invalid ones.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import type { Certificate } from "./certificate";
import { listen } from "./listen";

/** A received request. */
export interface RawRequest {
  /** Request line and headers, without the empty line after them. */
  head: string;
  method: string;
  path: string;
  /** With the client's case and order, including repeated names. */
  headers: [name: string, value: string][];
  body: string;
  /** Whether its connection is closed. */
  closed: boolean;
}

/** The behavior of one connection. The server then closes it, except for `silent`. */
export type Action =
  /** Writes this text, see `answer`. */
  | string
  | Buffer
  /** Writes `now` at once and `drip` byte by byte, with a pause in milliseconds after each. */
  | { now?: string; drip: string; pause: number }
  /** Closes the connection when the request is complete. */
  | "close"
  /** Reads the request and keeps the connection open. */
  | "silent";

export type RawServer = Awaited<ReturnType<typeof startRawServer>>;

/** One action for each connection, in order; the last one also for all later ones. A function receives the complete request; a promise holds it. */
export type Script = readonly (Action | ((request: RawRequest) => Action | Promise<Action>))[];

/** Starts a server on the loopback interface. @param options with PEM texts, the server speaks TLS */
export async function startRawServer(first: Script, { tls }: { tls?: Certificate } = {}) {
  let script = first;
  const requests: RawRequest[] = [];
  let connections = 0;
  let served = 0;

  const serve = async (message: IncomingMessage) => {
    const step = script[Math.min(served++, script.length - 1)] ?? "close";
    const { socket, method = "", url: path = "", httpVersion, rawHeaders } = message;
    // Many scripts end with an error on one side.
    const body = await text(message).catch(() => undefined);
    if (body === undefined) return;
    const headers = rawHeaders.flatMap((name, index): RawRequest["headers"] => (index % 2 ? [] : [[name, rawHeaders[index + 1] ?? ""]]));
    const head = [`${method} ${path} HTTP/${httpVersion}`, ...headers.map((header) => header.join(": "))].join("\r\n");
    const request: RawRequest = { head, method, path, headers, body, closed: false };
    requests.push(request);
    socket.on("error", () => undefined).once("close", () => Object.assign(request, { closed: true }));
    await play(socket, typeof step === "function" ? await step(request) : step);
  };

  const server = tls ? createTlsServer(tls, (message) => void serve(message)) : createServer((message) => void serve(message));
  server.prependListener("connection", () => connections++);
  const url = (await listen(server)).replace("http", tls ? "https" : "http");
  return {
    /** Without a slash at its end. */
    url,
    port: Number(new URL(url).port),
    requests,
    /**
     * The number of opened connections, including those without a complete request. Node's fetch opens an idle one after it aborts a
     * response: use `requests` to count requests.
     */
    get connections() {
      return connections;
    },
    /** Plays another script from the next connection on. */
    follow(next: Script) {
      script = next;
      served = 0;
    },
    async close() {
      server.closeAllConnections();
      if (server.listening) await once(server.close(), "close");
    },
  };
}

/** A port that refuses connections. It is outside of the range of ephemeral ports, one of which another process could get meanwhile. */
export async function closedPort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 10_000);
  const socket = connect(port, "127.0.0.1");
  const isOpen = await once(socket, "connect").then(Boolean, () => false);
  socket.destroy();
  return isOpen ? closedPort() : port;
}

/** The text of an HTTP response. `headers` may contain a `Content-Length` that exceeds `body`. */
export function answer(status: number, body = "", headers: Record<string, string> = {}): string {
  const all = { "Content-Length": String(Buffer.byteLength(body)), Connection: "close", ...headers };
  const lines = [`HTTP/1.1 ${status} Scripted`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`)];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

const named: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const hex = (unit: string) => unit.charCodeAt(0).toString(16).padStart(4, "0");

const json = (text: string) => JSON.stringify(text).slice(1, -1);

/** The encodings in which a server may return a secret. */
export function spellings(text: string) {
  const [url, base64] = [encodeURIComponent(text), Buffer.from(text, "utf8").toString("base64")];
  return {
    plain: text,
    JSON: json(text),
    "JSON twice": json(json(text)),
    "JSON of PHP": json(text).replaceAll("/", "\\/"),
    "JSON of Go": json(text).replace(/[<>&]/g, (sign) => `\\u${hex(sign)}`),
    "JSON in ASCII": json(text).replace(/[^ -~]/g, (unit) => `\\u${hex(unit)}`),
    URL: url,
    "URL, lower case": url.replace(/%../g, (code) => code.toLowerCase()),
    form: new URLSearchParams({ "": text }).toString().slice(1),
    HTML: text.replace(/[&<>"']/g, (sign) => named[sign] ?? sign),
    "HTML in numbers": text.replace(/[^a-z0-9 ]/giu, (sign) => `&#${sign.codePointAt(0)};`),
    base64,
    base64url: Buffer.from(text, "utf8").toString("base64url"),
    "base64 in a URL": encodeURIComponent(base64),
  };
}

/** The encodings of `secrets` in `text`. */
export function spellingsIn(text: string, secrets: readonly string[]): string[] {
  return secrets.flatMap((secret) => Object.values(spellings(secret))).filter((spelling) => text.includes(spelling));
}

async function play(socket: Socket, action: Action): Promise<void> {
  if (action === "silent") return;
  if (action === "close") socket.end();
  else if (typeof action === "string" || Buffer.isBuffer(action)) socket.end(action);
  else {
    socket.write(action.now ?? "");
    for (const byte of Buffer.from(action.drip)) {
      if (socket.destroyed) return;
      socket.write(Buffer.of(byte));
      await new Promise((resume) => setTimeout(resume, action.pause));
    }
    socket.end();
  }
}
