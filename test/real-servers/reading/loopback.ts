/** A stand-in for Prometheus, Loki and Tempo: one server that records requests and sends a given response. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Servers } from "../../view/reading/panel";

/** A request with the parameters of its URL and of its form. */
export interface Request {
  method: string;
  path: string;
  parameters: Record<string, string>;
  headers: Record<string, unknown>;
}

type Answer = unknown | ((request: Request) => unknown);

/** Serves until the end of the test. Text is sent unchanged, anything else as JSON. */
export async function loopback(answer: Answer, status = 200): Promise<{ servers: Servers; requests: Request[] }> {
  const requests: Request[] = [];
  const server = createServer(async (incoming, outgoing) => {
    let form = "";
    for await (const part of incoming) form += part;
    const url = new URL(incoming.url ?? "", "http://localhost");
    const parameters = Object.fromEntries([...url.searchParams, ...new URLSearchParams(form)]);
    const request = { method: incoming.method ?? "", path: url.pathname, parameters, headers: incoming.headers };
    requests.push(request);
    const content = typeof answer === "function" ? answer(request) : answer;
    outgoing.writeHead(status).end(typeof content === "string" ? content : JSON.stringify(content));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { servers: { prometheus: url, loki: url, tempo: url }, requests };
}

/** A response of Prometheus to an instant query. */
export const vector = (...series: [metric: Record<string, string>, value: string][]) =>
  success(
    "vector",
    series.map(([metric, value]) => ({ metric, value: [1735819200, value] })),
  );

/** A response of Prometheus to a range query. */
export const matrix = (...series: [metric: Record<string, string>, ...values: [seconds: number, value: string][]][]) =>
  success(
    "matrix",
    series.map(([metric, ...values]) => ({ metric, values })),
  );

/** A response of Loki. */
export const streams = (...result: [stream: Record<string, string>, ...values: unknown[][]][]) =>
  success(
    "streams",
    result.map(([stream, ...values]) => ({ stream, values })),
  );

const success = (resultType: string, result: unknown) => ({ status: "success", data: { resultType, result } });
