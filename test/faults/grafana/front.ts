/** A proxy in front of the sandbox's Grafana that can respond in its place. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The response to a request during a fault; "silence" is none after the request was read. */
type Trouble = { status: number; body: string } | "silence";

interface Fault {
  /** Selects the requests. The path begins with `/api`. */
  hits: (method: string, path: string) => boolean;
  trouble?: Trouble;
  /** Instead of `trouble`: the action of another user in Grafana before the request arrives. */
  before?: () => Promise<unknown>;
}

export class Front {
  fault: Fault | undefined;
  private readonly server: Server;

  private constructor(private readonly grafanaUrl: string) {
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  /** @param grafanaUrl with a path prefix, which the proxy has, too */
  static async start(grafanaUrl: string): Promise<Front> {
    const front = new Front(grafanaUrl);
    await once(front.server.listen(0, "127.0.0.1"), "listening");
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${new URL(this.grafanaUrl).pathname}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await once(this.server.close(), "close");
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = url.slice(url.indexOf("/api"));
    if (this.fault?.hits(method, path)) {
      const { trouble, before } = this.fault;
      await before?.();
      if (trouble === "silence") return;
      if (trouble) {
        response.writeHead(trouble.status, { "Content-Type": "application/json" }).end(trouble.body);
        return;
      }
    }
    const { host: _host, connection: _connection, "content-length": _length, ...others } = headers;
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
    const answer = await fetch(new URL(url, this.grafanaUrl), {
      method,
      headers: others as Record<string, string>,
      redirect: "manual",
      ...body,
    });
    response.writeHead(answer.status, { "Content-Type": answer.headers.get("content-type") ?? "application/json" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  }
}
