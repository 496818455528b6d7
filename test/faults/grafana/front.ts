/** A proxy in front of the sandbox's Grafana that can respond in its place, hold requests, or be down. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { quietPort } from "../ports";

/** The response to a request during a fault. */
export type Trouble =
  | { status: number; body: string; headers?: Record<string, string> }
  /** No response after the request was read. */
  | "silence"
  /** The connection ends without a response. */
  | "end";

export interface Fault {
  /** Selects the requests. The path begins with `/api`. */
  hits: (method: string, path: string) => boolean;
  trouble: Trouble;
  /** Instead of `trouble`: the action of another user in Grafana before the request arrives. */
  before?: () => Promise<unknown>;
}

export class Front {
  fault: Fault | undefined;
  /** The requests during the fault. */
  hit: string[] = [];
  private readonly server: Server;

  private constructor(
    private readonly grafanaUrl: string,
    private readonly port: number,
  ) {
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  /** @param grafanaUrl with a path prefix, which the proxy has, too */
  static async start(grafanaUrl: string): Promise<Front> {
    const front = new Front(grafanaUrl, await quietPort());
    await front.open();
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}${new URL(this.grafanaUrl).pathname}`;
  }

  /** Listens, always on the same port. */
  async open(): Promise<void> {
    await once(this.server.listen(this.port, "127.0.0.1"), "listening");
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    if (this.server.listening) await once(this.server.close(), "close");
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = url.slice(url.indexOf("/api"));
    if (this.fault?.hits(method, path)) {
      this.hit.push(`${method} ${path}`);
      const { trouble, before } = this.fault;
      if (!before) return this.play(response, trouble);
      await before();
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

  private play(response: ServerResponse, trouble: Trouble): void {
    if (trouble === "silence") return;
    if (trouble === "end") response.destroy();
    else response.writeHead(trouble.status, { "Content-Type": "application/json", ...trouble.headers }).end(trouble.body);
  }
}
