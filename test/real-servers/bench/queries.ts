/** The queries of one load of a dashboard, and plain queries of the same panels. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { panelsOf } from "../../support/models";
import { type Panel, show, type View } from "../../view/reading/show";

/** One HTTP query. */
export interface Query {
  panel: string;
  path: string;
  parameters: Record<string, string>;
}

export interface Load {
  prometheus: Query[];
  /** The number of queries to Loki and Tempo. */
  others: number;
}

/** The queries of an opened dashboard, with the widths of a large screen and All selected. */
export async function loadOf(model: DashboardModel, range: { from: number; to: number }): Promise<Load> {
  const load: Load = { prometheus: [], others: 0 };
  let panel = "";
  // Records the requests and sends empty responses.
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

/** The series that a query reads, each once, and whether it needs both their sum and their number. */
export function readBy({ parameters: { query = "" } }: Query): { selectors: string[]; twice: boolean } {
  const selectors = [...new Set(query.match(/[a-zA-Z_]\w*\{[^}]*\}/g) ?? [])];
  return { selectors, twice: query.includes("sum_over_time") && query.includes("count_over_time") };
}

/** The time that a query covers: the dashboard's range, or from one step before the first point of a graph. */
export function timeOf({ path, parameters: { time, start, end, step } }: Query, range: { from: number; to: number }) {
  return path.endsWith("/query_range")
    ? { at: Number(end), seconds: Number(end) - Number(start) + Number(step) }
    : { at: Number(time), seconds: (range.to - range.from) / 1000 };
}

const plainSteps = 1000;

/**
 * The plain query that people paste: the sum or average of the plain series over the dashboard's range. Its numbers are wrong: a running total is not
 * a number of requests.
 */
export function plain(query: Query, { from, to }: { from: number; to: number }): Query {
  const { query: text = "" } = query.parameters;
  const { selectors } = readBy(query);
  const by = /sum by \((\w+)\)/.exec(text.replace(/sum by \((?:category|provider)\)/, ""))?.[1];
  const mean = /\) \/ [(s]/.test(text);
  const expression = `${mean ? "avg" : "sum"}${by ? ` by (${by}) ` : ""}(${selectors[0]})`;
  const seconds = (time: number) => `${time / 1000}`;
  return {
    ...query,
    path: "/api/v1/query_range",
    parameters: { query: expression, start: seconds(from), end: seconds(to), step: seconds((to - from) / plainSteps) },
  };
}
