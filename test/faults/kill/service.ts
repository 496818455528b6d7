/** A service that tells where a registration is: for killing and interrupting at exactly that point. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { ObservedRequest, Observer } from "../../sandbox/grafana/server";

const path = "/api/connections";

export interface ObservedService {
  readonly url: string;
  /** How many registrations reached it whole. */
  registrations: number;
  /**
   * Told of each registration; a promise holds it. "arrived" is a connection from which nothing was read yet, and a promise there breaks it: what
   * the client has sent would be read even after its death.
   */
  observe: Observer | undefined;
  close(): Promise<void>;
}

export async function startService(): Promise<ObservedService> {
  const server = createServer((request, response) => void serve(request, response));
  const service: ObservedService = {
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    registrations: 0,
    observe: undefined,
    async close() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return; // Who asked is gone.
    if (request.method === "POST" && request.url === path) {
      const observed: ObservedRequest = { method: "POST", path, body };
      service.registrations++;
      await service.observe?.(observed, "handled");
      response.once("finish", () => void service.observe?.(observed, "answered"));
    }
    response.writeHead(200).end("registered");
  };
  // The checks connect too, but only where a connection is registered already.
  server.prependListener("connection", (socket) => {
    if (service.registrations === 0 && service.observe?.({ method: "POST", path, body: "" }, "arrived")) socket.resetAndDestroy();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return service;
}
