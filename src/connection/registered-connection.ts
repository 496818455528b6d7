/**
 * Reads the connection that is registered at the service. The spec has no endpoint for it (4.1); the public server of the spec has
 * `GET {base_url}/api/connections`. Its response contains the platform's key in plain text, which is only compared here.
 *
 * Part of the dynamic provider's code.
 */
import { readText, withTransport } from "../network/transport";
import type { Registration } from "./registration";

/** The connection at the service, compared with the one that this stack registered. */
export type RegisteredConnection = "current" | "other" | "none" | "unknown";

/** Of a response, in characters. */
const sizeLimit = 1_000_000;

/** Never throws: the result is "unknown" if the service has no such endpoint or cannot be reached. */
export async function readRegisteredConnection(registration: Omit<Registration, "keyCommand">): Promise<RegisteredConnection> {
  const { endpoint, serviceApiKey, body, caCert } = registration;
  try {
    const { status, text, error } = await withTransport(caCert, async (transport) => {
      const response = await transport.fetch(endpoint, { headers: { Authorization: serviceApiKey, Accept: "application/json" } });
      return { status: response.status, ...(await readText(response, sizeLimit)) };
    });
    if (error || text.length > sizeLimit) return "unknown";
    const answer = JSON.parse(text);
    // A server without the endpoint also returns 404, but without this field.
    if (status === 404 && answer?.status === 404) return "none";
    const found = answer?.connections;
    if (status !== 200 || typeof found !== "object" || found === null) return "unknown";
    const lower = new Map(Object.entries(found).map(([name, value]) => [name.toLowerCase(), value]));
    return Object.entries(body).every(([name, value]) => lower.get(name.toLowerCase()) === value) ? "current" : "other";
  } catch {
    return "unknown";
  }
}
