/**
 * A stand-in for the part of Grafana's HTTP API that the Pulumi plugin and this project's checks use: service accounts,
 * folders, dashboards, datasources, search, and alert rules. It responds like the recorded release 12.3, and 12.4 where the facts say so, and refuses more.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { aboutRoutes, health } from "./about";
import { accountRoutes } from "./accounts";
import { contactPointRoutes } from "./contact-points";
import { dashboardRoutes } from "./dashboards";
import { datasourceRoutes } from "./datasources";
import { folderRoutes } from "./folders";
import { healthRoutes } from "./health";
import { type Answer, type Call, early, Refusal, refuse } from "./http";
import { type Credentials, identify, unauthorized } from "./identity";
import { file, isFile, isPage, page } from "./page";
import { permissionRoutes } from "./permissions";
import { queryRoutes } from "./query";
import { authorize } from "./roles";
import { ruleRoutes } from "./rules";
import { searchRoutes } from "./search";
import { type GrafanaState, readState, writeGrafanaState } from "./state";

export interface GrafanaOptions extends Credentials {
  /** Path of the file with the state, which later runs read. */
  stateFile: string;
  /** For a Grafana under a sub-path, such as "/grafana". */
  basePath?: string;
  /**
   * As Grafana's setting `auth.anonymous`: requests without credentials have this role in the main organization. Defaults to none. Grafana 12.4
   * gives it to requests with an unknown token, too; the stand-in refuses them.
   */
  anonymous?: "Viewer";
  /** Folder of the page for dashboards and folders: `index.html` and its files. Without it, their paths do not exist. */
  viewFolder?: string;
  /** Called in each phase of a request. The request waits for the promise; an answer at its arrival takes the place of Grafana's. */
  observe?: Observer | undefined;
}

/** The phase of a request: received, handled before the response, response sent. */
export type Phase = "arrived" | "handled" | "answered";

export type ObservedRequest = { method: string; path: string; body: string };

export type Observer = (request: ObservedRequest, phase: Phase) => Promise<Answer | undefined> | undefined;

export const routes = [
  ...[...aboutRoutes, ...accountRoutes, ...folderRoutes, ...permissionRoutes, ...dashboardRoutes],
  ...[...searchRoutes, ...datasourceRoutes, ...healthRoutes, ...queryRoutes, ...ruleRoutes, ...contactPointRoutes],
];
const matchers = routes.map((route) => ({ route, pattern: patternOf(route.path) }));

/** The options and the state of a running server. */
type Running = GrafanaOptions & { state: GrafanaState };

export function createGrafana(options: GrafanaOptions): Server {
  const running: Running = { ...options, state: readState(options.stateFile) };
  return createServer((request, response) => void exchange(request, response, running));
}

async function exchange(request: IncomingMessage, response: ServerResponse, running: Running): Promise<void> {
  const { method = "", url = "" } = request;
  const content = await buffer(request).catch(() => undefined);
  if (!content) return; // The client has disconnected.
  const observe = async (phase: Phase) => running.observe?.({ method, path: url, body: content.toString("utf8") }, phase);
  const answer = (await observe("arrived")) ?? (await answerTo(request, content, running));
  if (method !== "GET") writeGrafanaState(running.stateFile, running.state);
  await observe("handled");
  response.once("finish", () => void observe("answered"));
  send(response, answer);
}

async function answerTo(request: IncomingMessage, content: Buffer, running: Running): Promise<Answer> {
  try {
    return await serve(request, content, running);
  } catch (error) {
    if (!(error instanceof Refusal)) return { status: 500, body: { message: `the stand-in failed: ${String(error)}` } };
    return error.answer;
  }
}

async function serve(request: IncomingMessage, content: Buffer, running: Running): Promise<Answer> {
  const { method = "", headers } = request;
  const { basePath = "", state } = running;
  const url = new URL(request.url ?? "", "http://grafana");
  const path = url.pathname.startsWith(`${basePath}/`) ? url.pathname.slice(basePath.length) : "";
  if (path === "/api/health" && method === "GET") return health;
  const { viewFolder } = running;
  if (viewFolder !== undefined && isFile(method, path)) return file(viewFolder, path);
  // Grafana responds to a wrong method as to a wrong path.
  const found = matchers.find(({ route, pattern }) => route.method === method && pattern.test(path));
  // Wrong credentials are refused at every path, missing ones only at existing paths.
  const identified = identify(headers, running);
  const anonymous = running.anonymous && { id: 0, role: running.anonymous };
  const identity = () => identified ?? anonymous ?? unauthorized("auth.unauthorized", "Unauthorized");
  if (viewFolder !== undefined && isPage(method, path)) {
    identity();
    return page(viewFolder);
  }
  if (!found) refuse(404, { message: `Not found: the stand-in does not have ${method} ${path}` }, early);
  const who = identity();

  const groups = Object.entries(found.pattern.exec(path)?.groups ?? {});
  const params = Object.fromEntries(groups.map(([name, value]) => [name, decodeURIComponent(value)]));
  const call: Call = { state, org: state.org, who, basePath, method, params, query: url.searchParams, headers, content };
  if (found.route.needs) authorize(call, found.route.needs);
  return found.route.handle(call);
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/:(\w+)/g, "(?<$1>[^/]+)").replace(/\*$/, "(?<rest>.*)")}/?$`);
}

function send(response: ServerResponse, { status, body, contentType = "application/json", headers }: Answer): void {
  response.writeHead(status, { "Content-Type": contentType, ...headers });
  response.end(body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body));
}
