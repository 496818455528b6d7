/** A stand-in for Grafana, part: the health check of a datasource, which sends a real request, and the datasource proxy. */

import { datasourceBehind } from "./datasources";
import { type Answer, type Call, early, ok, type Route, refuse } from "./http";
import { promQuestion } from "./query";
import type { Datasource } from "./state";
import { ask, type Question } from "./upstream";

const needs = { permission: "datasources:query", role: "Viewer" } as const;

export const healthRoutes: Route[] = [
  { method: "GET", path: "/api/datasources/uid/:uid/health", needs, handle: health },
  ...["GET", "POST"].map((method) => ({ method, path: "/api/datasources/proxy/uid/:uid/*", needs, handle: proxy })),
];

/** The request of each type's health check, and Grafana's messages. */
interface Check {
  question(datasource: Datasource): Question;
  good: string;
  details?: Record<string, unknown>;
  bad(reason: string, status?: number): string;
}

const checks: Record<string, Check> = {
  prometheus: {
    question: (datasource) => promQuestion(datasource, "1+1"),
    good: "Successfully queried the Prometheus API.",
    details: { application: "Prometheus", features: { rulerApiEnabled: false } },
    bad: (reason) => `${reason} - There was an error returned querying the Prometheus API.`,
  },
  loki: {
    question: () => ({ method: "GET", path: "/loki/api/v1/labels" }),
    good: "Data source successfully connected.",
    bad: () => "Unable to connect with Loki. Please check the server logs for more details.",
  },
  tempo: {
    question: () => ({ method: "GET", path: "/api/echo" }),
    good: "Data source is working",
    bad: (reason, status) => (status ? `Tempo echo endpoint returned status ${status}` : reason),
  },
};

async function health(call: Call): Promise<Answer> {
  const datasource = datasourceBehind(call, call.params.uid ?? "");
  if (!datasource) return refuse(500, { message: "Unable to load datasource metadata" });
  const check = checks[datasource.type];
  if (!check) return refuse(404, { message: "Not found" });
  const error = (message: string): Answer => ({ status: 400, body: { status: "ERROR", message } });
  try {
    const { status, statusLine } = await ask(datasource, check.question(datasource));
    return status === 200 ? ok({ status: "OK", message: check.good, details: check.details }) : error(check.bad(statusLine, status));
  } catch (unreachable) {
    return error(check.bad((unreachable as Error).message));
  }
}

async function proxy(call: Call): Promise<Answer> {
  const { params, method, query, headers, content } = call;
  const { uid = "", rest = "" } = params;
  const datasource = datasourceBehind(call, uid);
  if (!datasource) return refuse(404, { message: "Unable to find datasource", traceID: "" }, early);
  const readable = /^api\/v1\/(query|query_range|series|labels|query_exemplars)$/.test(rest);
  if (datasource.type === "prometheus" && method === "POST" && !readable) {
    return refuse(403, { message: "non allow-listed POSTs not allowed on proxied Prometheus datasource" }, early);
  }
  const search = query.size ? `?${query}` : "";
  const body = content.length ? { content, contentType: headers["content-type"] } : {};
  try {
    const reply = await ask(datasource, { method, path: `/${rest}${search}`, ...body });
    return { status: reply.status, body: reply.content, contentType: reply.contentType };
  } catch {
    return { status: 502 };
  }
}
