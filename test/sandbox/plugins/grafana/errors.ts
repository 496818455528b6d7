/** The stand-in for the Grafana plugin: error messages for the responses of a server. */
import { STATUS_CODES } from "node:http";
import { goJson } from "../values";
import type { Answer, Operation } from "./client";

/** The statuses that the API client describes, for most operations. Source: `client/*_responses.go` of grafana-openapi-client-go 5b95bb183fae. */
const described = [400, 401, 403, 404, 409, 412, 422, 500];

export function describeGrafana({ name, route }: Operation, { status, body }: Answer): string {
  if (!described.includes(status) || (name === "createFolder" && status === 412)) return `[${route}] ${name} (status ${status}): {}`;
  const operation = `${name[0]?.toLowerCase()}${name.slice(1)}`.replace("UID", "Uid");
  const reason = (STATUS_CODES[status] ?? "").replaceAll(" ", "");
  const { error, message = null, status: cause } = body.startsWith("{") ? JSON.parse(body) : { message: body.trim() };
  return `[${route}][${status}] ${operation}${reason} ${goJson({ ...(error && { error }), message, ...(cause && { status: cause }) })}`;
}
