/** A stand-in for Grafana, part: queries to the Prometheus behind a datasource, with data frames in the response. */
import { z } from "zod";
import { datasourceBehind } from "./datasources";
import { type Answer, type Call, ok, type Route, readBody, refuse } from "./http";
import type { Datasource } from "./state";
import { ask, type Question } from "./upstream";

/** The common fields of a query. The other ones depend on the datasource. */
const querySchema = z.looseObject({
  refId: z.string().default("A"),
  datasource: z.looseObject({ uid: z.string(), type: z.string().optional() }),
  expr: z.string().default(""),
  instant: z.boolean().optional(),
  range: z.boolean().optional(),
  legendFormat: z.string().optional(),
});
const bodySchema = z.strictObject({
  queries: z.array(querySchema),
  from: z.string().optional(),
  to: z.string().optional(),
  debug: z.boolean().optional(),
});
type Query = z.infer<typeof querySchema>;
type Result = { status: number; frames: unknown[]; error?: string; errorSource?: string };

const sampleSchema = z.tuple([z.number(), z.string()]);
const replySchema = z.union([
  z.object({ status: z.literal("error"), errorType: z.string(), error: z.string() }),
  z.object({ data: z.object({ resultType: z.literal("scalar"), result: sampleSchema }) }),
  z.object({
    data: z.object({
      resultType: z.literal("vector"),
      result: z.array(z.object({ metric: z.record(z.string(), z.string()), value: sampleSchema })),
    }),
  }),
]);

export const queryRoutes: Route[] = [
  { method: "POST", path: "/api/ds/query", needs: { permission: "datasources:query", role: "Viewer" }, handle: queryAll },
];

async function queryAll(call: Call): Promise<Answer> {
  const { queries, to = "now" } = readBody(call, bodySchema);
  if (!queries.length) refuse(400, { message: "No queries found" });
  const asked = queries.map((query) => {
    const datasource = datasourceBehind(call, query.datasource.uid);
    return { query, datasource: datasource ?? refuse(404, { message: "Data source not found" }) };
  });
  const at = momentOf(to);
  const results: Record<string, Result> = {};
  for (const { query, datasource } of asked) results[query.refId] = await queryOne(query, datasource, at);
  return Object.values(results).some(({ error }) => error !== undefined) ? { status: 400, body: { results } } : ok({ results });
}

async function queryOne(query: Query, datasource: Datasource, at: number): Promise<Result> {
  const failed = (status: number, error: string): Result => {
    return { status, error, errorSource: "downstream", frames: [] };
  };
  if (datasource.type !== "prometheus" || !query.instant || query.range) {
    return failed(400, "the stand-in only answers instant queries of Prometheus");
  }
  let status: number;
  let content: Buffer;
  try {
    ({ status, content } = await ask(datasource, promQuestion(datasource, query.expr, at)));
  } catch (unreachable) {
    return failed(502, (unreachable as Error).message);
  }
  try {
    const reply = replySchema.parse(JSON.parse(content.toString("utf8")));
    if (!("data" in reply)) return failed(status, `${reply.errorType}: ${reply.error}`);
    const { resultType, result } = reply.data;
    const samples = resultType === "scalar" ? [{ metric: {}, value: result }] : result;
    const frames = samples.map(({ metric, value }) => frame(query, resultType, metric, value));
    // An empty result has one frame without fields.
    const empty = { schema: { refId: query.refId, meta: {}, fields: [] }, data: { values: [] } };
    const [first = empty, ...others] = frames;
    Object.assign(first.schema.meta, { executedQueryString: `Expr: ${query.expr}\nStep: 15s` });
    return { status, frames: [first, ...others] };
  } catch {
    return failed(status, `ReadObject: expect { or , or } or n, but found ${content.toString("utf8").slice(0, 1)}`);
  }
}

function frame(query: Query, resultType: string, labels: Record<string, string>, [at, text]: [number, string]) {
  const { __name__: name, ...others } = labels;
  const pairs = Object.entries(others).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  const full = pairs.length || name === undefined ? `${name ?? ""}{${pairs.sort().join(", ")}}` : name;
  const legend = query.legendFormat?.replace(/\{\{\s*(.+?)\s*\}\}/g, (_, label: string) => labels[label] ?? "");
  const displayNameFromDS = query.legendFormat && query.legendFormat !== "__auto" ? legend : full === "{}" ? query.expr : full;
  const value = Number(text.replace("Inf", "Infinity"));
  const special = Number.isNaN(value) ? "NaN" : value > 0 ? "Inf" : "NegInf";
  // JSON has no such numbers: the value is null, and `entities` has its position.
  const entities = Number.isFinite(value) ? {} : { entities: [null, { [special]: [0] }] };
  return {
    schema: {
      refId: query.refId,
      meta: { type: "numeric-multi", typeVersion: [0, 1], custom: { resultType } },
      fields: [
        { name: "Time", type: "time", typeInfo: { frame: "time.Time" }, config: { interval: 15_000 } },
        {
          ...{ name: name || "Value", type: "number", typeInfo: { frame: "float64" }, labels },
          config: { displayNameFromDS },
        },
      ],
    },
    data: { values: [[Math.round(at * 1000)], [Number.isFinite(value) ? value : null]], ...entities },
  };
}

/** An instant query, with the method of the datasource. */
export function promQuestion({ jsonData }: Datasource, query: string, at: number): Question {
  const form = String(new URLSearchParams({ query, time: String(at / 1000) }));
  if (jsonData.httpMethod === "GET") return { method: "GET", path: `/api/v1/query?${form}` };
  return { method: "POST", path: "/api/v1/query", content: form, contentType: "application/x-www-form-urlencoded" };
}

/** Milliseconds since 1970 of "now", "now-5m" or such a number. */
function momentOf(text: string): number {
  const [, number, count = "0", unit = "s"] = /^(?:(\d+)|now(?:-(\d+)([smhd]))?)$/.exec(text) ?? refuse(400, { message: "bad time range" });
  const seconds = { s: 1, m: 60, h: 3600, d: 86_400 }[unit] ?? 0;
  return number ? Number(number) : Date.now() - Number(count) * seconds * 1000;
}
