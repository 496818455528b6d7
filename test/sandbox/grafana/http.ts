/** A stand-in for Grafana, part: what a request and an answer are, and how a request is refused. */
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import type { Identity, Remembered } from "./identity";
import type { Need } from "./roles";
import type { GrafanaState, Org } from "./state";

/** The releases of Grafana that were recorded. */
export type Release = "9.4" | "12.3";

/** The release that the stand-in for Grafana answers as, by the variable SANDBOX_GRAFANA_RELEASE: "9.4" or "12.3", which is the default. */
export function releaseOfEnvironment(): Release {
  const release = process.env.SANDBOX_GRAFANA_RELEASE || "12.3";
  if (release === "9.4" || release === "12.3") return release;
  throw new Error(`SANDBOX_GRAFANA_RELEASE is ${release}: set it to 9.4 or 12.3`);
}

export interface Answer {
  status: number;
  /** JSON, or raw bytes; undefined: an empty body. */
  body?: unknown;
  contentType?: string | undefined;
}

/** A request whose sender is known. */
export interface Call {
  release: Release;
  state: GrafanaState;
  /** The organization that is asked: nothing of another one is seen or changed. */
  org: Org;
  who: Identity;
  remembered: Remembered;
  basePath: string;
  method: string;
  /** From the route's path. */
  params: Record<string, string>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  content: Buffer;
}

export interface Route {
  method: string;
  /** `:name` stands for one segment, `*` at the end for the rest; they come as `params`. */
  path: string;
  /** Without it, any valid credential is enough. */
  needs?: Need;
  handle(call: Call): Answer | Promise<Answer>;
}

/** JSON as the part of Grafana writes it that answers before a route's own code does. */
export const early = "application/json; charset=UTF-8";

/** Thrown by whatever finds out that a request cannot be served. */
export class Refusal extends Error {
  constructor(readonly answer: Answer) {
    super(`refused with ${answer.status}`);
  }
}

/** Grafana 9.4 adds an empty `traceID` where an error of its own lies behind the answer, so `body` says which; `answerOf` drops it for 12.3. */
export function refuse(status: number, body: Record<string, unknown>, contentType?: string): never {
  throw new Refusal({ status, body, contentType });
}

/** The form of those refusals that have an id for translators. */
export function refuseById(statusCode: number, messageId: string, message: string): never {
  return refuse(statusCode, { statusCode, messageId, message, traceID: "" });
}

export const ok = (body?: unknown): Answer => ({ status: 200, body });

/** Unlike Grafana, which drops what it does not know, this refuses it: a mistyped field must not pass a test. */
export function readBody<T>({ headers, content }: Call, schema: z.ZodType<T>): T {
  const bad = (why: string) => refuse(400, { message: `bad request data: ${why}`, traceID: "" });
  if (!/^application\/json\s*(;|$)/.test(headers["content-type"] ?? "")) return bad("Content-Type must be application/json");
  let json: unknown;
  try {
    json = JSON.parse(content.toString("utf8"));
  } catch {
    return bad("invalid JSON");
  }
  const result = schema.safeParse(json);
  return result.success ? result.data : bad(z.prettifyError(result.error));
}

/** Like unknown fields: a filter that is not applied here must not look as if it were. */
export function knownQuery(query: URLSearchParams, ...names: string[]): void {
  const unknown = [...query.keys()].find((name) => !names.includes(name));
  if (unknown) refuse(400, { message: `the stand-in does not know the query parameter ${unknown}` });
}

/** What `limit` and `page` cut out of a list; past its end nothing. */
export function onePage<T>(items: T[], query: URLSearchParams, defaultLimit = 1000): T[] {
  const limit = Number(query.get("limit")) || defaultLimit;
  const page = Number(query.get("page")) || 1;
  return items.slice((page - 1) * limit, page * limit);
}

export const now = () => new Date().toISOString().replace(/\.\d+Z$/, "Z");

/** 40 characters at most, of those that need no escape in a path. */
export function checkUid(uid: string): void {
  if (!/^[\w-]*$/.test(uid)) refuse(400, { message: "uid contains illegal characters", traceID: "" });
  if (uid.length > 40) refuse(400, { message: "uid too long, max 40 characters", traceID: "" });
}

/** The part of an address that is made of a title; titles are taken to be equal where their slugs are. */
export const slugOf = (title: string) =>
  title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "-")
    .replace(/^-+|-+$/g, "") || encodeURIComponent(title);
