/** The queries of one load of a dashboard. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { shownOf } from "../../support/models";
import { show } from "../../view/reading/show";

/** One HTTP query. */
export interface Query {
  path: string;
  parameters: Record<string, string>;
}

/** The queries of an opened dashboard to Prometheus, with the widths of a large screen and All selected. */
export async function queriesOf(model: DashboardModel, range: { from: number; to: number }): Promise<Query[]> {
  const queries: Query[] = [];
  // Records the requests and sends empty responses.
  const server = createServer(async (incoming, outgoing) => {
    let form = "";
    for await (const part of incoming) form += part;
    const path = incoming.url ?? "";
    if (path.startsWith("/api/v1/")) queries.push({ path, parameters: Object.fromEntries(new URLSearchParams(form)) });
    outgoing.end(JSON.stringify({ status: "success", data: { resultType: "matrix", result: [] }, traces: [] }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const panel of shownOf(model)) await show(panel, model, { ...range, selected: {} }, { prometheus: url, loki: url, tempo: url });
  server.closeAllConnections();
  await once(server.close(), "close");
  return queries;
}
