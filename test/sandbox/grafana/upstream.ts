/** A stand-in for Grafana, part: requests to the server behind a datasource, with the datasource's credentials. */
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Datasource } from "./state";

export interface Reply {
  status: number;
  /** For example "404 Not Found". */
  statusLine: string;
  contentType: string | undefined;
  content: Buffer;
}

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
  const request = target.startsWith("https:") ? requestHttps : requestHttp;
  return new Promise<Reply>((resolve, reject) => {
    const fail = (error: Error) => reject(new Error(`${goMethod(method)} "${target}": ${goReason(error)}`));
    const sent = request(target, { ...tls, method, headers, agent: false, timeout: 10_000 }, (response) => {
      const chunks: Buffer[] = [];
      const { statusCode: status = 0, statusMessage = "" } = response;
      const contentType = response.headers["content-type"];
      response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", fail);
      response.on("end", () => resolve({ status, statusLine: `${status} ${statusMessage}`, contentType, content: Buffer.concat(chunks) }));
    });
    sent.on("timeout", () => sent.destroy(new Error("context deadline exceeded"))).on("error", fail);
    sent.end(content);
  });
}

const goMethod = (method: string) => method.slice(0, 1) + method.slice(1).toLowerCase();

function goReason(error: NodeJS.ErrnoException & { address?: string; port?: number; hostname?: string }): string {
  if (error.code === "ECONNREFUSED") return `dial tcp ${error.address}:${error.port}: connect: connection refused`;
  return error.code === "ENOTFOUND" ? `dial tcp: lookup ${error.hostname}: no such host` : error.message;
}
