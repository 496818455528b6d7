/** A stand-in for an HTTP proxy: opens tunnels with CONNECT (RFC 9110, 9.3.6), all of them to one port, and records them. */
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

export interface ProxyServer {
  /** Its address, for HTTPS_PROXY. */
  readonly url: string;
  /** The `host:port` of each CONNECT, in order. */
  readonly tunnels: string[];
  close(): Promise<void>;
}

/**
 * @param port the loopback port of all tunnels, whatever the requested host: the names in tests do not resolve
 * @param refuse the status with which the proxy refuses tunnels
 */
export async function startProxy(port: number, refuse?: number): Promise<ProxyServer> {
  const tunnels: string[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => sockets.add(socket.on("error", () => undefined));
  const server = createServer((_request, response) => response.writeHead(501).end());
  server.on("connection", keep);
  server.on("connect", ({ url }, client: Socket) => {
    tunnels.push(String(url));
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
    tunnels,
    async close() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), "close");
    },
  };
}
