/**
 * A stand-in for an HTTP proxy with Squid's default rules: tunnels (RFC 9110, 9.3.6) to port 443 only, other requests in absolute form (RFC 9112, 3.2.2) to
 * ports 80, 443 and from 1025 on. It refuses all else with 403. It records what it passes on, all of which goes to one port.
 */
import { once } from "node:events";
import { createServer, request as send } from "node:http";
import { connect, type Socket } from "node:net";
import { listen } from "./listen";

/**
 * @param port the loopback port that receives everything, whatever the requested host: the names in tests do not resolve
 * @param refuse the status with which the proxy refuses everything
 */
export async function startProxy(port: number, refuse?: number) {
  /** The method and target of each request, in order, such as `CONNECT service.test:443`, refused ones included. */
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => sockets.add(socket.on("error", () => undefined));
  const server = createServer((request, response) => {
    const { method, url: target = "", headers } = request;
    requests.push(`${method} ${target}`);
    const { protocol, host, port: wanted, pathname, search } = URL.canParse(target) ? new URL(target) : new URL("about:");
    const isSafe = protocol === "http:" && host === headers.host && (wanted === "" || wanted === "443" || Number(wanted) > 1024);
    if (refuse || !isSafe) return void response.writeHead(refuse ?? 403).end();
    const { "proxy-connection": _, "proxy-authorization": __, ...others } = headers;
    const passed = { method, path: pathname + search, headers: { ...others, via: "1.1 proxy" } };
    const onward = send({ port, host: "127.0.0.1", agent: false, ...passed });
    onward.on("response", (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)));
    request.pipe(onward.on("error", () => response.writeHead(502).end()));
  });
  server.on("connection", keep);
  server.on("connect", ({ method, url = "" }, client: Socket) => {
    requests.push(`${method} ${url}`);
    if (refuse || !url.endsWith(":443")) return void client.end(`HTTP/1.1 ${refuse ?? 403} Scripted\r\n\r\n`);
    const onward = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(onward).pipe(client);
    });
    keep(onward);
  });
  return {
    /** For HTTPS_PROXY. */
    url: await listen(server),
    requests,
    async close() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), "close");
    },
  };
}
