/** A stand-in for Grafana, part: requests to the server behind a datasource, with the datasource's credentials. */
import { request } from "../request";
import type { Datasource } from "./state";

export interface Question {
  method: string;
  /** Path and query, relative to the datasource's URL. */
  path: string;
  content?: Buffer | string | undefined;
  contentType?: string | undefined;
}

/** @throws Error with the message of Grafana's HTTP client, without a response */
export async function ask({ url, jsonData, secrets, ...datasource }: Datasource, { method, path, content, contentType }: Question) {
  const target = `${url.replace(/\/+$/, "")}${path}`;
  const headers: Record<string, string> = contentType ? { "Content-Type": contentType } : {};
  if (datasource.basicAuth) {
    const credentials = `${datasource.basicAuthUser}:${secrets.basicAuthPassword ?? ""}`;
    headers.Authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
  }
  for (const [key, name] of Object.entries(jsonData)) {
    const [, number] = /^httpHeaderName(\d+)$/.exec(key) ?? [];
    if (number) headers[String(name)] = secrets[`httpHeaderValue${number}`] ?? "";
  }
  const tls = { ...(jsonData.tlsAuthWithCACert ? { ca: secrets.tlsCACert } : {}), rejectUnauthorized: !jsonData.tlsSkipVerify };
  return request(new URL(target), { ...tls, method, headers, timeout: 10_000 }, content).catch((error: Error) => {
    throw new Error(`${goMethod(method)} "${target}": ${goReason(error)}`);
  });
}

const goMethod = (method: string) => method.slice(0, 1) + method.slice(1).toLowerCase();

function goReason(error: NodeJS.ErrnoException & { address?: string; port?: number; hostname?: string }): string {
  if (error.code === "ECONNREFUSED") return `dial tcp ${error.address}:${error.port}: connect: connection refused`;
  return error.code === "ENOTFOUND" ? `dial tcp: lookup ${error.hostname}: no such host` : error.message;
}
