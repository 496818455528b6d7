/** A service that reports the phase of a registration, for tests that kill or interrupt at that point. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { ObservedRequest, Observer } from "../../sandbox/grafana/server";

const path = "/api/connections";

export interface ObservedService {
  readonly url: string;
  /** The number of complete registration requests. */
  registrations: number;
  /**
   * Called for each phase of a registration; a promise holds the request. "arrived" is a connection from which nothing was read, and a promise
   * resets it, since the server could read a sent request even after the client is killed.
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
    if (body === undefined) return; // The client has ended.
    if (request.method === "POST" && request.url === path) {
      const observed: ObservedRequest = { method: "POST", path, body };
      service.registrations++;
      await service.observe?.(observed, "handled");
      response.once("finish", () => void service.observe?.(observed, "answered"));
    }
    response.writeHead(200).end("registered");
  };
  // The checks connect, too, but only after the registration.
  server.prependListener("connection", (socket) => {
    if (service.registrations === 0 && service.observe?.({ method: "POST", path, body: "" }, "arrived")) socket.resetAndDestroy();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return service;
}
