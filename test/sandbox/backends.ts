/**
 * Stand-ins for the servers behind a Grafana, at one address: a Prometheus (`/prometheus`) that has series without samples, the health
 * endpoints of Loki (`/loki`) and Tempo (`/tempo`), and an OTLP endpoint (`/otlp`) that accepts the push of the checks.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { parser } from "@prometheus-io/lezer-promql";
import type { Answer } from "./grafana/http";

export interface BackendsOptions {
  /** The names of series. The list is read at each query. */
  metrics: readonly string[];
  /** The required credentials of a push. */
  otlp: { user: string; accepts: (password: string) => boolean };
}

export function createBackends(options: BackendsOptions): Server {
  return createServer((request, response) => {
    // The body is JSON, or text.
    void answerTo(request, options).then(({ status, body = "", contentType }) => {
      const isText = typeof body === "string";
      response.writeHead(status, { "Content-Type": contentType ?? (isText ? "text/plain; charset=utf-8" : "application/json") });
      response.end(isText ? body : JSON.stringify(body));
    });
  });
}

const notFound: Answer = { status: 404, body: "404 page not found\n" };

async function answerTo(request: IncomingMessage, options: BackendsOptions): Promise<Answer> {
  const content = await text(request);
  const { method = "", headers } = request;
  const url = new URL(request.url ?? "", "http://backends");
  const [, user, password = ""] =
    /^([^:]*):(.*)$/.exec(Buffer.from(headers.authorization?.replace(/^Basic /, "") ?? "", "base64").toString()) ?? [];

  if (/^\/otlp\/v1\/(metrics|traces)$/.test(url.pathname)) {
    if (method !== "POST") return { status: 405 };
    const known = headers.authorization?.startsWith("Basic ") && user === options.otlp.user && options.otlp.accepts(password);
    if (!known) return { status: 401, body: { status: "error", error: "authentication error: invalid credentials" } };
    const contentType = "application/x-protobuf";
    if (headers["content-type"] === contentType && content.length === 0) return { status: 200, contentType };
    return { status: 400, body: { code: 3, message: "the stand-in accepts only the empty export of the checks" } };
  }
  if (url.pathname === "/prometheus/api/v1/query" && (method === "GET" || method === "POST")) {
    const form = new URLSearchParams(content);
    const sent = (name: string) => form.get(name) ?? url.searchParams.get(name);
    return instantQuery(sent("query") ?? "", sent("time"), options);
  }
  if (method !== "GET") return notFound;
  if (url.pathname === "/prometheus/api/v1/query_range")
    return { status: 200, body: { status: "success", data: { resultType: "matrix", result: [] } } };
  const noValues: Answer = { status: 200, body: { status: "success", data: [] } };
  if (url.pathname === "/loki/loki/api/v1/labels") return noValues;
  if (url.pathname === "/loki/loki/api/v1/label/type/values") {
    const isComplete =
      /^\{job="[^"]*"\}$/.test(url.searchParams.get("query") ?? "") && /^\d{19}$/.test(url.searchParams.get("start") ?? "");
    return isComplete ? noValues : { status: 400, body: "the stand-in requires a query and a start in nanoseconds\n" };
  }
  if (url.pathname === "/tempo/api/search") {
    const { q = "", limit, start, end } = Object.fromEntries(url.searchParams);
    const isComplete = /^\{ .+ \} \| select\(.+\)$/.test(q) && limit === "100" && Number(start) + 3600 === Number(end);
    if (!isComplete) return { status: 400, body: "the stand-in does not know this search\n" };
    return { status: 200, body: { traces: [], metrics: {} } };
  }
  return url.pathname === "/tempo/api/echo" ? { status: 200, body: "echo" } : notFound;
}

/** The labels of a service's series. */
const ofService = (name: string) => {
  const [, job] = /^(.+)_llm_/.exec(name) ?? [];
  return job ? { job, applicationName: "shop", environment: "production" } : {};
};

function instantQuery(query: string, time: string | null, { metrics }: BackendsOptions): Answer {
  const at = time === null ? Date.now() / 1000 : Number(time);
  const good = (resultType: string, result: unknown) => ({ status: 200, body: { status: "success", data: { resultType, result } } });
  const bad = (why: string) => {
    return { status: 400, body: { status: "error", errorType: "bad_data", error: `invalid parameter "query": 1:1: parse error: ${why}` } };
  };
  if (!Number.isFinite(at)) return bad("cannot parse the time");
  if (query === "1+1") return good("scalar", [at, "2"]);
  // Without the window, Prometheus would miss series that ended an hour ago.
  const [, by = "", name = "", label = "", quoted] =
    /^group by \(([^()]+)\) \(last_over_time\((?:(target_info))?\{(__name__|job)=~("(?:[^"\\]|\\.)*")(?:,le=~"[^"]*")?\}\[24h\]\)\)$/.exec(
      query,
    ) ?? [];
  // The parser names errors "⚠".
  if (!quoted && `${parser.parse(query)}`.includes("⚠")) return bad(query ? "unexpected input" : "no expression found in input");
  if (!quoted) return good("vector", []);
  let pattern: RegExp;
  try {
    pattern = new RegExp(`^(?:${JSON.parse(quoted)})$`);
  } catch {
    return bad("error parsing regexp");
  }
  if (!name && pattern.test("")) return bad("vector selector must contain at least one non-empty matcher");
  // Series have a name alone, those of a service also the labels that panels select.
  const names = name || label === "job" ? [] : metrics.filter((each) => pattern.test(each));
  const groups = by.split(", ").includes("__name__")
    ? names.map((each) => ({ __name__: each, ...ofService(each) }))
    : names.slice(0, 1).map(() => ({}));
  const found = groups.map((metric) => ({ metric, value: [at, "1"] }));
  return good("vector", found);
}
