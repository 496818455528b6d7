/**
 * A stand-in for a hosted platform's OTLP endpoint: one address for metrics and traces, which checks the credentials and forwards requests to the real
 * servers.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Gateway {
  /** Without a signal's path. */
  url: string;
  /** Path and status of each response. */
  answers: string[];
  stop(): Promise<void>;
}

/** @param targets full addresses by signal */
export async function startGateway(user: string, password: string, targets: { metrics: string; traces: string }): Promise<Gateway> {
  const expected = `Basic ${Buffer.from(`${user}:${password}`, "utf8").toString("base64")}`;
  const answers: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url = "", headers } = request;
    const answer = (status: number, body: string | Uint8Array = "", contentType = "text/plain") => {
      answers.push(`${url} ${status}`);
      response.writeHead(status, { "Content-Type": contentType }).end(body);
    };
    const [, signal] = /^\/otlp\/v1\/(metrics|traces)$/.exec(url) ?? [];
    if (signal !== "metrics" && signal !== "traces") return answer(404);
    if (headers.authorization !== expected) return answer(401, "invalid credentials");
    const forwarded = await fetch(targets[signal], {
      method: "POST",
      headers: {
        "Content-Type": headers["content-type"] ?? "",
        ...(headers["content-encoding"] ? { "Content-Encoding": headers["content-encoding"] } : {}),
      },
      body: Buffer.concat(chunks),
    });
    return answer(forwarded.status, new Uint8Array(await forwarded.arrayBuffer()), forwarded.headers.get("content-type") ?? "text/plain");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/otlp`,
    answers,
    async stop() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
