/** A stand-in for Grafana, part: requests, responses and refusals. */
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import type { GrafanaState, Level, Org, Role } from "./state";

export interface Answer {
  status: number;
  /** JSON, or raw bytes; undefined: an empty body. */
  body?: unknown;
  contentType?: string | undefined;
  headers?: Record<string, string>;
}

/** The sender of a request. */
export interface Identity {
  /** Users and service accounts share their numbers. */
  id: number;
  role: Role;
}

/** A required permission. `permission` is its name in a refusal. */
export type RequiredPermission = { permission: string } & (
  | { role: Role }
  /** In the folder, or in the folder of the dashboard, with the uid in the path. */
  | { level: Level; of: "folder" | "dashboard" }
  /** In any folder. The handler checks the folder in the request's body. */
  | { level: Level; of: "any" }
);

/** An authenticated request. */
export interface Call {
  state: GrafanaState;
  /** The only organization. */
  org: Org;
  who: Identity;
  basePath: string;
  method: string;
  /** Parameters of the route's path. */
  params: Record<string, string>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  content: Buffer;
}

export interface Route {
  method: string;
  /** `:name` matches one segment, `*` at the end the rest. The matches are in `params`. */
  path: string;
  /** Defaults to any valid credential. */
  needs?: RequiredPermission;
  handle(call: Call): Answer | Promise<Answer>;
}

/** The content type of responses from Grafana's router and middleware. */
export const early = "application/json; charset=UTF-8";

/** A response to a request that the stand-in refuses. */
export class Refusal extends Error {
  constructor(readonly answer: Answer) {
    super(`refused with ${answer.status}`);
  }
}

export function refuse(status: number, body: Record<string, unknown>, contentType?: string): never {
  throw new Refusal({ status, body, contentType });
}

/** Refuses with an error that has a message id. */
export function refuseById(statusCode: number, messageId: string, message: string): never {
  return refuse(statusCode, { statusCode, messageId, message });
}

export const ok = (body?: unknown): Answer => ({ status: 200, body });

/** Parses the JSON body. Unlike Grafana, refuses unknown fields, so that a mistyped field fails a test. */
export function readBody<T>({ headers, content }: Call, schema: z.ZodType<T>): T {
  const bad = (why: string) => refuse(400, { message: `bad request data: ${why}` });
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

/** Refuses unknown query parameters, because the stand-in would not apply them. */
export function knownQuery(query: URLSearchParams, ...names: string[]): void {
  const unknown = [...query.keys()].find((name) => !names.includes(name));
  if (unknown) refuse(400, { message: `the stand-in does not support the query parameter ${unknown}` });
}

/** Refuses uids over 40 characters, or with characters that require escaping in a path. */
export function checkUid(uid: string): void {
  if (!/^[\w-]*$/.test(uid)) refuse(400, { message: "uid contains illegal characters" });
  if (uid.length > 40) refuse(400, { message: "uid too long, max 40 characters" });
}

/** The slug of a title in a URL. Titles with equal slugs count as equal. */
export const slugOf = (title: string) =>
  title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "-")
    .replace(/^-+|-+$/g, "") || encodeURIComponent(title);
