/** The Grafana of the environment variables, and an organization for one run, which contains all resources of the run. */
import { randomBytes } from "node:crypto";

export const urlVariable = "GENUINE_GRAFANA_URL";
export const adminVariable = "GENUINE_GRAFANA_ADMIN";

/** A response of Grafana; `body` is parsed JSON. */
export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what Grafana documents for each path.
  body: any;
}

/** @throws Error if a variable is missing */
export function genuineGrafana(): { url: string; admin: string } {
  const { [urlVariable]: url, [adminVariable]: admin } = process.env;
  if (!url || !admin?.includes(":")) {
    throw new Error(
      `test:genuine requires a Grafana: set ${urlVariable} to its address and ${adminVariable} to user:password of a server administrator.`,
    );
  }
  return { url: url.replace(/\/+$/, ""), admin };
}

/** Sends a request as the server's administrator. Defaults to POST with a body. */
export async function ask(path: string, options: { method?: string; body?: unknown; orgId?: number } = {}): Promise<Answer> {
  const { url, admin } = genuineGrafana();
  const { body, orgId = 1, method = body === undefined ? "GET" : "POST" } = options;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      Authorization: `Basic ${Buffer.from(admin).toString("base64")}`,
      "X-Grafana-Org-Id": String(orgId),
      "Content-Type": "application/json",
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text && JSON.parse(text) };
}

/** The same for a request that must succeed. */
async function must(...args: Parameters<typeof ask>): Promise<Answer["body"]> {
  const { status, body } = await ask(...args);
  if (status >= 300) throw new Error(`Grafana answered ${status} to ${args[1]?.method ?? ""} ${args[0]}: ${JSON.stringify(body)}`);
  return body;
}

/** A token of a service account. */
export interface Token {
  key: string;
  revoke(): Promise<unknown>;
}

export class Organization {
  private constructor(
    readonly id: number,
    /** Part of all names of the run. */
    readonly run: string,
  ) {}

  static async create(): Promise<Organization> {
    const run = randomBytes(4).toString("hex");
    const { orgId } = await must("/api/orgs", { body: { name: `llm-observability-test-${run}` } });
    return new Organization(orgId, run);
  }

  /** Sends a request in this organization. */
  ask(path: string, body?: unknown, method?: string): Promise<Answer> {
    return ask(path, { orgId: this.id, body, ...(method && { method }) });
  }

  /** Sends a request that must succeed. */
  do(path: string, body?: unknown, method?: string): Promise<Answer["body"]> {
    return must(path, { orgId: this.id, body, ...(method && { method }) });
  }

  async token(role: "Viewer" | "Editor" | "Admin"): Promise<Token> {
    const name = `${role}-${randomBytes(4).toString("hex")}`;
    const { id } = await this.do("/api/serviceaccounts", { name, role });
    const { id: tokenId, key } = await this.do(`/api/serviceaccounts/${id}/tokens`, { name });
    return { key, revoke: () => this.do(`/api/serviceaccounts/${id}/tokens/${tokenId}`, undefined, "DELETE") };
  }

  /** The sorted uids of all dashboards, folders and datasources. */
  async contents(): Promise<string[]> {
    const [found, datasources] = [await this.do("/api/search?limit=5000"), await this.do("/api/datasources")];
    return [...found, ...datasources].map(({ uid }: { uid: string }) => uid).sort();
  }

  remove(): Promise<unknown> {
    return must(`/api/orgs/${this.id}`, { method: "DELETE" });
  }
}
