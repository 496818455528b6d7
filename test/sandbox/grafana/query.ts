/** A stand-in for Grafana, part: instant queries to the Prometheus behind a datasource, with data frames in the response. */
import { z } from "zod";
import { datasourceBehind } from "./datasources";
import { type Answer, type Call, type Route, readBody, refuse } from "./http";
import type { Datasource } from "./state";
import { ask, type Question } from "./upstream";

/** The only form of the checks. */
const querySchema = z.strictObject({
  refId: z.string(),
  datasource: z.strictObject({ uid: z.string(), type: z.literal("prometheus") }),
  expr: z.string(),
  instant: z.literal(true),
  range: z.literal(false),
  intervalMs: z.number(),
  maxDataPoints: z.number(),
});
const bodySchema = z.strictObject({ queries: z.tuple([querySchema]), from: z.literal("now-5m"), to: z.literal("now") });
type Query = z.infer<typeof querySchema>;
type Result = { status: number; frames: unknown[]; error?: string; errorSource?: string };

const replySchema = z.union([
  z.object({ status: z.literal("error"), errorType: z.string(), error: z.string() }),
  z.object({
    data: z.object({
      resultType: z.literal("vector"),
      result: z.array(z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) })),
    }),
  }),
]);

export const queryRoutes: Route[] = [
  { method: "POST", path: "/api/ds/query", needs: { permission: "datasources:query", role: "Viewer" }, handle: answerTo },
];

async function answerTo(call: Call): Promise<Answer> {
  const [query] = readBody(call, bodySchema).queries;
  const datasource = datasourceBehind(call, query.datasource.uid) ?? refuse(404, { message: "Data source not found" });
  const result = await resultOf(query, datasource);
  return { status: result.error === undefined ? 200 : 400, body: { results: { [query.refId]: result } } };
}

async function resultOf(query: Query, datasource: Datasource): Promise<Result> {
  const failed = (status: number, error: string): Result => ({ status, error, errorSource: "downstream", frames: [] });
  let status: number;
  let content: Buffer;
  try {
    ({ status, content } = await ask(datasource, promQuestion(datasource, query.expr)));
  } catch (unreachable) {
    return failed(502, (unreachable as Error).message);
  }
  // Grafana parses only responses with a status that Prometheus can return (pkg/promlib/querydata/response.go).
  if (status >= 300 && ![400, 422, 503].includes(status)) {
    return failed(500, `unexpected response with status code ${status}: ${content.toString("utf8").slice(0, 1024)}`);
  }
  try {
    const reply = replySchema.parse(JSON.parse(content.toString("utf8")));
    if (!("data" in reply)) return failed(status, `${reply.errorType}: ${reply.error}`);
    const frames = reply.data.result.map(({ metric, value: [at, text] }) => frame(query, metric, Math.round(at * 1000), Number(text)));
    // An empty result has one frame without fields.
    const empty = { schema: { refId: query.refId, meta: {}, fields: [] }, data: { values: [] } };
    return { status, frames: frames.length > 0 ? frames : [empty] };
  } catch {
    return failed(status, `ReadObject: expect { or , or } or n, but found ${content.toString("utf8").slice(0, 1)}`);
  }
}

function frame({ refId }: Query, labels: Record<string, string>, at: number, value: number) {
  const time = { name: "Time", type: "time", typeInfo: { frame: "time.Time" } };
  const number = { name: labels.__name__ || "Value", type: "number", typeInfo: { frame: "float64" }, labels };
  const meta = { type: "numeric-multi", typeVersion: [0, 1], custom: { resultType: "vector" } };
  return { schema: { refId, meta, fields: [time, number] }, data: { values: [[at], [value]] } };
}

/** An instant query, with the method of the datasource. */
export function promQuestion({ jsonData }: Datasource, query: string): Question {
  const form = String(new URLSearchParams({ query, time: String(Date.now() / 1000) }));
  if (jsonData.httpMethod === "GET") return { method: "GET", path: `/api/v1/query?${form}` };
  return { method: "POST", path: "/api/v1/query", content: form, contentType: "application/x-www-form-urlencoded" };
}
