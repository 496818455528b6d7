/**
 * A stand-in for the service, or for what stands in front of it: a bare TCP or TLS socket that keeps each request to the letter and plays a
 * script of answers, broken ones included. It uses no HTTP library, so neither side's library can hide what the other one did.
 */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

/** A request as it came over the wire. */
export interface RawRequest {
  /** When it was complete, in milliseconds since 1970. */
  at: number;
  /** Request line and headers, without the empty line that ends them. */
  head: string;
  method: string;
  path: string;
  /** Names as the client spelled them, in its order, repeated ones included. */
  headers: [name: string, value: string][];
  body: string;
  /** What it got for an answer, undefined until then. */
  answer: Action | undefined;
  /** Whether its connection is over by now. */
  closed: boolean;
}

/** What becomes of one connection. It ends with it, except for `silent`. */
export type Action =
  /** Writes this as it stands, see `answer`. */
  | string
  | Buffer
  /** Writes `now` at once and `drip` byte by byte, with a pause in milliseconds after each. */
  | { now?: string; drip: string; pause: number }
  /** Resets the connection before anything was read from it: such a request is counted in `connections` alone. */
  | "reset unread"
  /** Resets the connection when a part of the request was read, which is not counted either. */
  | "reset midway"
  /** Resets the connection when the request is complete. */
  | "reset"
  /** Closes the connection in good order when the request is complete. */
  | "close"
  /** Reads the request and keeps the connection open. */
  | "silent";

export interface RawServer {
  /** Without a slash at its end. */
  readonly url: string;
  readonly port: number;
  readonly requests: readonly RawRequest[];
  /**
   * Connections that were ever opened, also those that brought no complete request. Node's fetch opens an idle one after it gave up an
   * answer half-way: count `requests` to learn how often something was sent.
   */
  readonly connections: number;
  /** Plays another script from the next connection on. */
  follow(script: Script): void;
  close(): Promise<void>;
}

/** One action for each connection, in order; the last one is for all later ones, too. A function gets the request and is asked when that is complete. */
export type Script = readonly (Action | ((request: RawRequest) => Action))[];

export interface RawServerOptions {
  /** A port to listen on; without it a free one. */
  port?: number;
  /** PEM texts; with them the server speaks TLS. */
  tls?: { key: string; cert: string };
}

/** Starts a server on the loopback interface. */
export async function startRawServer(first: Script, { port = 0, tls }: RawServerOptions = {}): Promise<RawServer> {
  let script = first;
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let served = 0;

  const serve = async (socket: Socket) => {
    const step = script[Math.min(served++, script.length - 1)] ?? "close";
    const isReset = step === "reset unread" || step === "reset midway";
    if (step === "reset midway") await once(socket, "readable").catch(() => undefined);
    const request = isReset ? undefined : await readRequest(socket);
    // Nobody reads on, but the other side's end must be noticed.
    socket.resume();
    if (request) {
      requests.push(request);
      socket.once("close", () => {
        request.closed = true;
      });
      request.answer = typeof step === "function" ? step(request) : step;
      await play(socket, request.answer);
    } else {
      // Without a request there is nothing to play but this: real servers, too, answer 400 to a client that speaks TLS to a plain port.
      await play(socket, isReset ? step : answer(400));
    }
  };
  const accept = (socket: Socket) => {
    connections++;
    sockets.add(socket.on("close", () => sockets.delete(socket)));
    // Half of the scripts end in an error on one side.
    socket.on("error", () => undefined);
  };

  const server: Server = tls ? createTlsServer(tls, (socket) => void serve(socket)) : createServer((socket) => void serve(socket));
  server.prependListener("connection", accept);
  await once(server.listen(port, "127.0.0.1"), "listening");
  const { port: ownPort } = server.address() as AddressInfo;
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${ownPort}`,
    port: ownPort,
    requests,
    get connections() {
      return connections;
    },
    follow(next) {
      script = next;
      served = 0;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server.close(), "close");
    },
  };
}

/** The port of a server that is already gone: it refuses connections. */
export async function closedPort(): Promise<number> {
  const server = await startRawServer([]);
  await server.close();
  return server.port;
}

/** The text of an HTTP answer. A `Content-Length` of one's own may promise more than `body` holds. */
export function answer(status: number, body = "", headers: Record<string, string> = {}): string {
  const all = { "Content-Length": String(Buffer.byteLength(body)), Connection: "close", ...headers };
  return `HTTP/1.1 ${status} Scripted\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n${body}`;
}

const plainEntities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** The spellings in which a server may hand a secret back. */
export function spellings(secret: string) {
  const json = JSON.stringify(secret).slice(1, -1);
  return {
    plain: secret,
    json,
    php: json.replaceAll("/", "\\/"),
    url: encodeURIComponent(secret),
    lowerUrl: encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
    form: encodeURIComponent(secret).replaceAll("%20", "+"),
    html: secret.replace(/[&<>"']/g, (sign) => plainEntities[sign] ?? ""),
    base64: Buffer.from(secret, "utf8").toString("base64"),
    base64url: Buffer.from(secret, "utf8").toString("base64url"),
  };
}

/** The spellings of any of `secrets` that occur in `text`. */
export function spellingsIn(text: string, secrets: readonly string[]): string[] {
  return secrets.flatMap((secret) => Object.values(spellings(secret))).filter((spelling) => text.includes(spelling));
}

/** Reads one request; undefined where it is none or breaks off. */
async function readRequest(socket: Socket): Promise<RawRequest | undefined> {
  let raw = Buffer.alloc(0);
  try {
    // Leaving the loop must leave the socket open: the answer is still to be written.
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      raw = Buffer.concat([raw, chunk as Buffer]);
      if (!/^[A-Z]/.test(raw.toString("latin1"))) return undefined;
      const request = parseRequest(raw);
      if (request) return request;
    }
  } catch {
    // A reset says the same as an early end.
  }
  return undefined;
}

/** The request, if all of it has come. Its length is what `Content-Length` says; chunked bodies are not for this stand-in. */
function parseRequest(raw: Buffer): RawRequest | undefined {
  const end = raw.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = raw.toString("latin1", 0, end);
  const [requestLine = "", ...lines] = head.split("\r\n");
  const [method = "", path = ""] = requestLine.split(" ");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const length = Number(headers.find(([name]) => name.toLowerCase() === "content-length")?.[1] ?? 0);
  const body = raw.subarray(end + 4);
  if (body.length < length) return undefined;
  return { at: Date.now(), head, method, path, headers, body: body.toString("utf8"), answer: undefined, closed: false };
}

async function play(socket: Socket, action: Action): Promise<void> {
  if (action === "silent") return;
  if (action === "reset" || action === "reset unread" || action === "reset midway") socket.resetAndDestroy();
  else if (action === "close") socket.end();
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
