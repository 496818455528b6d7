/**
 * A stand-in for Grafana's HTTP API as far as the genuine Pulumi plugin and this repository's checks use it: folders, dashboards,
 * datasources, search, and the cloud's access policies. It answers as Grafana 9.4 was recorded to, and is stricter about what it accepts.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { cloudRoutes } from "./cloud";
import { dashboardRoutes } from "./dashboards";
import { datasourceRoutes } from "./datasources";
import { folderRoutes } from "./folders";
import { healthRoutes } from "./health";
import { type Answer, type Call, early, ok, Refusal, type Route, refuse } from "./http";
import { permissionRoutes } from "./permissions";
import { queryRoutes } from "./query";
import { searchRoutes } from "./search";
import { type GrafanaState, type LoggedRequest, readGrafanaState, writeGrafanaState } from "./state";

export interface GrafanaOptions {
  /** Of a service account. */
  token: string;
  basic?: { user: string; password: string };
  /** Keeps the state, so that runs build on each other. */
  stateFile: string;
  /** For a Grafana under a sub-path, such as "/grafana". */
  basePath?: string;
  /** The health of datasources and what a failing one looks like differ; the newer one by default. */
  version?: "9.4" | "12";
  /** Authorises `/api/v1`, which is the cloud's; without it there is no such path. */
  cloudToken?: string;
  /** Told of each request when it is answered. */
  log?: (request: LoggedRequest) => void;
  /** Told of each request at these points of its life; a promise holds it there. */
  observe?: Observer | undefined;
}

/** Where a request is: read but not acted on, acted on but not answered, answered. */
export type Phase = "arrived" | "handled" | "answered";

export interface ObservedRequest {
  method: string;
  path: string;
  body: string;
}

export type Observer = (request: ObservedRequest, phase: Phase) => Promise<void> | undefined;

const address = { address1: "", address2: "", city: "", zipCode: "", state: "", country: "" };
const orgRoutes: Route[] = [{ method: "GET", path: "/api/org", handle: () => ok({ id: 1, name: "Main Org.", address }) }];
const routes = [orgRoutes, folderRoutes, permissionRoutes, dashboardRoutes, searchRoutes, datasourceRoutes, healthRoutes, queryRoutes];
const matchers = [...routes.flat(), ...cloudRoutes].map((route) => ({ route, pattern: patternOf(route.path) }));

export function createGrafana(options: GrafanaOptions): Server {
  const state = readGrafanaState(options.stateFile);
  return createServer((request, response) => void exchange(request, response, options, state));
}

async function exchange(request: IncomingMessage, response: ServerResponse, options: GrafanaOptions, state: GrafanaState): Promise<void> {
  const { method = "", url = "" } = request;
  const content = await buffer(request).catch(() => undefined);
  if (!content) return; // Who asked is gone.
  const observe = async (phase: Phase) => options.observe?.({ method, path: url, body: content.toString("utf8") }, phase);
  await observe("arrived");
  const answer = await answerTo(request, content, options, state);
  // Nothing of the program puts a credential into an address, but what arrives here may come from anywhere.
  const path = url.replace(/([?&][^=&]*(?:token|key|secret|password)[^=&]*=)[^&]*/gi, "$1…");
  if (method !== "GET") writeGrafanaState(options.stateFile, state);
  options.log?.({ at: new Date().toISOString(), method, path, status: answer.status });
  await observe("handled");
  response.once("finish", () => void observe("answered"));
  send(response, answer);
}

async function answerTo(request: IncomingMessage, content: Buffer, options: GrafanaOptions, state: GrafanaState): Promise<Answer> {
  try {
    return await serve(request, content, options, state);
  } catch (error) {
    return error instanceof Refusal ? error.answer : { status: 500, body: { message: `the stand-in failed: ${String(error)}` } };
  }
}

async function serve(request: IncomingMessage, content: Buffer, options: GrafanaOptions, state: GrafanaState): Promise<Answer> {
  const { method = "", headers } = request;
  const { basePath = "", version = "12", cloudToken } = options;
  const url = new URL(request.url ?? "", "http://grafana");
  const path = url.pathname.startsWith(`${basePath}/`) ? url.pathname.slice(basePath.length) : "";
  if (path === "/api/health" && method === "GET") {
    return ok({ commit: "stand-in", database: "ok", version: version === "12" ? "12.0.0" : "9.4.0-pre" });
  }
  // Grafana does not tell a wrong method from a wrong path.
  const found = matchers.find(({ route, pattern }) => route.method === method && pattern.test(path));
  const cloud = path.startsWith("/api/v1/") && cloudToken !== undefined;
  const known = found !== undefined && cloud === cloudRoutes.includes(found.route);
  const login = cloud ? cloudLogin(headers.authorization, cloudToken) : grafanaLogin(request, options, known);
  if (!known) return { status: 404, body: { message: "Not found" }, contentType: early };

  const groups = Object.entries(found.pattern.exec(path)?.groups ?? {});
  const params = Object.fromEntries(groups.map(([name, value]) => [name, decodeURIComponent(value)]));
  const call: Call = { state, version, basePath, login, method, params, query: url.searchParams, headers, content };
  return found.route.handle(call);
}

/** A wrong credential is refused at any path, a missing one only where there is something to see. */
function grafanaLogin({ headers }: IncomingMessage, { token, basic }: GrafanaOptions, known: boolean): string {
  const [, scheme, credential = ""] = /^(Bearer|Basic) (.*)$/.exec(headers.authorization ?? "") ?? [];
  const [, user, password] = scheme === "Basic" ? (/^([^:]*):(.*)$/.exec(Buffer.from(credential, "base64").toString("utf8")) ?? []) : [];
  const org = headers["x-grafana-org-id"] ?? "1";
  if (!scheme) return known ? refuse(401, { message: "Unauthorized" }, early) : "";
  if (scheme === "Bearer" || user === "api_key") {
    if ((password ?? credential) !== token) refuse(401, { message: "invalid API key", traceID: "" }, early);
    if (org !== "1") refuse(401, { message: "API key does not belong to the requested organization", traceID: "" }, early);
    return "Anonymous";
  }
  if (!basic || user !== basic.user || password !== basic.password || org !== "1") {
    refuse(401, { message: "Invalid username or password", traceID: "" }, early);
  }
  return basic.user;
}

function cloudLogin(authorization: string | undefined, cloudToken: string): string {
  if (authorization !== `Bearer ${cloudToken}`) refuse(401, { code: "InvalidCredentials", message: "Token invalid or missing" });
  return "cloud";
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/:(\w+)/g, "(?<$1>[^/]+)").replace(/\*$/, "(?<rest>.*)")}/?$`);
}

function send(response: ServerResponse, { status, body, contentType = "application/json" }: Answer): void {
  response.writeHead(status, status === 204 ? {} : { "Content-Type": contentType });
  response.end(body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body));
}
