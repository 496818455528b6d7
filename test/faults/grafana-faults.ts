/** Faults of Grafana during a deployment, with their messages. The deployment recovers from all of them: see `grafana.test.ts`. */
import type { Fault } from "./grafana/front";

export interface GrafanaFault {
  what: string;
  fault: Omit<Fault, "before"> | "connection refused" | "concurrent save";
  /** Parts of the message. */
  says: string[];
  /** The preflight fails before any resource is declared; the plugin fails while it saves one. */
  reportedBy: "preflight" | "plugin";
}

const any = () => true;
const saving = (method: string, path: string) => method !== "GET" && /^\/api\/(dashboards|folders)/.test(path);
const json = (status: number, message: string) => ({ status, body: JSON.stringify({ message }) });

const log = "Check Grafana's log, then run `pulumi up` again.";

export const grafanaFaults: readonly GrafanaFault[] = [
  {
    what: "412 for a concurrent save",
    fault: "concurrent save",
    says: ["412", "The dashboard has been changed by someone else"],
    reportedBy: "plugin",
  },
  {
    what: "500 when a resource is saved",
    fault: { hits: saving, trouble: json(500, "database is locked") },
    says: ["500", "database is locked"],
    reportedBy: "plugin",
  },
  {
    what: "403 when a resource is saved",
    fault: { hits: saving, trouble: json(403, "You'll need additional permissions") },
    says: ["403", "You'll need additional permissions"],
    reportedBy: "plugin",
  },
  {
    what: "429 when a resource is saved",
    fault: { hits: saving, trouble: json(429, "Too many requests") },
    says: ["429"],
    reportedBy: "plugin",
  },
  {
    what: "a refused connection",
    fault: "connection refused",
    says: ["cannot be reached (ECONNREFUSED)", "Check grafanaUrl, and the network between this machine and Grafana."],
    reportedBy: "preflight",
  },
  {
    what: "silence",
    fault: { hits: any, trouble: "silence" },
    says: ["did not respond within 15 s", "Check grafanaUrl, and the network between this machine and Grafana."],
    reportedBy: "preflight",
  },
  {
    what: "401",
    fault: { hits: any, trouble: json(401, "Invalid API key") },
    says: ["returned 401: Invalid API key for GET /api/", "Check grafanaAuth and the permissions of its token."],
    reportedBy: "preflight",
  },
  {
    what: "403",
    fault: { hits: any, trouble: json(403, "Access denied") },
    says: ["returned 403: Access denied for GET /api/", "Check grafanaAuth and the permissions of its token."],
    reportedBy: "preflight",
  },
  {
    what: "404 with HTML",
    fault: { hits: any, trouble: { status: 404, body: "<h1>Not found</h1>" } },
    says: ["returned 404 without JSON for GET /api/", "Check grafanaUrl, which must be the address of Grafana, including a path prefix."],
    reportedBy: "preflight",
  },
  {
    what: "200 with HTML",
    fault: { hits: any, trouble: { status: 200, body: "<h1>Log in</h1>", headers: { "Content-Type": "text/html" } } },
    says: ["returned 200 without JSON for GET /api/", "Check grafanaUrl, which must be the address of Grafana, including a path prefix."],
    reportedBy: "preflight",
  },
  {
    what: "429",
    fault: { hits: any, trouble: json(429, "Too many requests") },
    says: ["returned 429: Too many requests for GET /api/", "Grafana limits requests. Wait, then run `pulumi up` again."],
    reportedBy: "preflight",
  },
  {
    what: "500",
    fault: { hits: any, trouble: json(500, "Internal server error") },
    says: ["returned 500: Internal server error for GET /api/", log],
    reportedBy: "preflight",
  },
];
