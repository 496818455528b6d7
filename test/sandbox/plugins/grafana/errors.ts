/** The stand-in for the Grafana plugin: error messages for the responses of a server. */
import { STATUS_CODES } from "node:http";
import { goJson, type Values } from "../values";
import type { Answer, Operation } from "./client";

/** The statuses that the API client describes, for most operations. Source: `client/*_responses.go` of grafana-openapi-client-go 5b95bb183fae. */
const described = [400, 401, 403, 404, 409, 412, 422, 500];

export function describeGrafana({ name, route }: Operation, { status, type, body }: Answer): string {
  if (!described.includes(status) || (name === "createFolder" && status === 412)) return `[${route}] ${name} (status ${status}): {}`;
  const unread = /AlertRule/.test(name) && status === 404;
  if (!unread && type.startsWith("text/")) {
    return "&{ <nil> } (*models.ErrorResponseBody) is not supported by the TextConsumer, can be resolved by supporting TextUnmarshaler interface";
  }
  const operation = `${name[0]?.toLowerCase()}${name.slice(1)}`.replace("UID", "Uid");
  const reason = (STATUS_CODES[status] ?? "").replaceAll(" ", "");
  return `[${route}][${status}] ${operation}${reason}${unread ? "" : ` ${payload(name, status, parsed(body))}`}`;
}

/** The fields of a response that the API client describes. */
function payload(name: string, status: number, { error, message, status: cause, body }: Values): string {
  if (!/AlertRule/.test(name))
    return goJson({ ...(error ? { error } : {}), message: message ?? null, ...(cause ? { status: cause } : {}) });
  if (status === 403) return goJson(body ? { body } : {});
  return goJson(message ? { message } : {});
}

/** An empty body counts as an empty object. */
function parsed(body: string): Values {
  if (body.trim() === "") return {};
  try {
    return JSON.parse(body) as Values;
  } catch {
    throw new Error(`invalid character '${body.trim()[0]}' looking for beginning of value`);
  }
}
