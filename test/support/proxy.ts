/** A stand-in for a proxy as companies have it: opens tunnels by CONNECT (RFC 9110, 9.3.6), all of them to one place, and keeps what was asked. */
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

export interface ProxyServer {
  /** Its address, as HTTPS_PROXY names it. */
  readonly url: string;
  /** The `host:port` of each CONNECT, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

/**
 * @param port where all tunnels lead on the loopback interface, whatever name was asked for: names of tests resolve nowhere
 * @param refuse the status with which tunnels are refused instead
 */
export async function startProxy(port: number, refuse?: number): Promise<ProxyServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => sockets.add(socket.on("error", () => undefined));
  const server = createServer((_request, response) => response.writeHead(501).end());
  server.on("connection", keep);
  server.on("connect", ({ url }, client: Socket) => {
    asked.push(String(url));
    if (refuse) {
      client.end(`HTTP/1.1 ${refuse} Scripted\r\n\r\n`);
      return;
    }
    const onward = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(onward).pipe(client);
    });
    keep(onward);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), "close");
    },
  };
}
