/** The recipient of each key: one origin, and there only the requests that require it. */
import { expect } from "vitest";
import type { RawRequest } from "../../support/raw-server";
import type { Received } from "../../support/sandbox";
import { findSecrets } from "./search";

/** A part of a request, and the settings whose secrets it may contain. */
interface Part {
  what: string;
  text: string;
  may: RegExp;
}

const nothing = /^$/;

/** Requests that create or change a datasource contain its credentials. */
const writesDatasource = /^(POST|PUT) \S*\/api\/datasources/;

function ofSandbox({ server, path, text }: Received): Part {
  const [, store] = /^\/(prometheus|loki|tempo|otlp)\//.exec(path) ?? [];
  const may = {
    cloud: /^cloudAccessPolicyToken$/,
    grafana: writesDatasource.test(text) ? /^(grafanaAuth|(prometheus|loki|tempo)Password)$/ : /^grafanaAuth$/,
    backends: store === "otlp" ? /^otlpToken$/ : new RegExp(`^${store}Password$`),
  };
  return { what: `${server}: ${text.split("\n", 1)[0]}`, text: Buffer.from(text, "latin1").toString("utf8"), may: may[server] };
}

/** The service's key in the headers of any request, the platform's key in the body of a registration. */
function ofService({ method, path, head, body }: RawRequest): Part[] {
  const registers = method === "POST" && path === "/api/connections";
  return [
    { what: `service: ${method} ${path}, head`, text: head, may: path === "/api/connections" ? /^serviceApiKey$/ : nothing },
    { what: `service: ${method} ${path}, body`, text: body, may: registers ? /^platformApiKey$/ : nothing },
  ];
}

/**
 * Expects that every key was sent to its recipient, and to no other.
 *
 * @param secrets by the names of their settings
 */
export function expectAtTheirRecipients(
  received: readonly Received[],
  registrations: readonly RawRequest[],
  secrets: Readonly<Record<string, string>>,
): void {
  const parts = [...received.map(ofSandbox), ...registrations.flatMap(ofService)];
  const found = parts.flatMap(({ what, text, may }) => findSecrets(text, secrets).map(({ secret }) => ({ what, secret, may })));
  expect(found.filter(({ secret, may }) => !may.test(secret)).map(({ what, secret }) => `${secret} at ${what}`)).toEqual([]);
  expect([...new Set(found.map(({ secret }) => secret))].sort()).toEqual(Object.keys(secrets).sort());
}
