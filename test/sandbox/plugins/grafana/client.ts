/** The stand-in for the Grafana plugin: its requests, with the retries of the real plugin. */
import { type OutgoingHttpHeaders, STATUS_CODES } from "node:http";
import { setTimeout } from "node:timers/promises";
import { request } from "../../request";
import { goJson, type Values } from "../values";

/** Waits for seconds. Replaced in tests. */
export const clock = { pause: (seconds: number, signal: AbortSignal): Promise<void> => setTimeout(seconds * 1000, undefined, { signal }) };

/** One operation of the API. */
export interface Operation {
  /** The operation's name in the API's description, for errors. */
  name: string;
  /** Method and path, with names of `params` in braces. */
  route: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface ClientOptions {
  /** Up to and including `/api`. */
  base: URL;
  headers: OutgoingHttpHeaders;
  /** A CA certificate in PEM form. */
  ca: string | undefined;
  retries: number;
}

/** Whether a request is repeated after this status. */
const isPassing = (status: number) => [401, 412, 429].includes(status) || status >= 500;

export type Answer = { status: number; body: string };

/** A response that is not a success. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** The result of `asking`, or undefined for 404. */
export async function unlessMissing<T>(asking: Promise<T>): Promise<T | undefined> {
  return asking.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });
}

/** The same with the error message of the SDK's resources. */
export async function unlessGone<T>(kind: string, id: string, asking: Promise<T>): Promise<T | undefined> {
  return unlessMissing(asking).catch((error: Error) => {
    throw new Error(`error reading ${kind} with ID\`${id}\`: ${error.message}`);
  });
}

export class Client {
  constructor(private readonly options: ClientOptions) {}

  /** The body of the response, or an empty text. */
  async send<T = Values>(operation: Operation, signal: AbortSignal): Promise<T> {
    const { retries } = this.options;
    for (let n = 1; ; n++) {
      const outcome = await this.once(operation, signal).catch((error: Error) => error);
      if (!(outcome instanceof Error)) {
        const { status, body } = outcome;
        if (status < 300) return (body === "" ? {} : JSON.parse(body)) as T;
        if (!isPassing(status) || n > retries) throw new ApiError(describeGrafana(operation, outcome), status);
      } else if (n > retries || signal.aborted) throw outcome;
      await clock.pause(2 ** n, signal);
    }
  }

  private async once({ route, params = {}, query = {}, body, headers }: Operation, signal: AbortSignal): Promise<Answer> {
    const [method, template = ""] = route.split(" ");
    const { base, headers: common, ca } = this.options;
    const search = new URLSearchParams(query).toString();
    const path = template.replace(/\{(\w+)\}/g, (_all, name: string) => goPath(params[name] ?? ""));
    const url = new URL(`${base.href}${path}${search && `?${search}`}`);
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const length = payload === undefined ? {} : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(payload) };
    const options = { method, headers: { Accept: "application/json", ...common, ...headers, ...length }, signal, ca };
    const { status, content } = await request(url, options, payload).catch((error: Error) => {
      throw new Error(`${method} "${url.href}": ${error.message}`);
    });
    return { status, body: content.toString("utf8") };
  }
}

/** The statuses that the API client describes, for most operations. Source: `client/*_responses.go` of grafana-openapi-client-go 5b95bb183fae. */
const described = [400, 401, 403, 404, 409, 412, 422, 500];

function describeGrafana({ name, route }: Operation, { status, body }: Answer): string {
  if (!described.includes(status) || (name === "createFolder" && status === 412)) return `[${route}] ${name} (status ${status}): {}`;
  const operation = `${name[0]?.toLowerCase()}${name.slice(1)}`.replace("UID", "Uid");
  const reason = (STATUS_CODES[status] ?? "").replaceAll(" ", "");
  const { error, message = null, status: cause } = body.startsWith("{") ? JSON.parse(body) : { message: body.trim() };
  return `[${route}][${status}] ${operation}${reason} ${goJson({ ...(error && { error }), message, ...(cause && { status: cause }) })}`;
}

/** Escapes a path segment as `url.PathEscape` of Go. */
const goPath = (text: string): string =>
  encodeURIComponent(text)
    .replace(/%(24|26|2B|3A|3D|40)/g, (escaped) => decodeURIComponent(escaped))
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
