/**
 * A stand-in for Grafana's HTTP API as far as the genuine Pulumi plugin and this repository's checks use it: organizations, service accounts,
 * folders, dashboards, datasources, search, alert rules, and the cloud's access policies. It answers as one of two releases of Grafana was recorded to, and
 * is stricter about what it accepts.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { aboutRoutes, healthOf } from "./about";
import { accountRoutes } from "./accounts";
import { cloudRoutes } from "./cloud";
import { contactPointRoutes } from "./contact-points";
import { dashboardRoutes } from "./dashboards";
import { datasourceRoutes } from "./datasources";
import { folderRoutes } from "./folders";
import { healthRoutes } from "./health";
import { historyRoutes } from "./history";
import { type Answer, type Call, early, Refusal, type Release, refuse } from "./http";
import { type Credentials, identify, type Remembered, unauthorized } from "./identity";
import { orgRoutes } from "./orgs";
import { permissionRoutes } from "./permissions";
import { queryRoutes } from "./query";
import { authorize } from "./roles";
import { ruleRoutes } from "./rules";
import { searchRoutes } from "./search";
import { emptyOrg, type GrafanaState, type LoggedRequest, readState, writeGrafanaState } from "./state";

export interface GrafanaOptions extends Credentials {
  /** Keeps the state, so that runs build on each other. */
  stateFile: string;
  /** For a Grafana under a sub-path, such as "/grafana". */
  basePath?: string;
  /** The newest one by default. */
  release?: Release;
  /** Authorises access policies and their tokens, which are the cloud's; without it there are no such paths. */
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

const routes = [
  ...[...aboutRoutes, ...orgRoutes, ...accountRoutes, ...folderRoutes, ...permissionRoutes, ...dashboardRoutes, ...historyRoutes],
  ...[...searchRoutes, ...datasourceRoutes, ...healthRoutes, ...queryRoutes, ...ruleRoutes, ...contactPointRoutes],
];
const matchers = [...routes, ...cloudRoutes].map((route) => ({ route, pattern: patternOf(route.path) }));
const cloudPath = /^\/api\/v1\/(accesspolicies|tokens)(\/|$)/;

/** The options and the state of a server; `remembered` is a cache in memory. */
interface Running extends GrafanaOptions {
  release: Release;
  state: GrafanaState;
  remembered: Remembered;
}

export function createGrafana(options: GrafanaOptions): Server {
  const running: Running = { release: "12.3", ...options, state: readState(options.stateFile), remembered: new Map() };
  return createServer((request, response) => void exchange(request, response, running));
}

async function exchange(request: IncomingMessage, response: ServerResponse, running: Running): Promise<void> {
  const { method = "", url = "" } = request;
  const content = await buffer(request).catch(() => undefined);
  if (!content) return; // Who asked is gone.
  const observe = async (phase: Phase) => running.observe?.({ method, path: url, body: content.toString("utf8") }, phase);
  await observe("arrived");
  const answer = await answerTo(request, content, running);
  // Nothing of the program puts a credential into an address, but what arrives here may come from anywhere.
  const path = url.replace(/([?&][^=&]*(?:token|key|secret|password)[^=&]*=)[^&]*/gi, "$1…");
  if (method !== "GET") writeGrafanaState(running.stateFile, running.state);
  running.log?.({ at: new Date().toISOString(), method, path, status: answer.status });
  await observe("handled");
  response.once("finish", () => void observe("answered"));
  send(response, answer);
}

async function answerTo(request: IncomingMessage, content: Buffer, running: Running): Promise<Answer> {
  try {
    return await serve(request, content, running);
  } catch (error) {
    if (!(error instanceof Refusal)) return { status: 500, body: { message: `the stand-in failed: ${String(error)}` } };
    const { body, ...answer } = error.answer;
    const { traceID, ...untraced } = body as Record<string, unknown>;
    return { ...answer, body: running.release === "12.3" && answer.contentType !== early ? untraced : body };
  }
}

async function serve(request: IncomingMessage, content: Buffer, running: Running): Promise<Answer> {
  const { method = "", headers } = request;
  const { basePath = "", cloudToken, release, state, remembered } = running;
  const url = new URL(request.url ?? "", "http://grafana");
  const path = url.pathname.startsWith(`${basePath}/`) ? url.pathname.slice(basePath.length) : "";
  if (path === "/api/health" && method === "GET") return healthOf(release);
  // Grafana does not tell a wrong method from a wrong path.
  const found = matchers.find(({ route, pattern }) => route.method === method && pattern.test(path));
  const cloud = cloudToken !== undefined && cloudPath.test(path);
  const known = found !== undefined && cloud === cloudRoutes.includes(found.route);
  // A wrong credential is refused at any path, a missing one only where there is something to see.
  const identified = cloud ? undefined : identify(headers, running);
  if (cloud && headers.authorization !== `Bearer ${cloudToken}`) {
    refuse(401, { code: "InvalidCredentials", message: "Token invalid or missing" });
  }
  if (!known) return { status: 404, body: { message: "Not found" }, contentType: early };
  const asker = identified ?? (cloud ? nobody : unauthorized(release, "auth.unauthorized", "Unauthorized"));

  const groups = Object.entries(found.pattern.exec(path)?.groups ?? {});
  const params = Object.fromEntries(groups.map(([name, value]) => [name, decodeURIComponent(value)]));
  const call: Call = { release, state, ...asker, remembered, basePath, method, params, query: url.searchParams, headers, content };
  if (found.route.needs) authorize(call, found.route.needs);
  return found.route.handle(call);
}

/** The cloud has neither Grafana's identities nor its organizations. */
const nobody: Pick<Call, "who" | "org"> = {
  who: { id: 0, uid: "", login: "cloud", email: "", isServiceAccount: false, role: undefined, serverAdmin: false, author: "cloud" },
  org: emptyOrg(0, ""),
};

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/:(\w+)/g, "(?<$1>[^/]+)").replace(/\*$/, "(?<rest>.*)")}/?$`);
}

function send(response: ServerResponse, { status, body, contentType = "application/json" }: Answer): void {
  response.writeHead(status, { "Content-Type": contentType });
  response.end(body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body));
}
