/**
 * A stand-in for a hosted platform's entrance: one address for several servers, which checks the credentials and forwards requests to the real servers.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import { buffer } from "node:stream/consumers";

/** A server behind the gateway. */
export interface Target {
  /** Requests to this path and to those below it are forwarded. */
  path: string;
  /** The address that replaces `path`. */
  url: string;
  /** Defaults to all methods. */
  method?: string;
  /** Defaults to none. */
  credentials?: { user: string; password: string };
}

type Answer = { status: number; body?: string | Uint8Array; contentType?: string };

export function createGateway(targets: readonly Target[]): Server {
  return createServer((request, response) => {
    void answerTo(request, targets).then(({ status, body = "", contentType = "text/plain" }) => {
      response.writeHead(status, { "Content-Type": contentType }).end(body);
    });
  });
}

async function answerTo(request: IncomingMessage, targets: readonly Target[]): Promise<Answer> {
  const content = await buffer(request);
  const { url = "", method = "", headers } = request;
  const target = targets.find(({ path }) => url === path || url.startsWith(`${path}/`) || url.startsWith(`${path}?`));
  if (!target || (target.method ?? method) !== method) return { status: 404, body: "404 page not found\n" };
  const { user, password } = target.credentials ?? {};
  const expected = `Basic ${Buffer.from(`${user}:${password}`, "utf8").toString("base64")}`;
  if (target.credentials && headers.authorization !== expected) return { status: 401, body: "invalid credentials" };
  try {
    const kept = ["accept", "content-type", "content-encoding"].flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []));
    const sent = { method, headers: Object.fromEntries(kept), ...(/^(GET|HEAD)$/.test(method) ? {} : { body: new Uint8Array(content) }) };
    const reply = await fetch(`${target.url}${url.slice(target.path.length)}`, sent);
    const body = new Uint8Array(await reply.arrayBuffer());
    return { status: reply.status, body, contentType: reply.headers.get("content-type") ?? "text/plain" };
  } catch (error) {
    return { status: 502, body: `${target.url} did not respond: ${error instanceof Error ? (error.cause ?? error) : error}\n` };
  }
}
