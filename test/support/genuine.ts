/** A genuine Grafana for the stories: that of the environment variables, in an organization that contains all resources of one test file. */
import { randomBytes } from "node:crypto";

const { GENUINE_GRAFANA_URL: given, GENUINE_GRAFANA_ADMIN: admin = "" } = process.env;

/** Whether the stories run on a genuine Grafana instead of the stand-in. */
export const isGenuine = given !== undefined;

/** A response of Grafana; `body` is parsed JSON. */
export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what Grafana documents for each path.
  body: any;
}

/** The address without a slash at its end. @throws Error if a variable is missing */
export function genuineUrl(): string {
  if (given && admin.includes(":")) return given.replace(/\/+$/, "");
  throw new Error(
    "GENUINE_GRAFANA_URL and GENUINE_GRAFANA_ADMIN must be set: to the address of a Grafana, and to user:password of a server administrator.",
  );
}

export async function send(url: string, authorization: string, method: string, body?: unknown, orgId?: number): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { Authorization: authorization, "Content-Type": "application/json", ...(orgId && { "X-Grafana-Org-Id": `${orgId}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : {} };
}

/** Sends a request as the server's administrator. */
export const askAsAdmin = (path: string, method = "GET", body?: unknown, orgId = 1) =>
  send(`${genuineUrl()}${path}`, `Basic ${Buffer.from(admin).toString("base64")}`, method, body, orgId);

export async function createOrganization(): Promise<number> {
  const { status, body } = await askAsAdmin("/api/orgs", "POST", { name: `llm-observability-test-${randomBytes(4).toString("hex")}` });
  if (status !== 200) throw new Error(`Grafana at ${genuineUrl()} returned ${status} to POST /api/orgs: ${JSON.stringify(body)}`);
  return body.orgId;
}
