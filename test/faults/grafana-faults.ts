/**
 * Faults of Grafana during a deployment, with their messages: one for each way to fail. The deployment recovers from all of them: see
 * `grafana.test.ts`. The other messages of the preflight are in `test/unit/preflight.test.ts`.
 */
import type { Trouble } from "./grafana/front";

export interface GrafanaFault {
  what: string;
  trouble: Trouble | "concurrent save";
  /** Parts of the message. */
  says: string[];
}

const json = (status: number, message: string) => ({ status, body: JSON.stringify({ message }) });

/** While the plugin saves a resource. */
export const faultsWhileSaving: GrafanaFault[] = [
  { what: "412", trouble: "concurrent save", says: ["412", "The dashboard has been changed by someone else"] },
  { what: "500", trouble: json(500, "database is locked"), says: ["500", "database is locked"] },
];

/** Before any resource is declared. */
export const faultsOfPreflight: GrafanaFault[] = [
  {
    what: "silence",
    trouble: "silence",
    says: ["did not respond within 15 s", "Check grafanaUrl, and the network between this machine and Grafana."],
  },
  {
    what: "401",
    trouble: json(401, "Invalid API key"),
    says: ["returned 401: Invalid API key for GET /api/", "Check grafanaAuth and the permissions of its token."],
  },
];
