/** What one load of a dashboard asks of Prometheus, and what the same panels would ask in their plainest and in their cheapest form. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { panelsOf } from "../../support/models";
import { type Panel, show, type View } from "../grafana/show";

/** One HTTP query. */
export interface Query {
  panel: string;
  path: string;
  parameters: Record<string, string>;
}

/** Names of panels whose queries go elsewhere. */
export interface Load {
  prometheus: Query[];
  /** HTTP queries to Loki and Tempo. */
  others: number;
}

/** What Grafana asks when the dashboard is opened: each panel with the width that it has on a large screen, All selected. */
export async function loadOf(model: DashboardModel, range: { from: number; to: number }): Promise<Load> {
  const load: Load = { prometheus: [], others: 0 };
  let panel = "";
  // Answers nothing to anybody, and remembers what it was asked.
  const server = createServer(async (incoming, outgoing) => {
    let form = "";
    for await (const part of incoming) form += part;
    const path = incoming.url ?? "";
    const isPrometheus = path.startsWith("/api/v1/");
    if (isPrometheus) load.prometheus.push({ panel, path, parameters: Object.fromEntries(new URLSearchParams(form)) });
    else load.others += 1;
    outgoing.end(JSON.stringify({ status: "success", data: { resultType: isPrometheus ? "matrix" : "streams", result: [] }, traces: [] }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const view: View = { ...range, selected: {} };
  for (const shown of panelsOf(model).filter(({ type }) => type !== "row")) {
    panel = shown.title || shown.type;
    await show(shown as Panel, model, view, { prometheus: url, loki: url, tempo: url });
  }
  server.closeAllConnections();
  await once(server.close(), "close");
  return load;
}

/** Series that a query reads, each once, and whether it needs both their sum and their number. */
export function readBy({ parameters: { query = "" } }: Query): { selectors: string[]; twice: boolean } {
  const selectors = [...new Set(query.match(/[a-zA-Z_]\w*\{[^}]*\}/g) ?? [])];
  return { selectors, twice: query.includes("sum_over_time") && query.includes("count_over_time") };
}

/** The time that a query is about: a panel's one number is of the dashboard's range, a graph begins one step before its first point. */
export function timeOf({ path, parameters: { time, start, end, step } }: Query, range: { from: number; to: number }) {
  return path.endsWith("/query_range")
    ? { at: Number(end), seconds: Number(end) - Number(start) + Number(step) }
    : { at: Number(time), seconds: (range.to - range.from) / 1000 };
}

const plainSteps = 1000;

/**
 * What people paste: the bare series, added up or averaged as the spec's table says, over the dashboard's range. It is not true: a running total
 * is no number of requests.
 */
export function plain(asked: Query, { from, to }: { from: number; to: number }): Query {
  const { query = "" } = asked.parameters;
  const { selectors } = readBy(asked);
  const by = /sum by \((\w+)\)/.exec(query.replace(/sum by \((?:category|provider)\)/, ""))?.[1];
  const mean = /\) \/ [(s]/.test(query);
  const expression = `${mean ? "avg" : "sum"}${by ? ` by (${by}) ` : ""}(${selectors[0]})`;
  const seconds = (time: number) => `${time / 1000}`;
  return {
    ...asked,
    path: "/api/v1/query_range",
    parameters: { query: expression, start: seconds(from), end: seconds(to), step: seconds((to - from) / plainSteps) },
  };
}
