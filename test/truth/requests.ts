/** What panels ask servers for, with a server that records the requests. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { DashboardModel } from "../../src/dashboards/normalize";
import { type Panel, show, type View } from "../view/reading/show";

export interface Request {
  method: string;
  path: string;
  parameters: Record<string, string>;
}

export async function requestsOf(panels: readonly Panel[], model: DashboardModel, view: View): Promise<Request[]> {
  const requests: Request[] = [];
  const server = createServer(async (incoming, outgoing) => {
    let form = "";
    for await (const part of incoming) form += part;
    const url = new URL(incoming.url ?? "", "http://localhost");
    const parameters = Object.fromEntries([...url.searchParams, ...new URLSearchParams(form)]);
    requests.push({ method: incoming.method ?? "", path: url.pathname, parameters });
    const resultType = url.pathname.endsWith("/query") ? "vector" : url.pathname.startsWith("/loki") ? "streams" : "matrix";
    outgoing.end(JSON.stringify({ status: "success", data: { resultType, result: [] }, traces: [] }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    for (const panel of panels) await show(panel, model, view, { prometheus: url, loki: url, tempo: url });
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return requests;
}
