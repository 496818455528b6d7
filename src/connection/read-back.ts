/**
 * Asks the service which connection is in place. The spec has no endpoint for that (4.1); the public server behind it answers
 * `GET {base_url}/api/connections`, with the platform's key in plain text, which stays in here.
 *
 * Part of the dynamic provider's code, like `exchange.ts`.
 */
import { readText, withTransport } from "../network/transport";
import type { Registration } from "./exchange";

/** What is in place at the service, beside the registration that was made from here. */
export type InPlace = "this one" | "another one" | "none" | "not known";

const timeLimit = 15_000;
/** Of an answer, in characters. A longer one is not the endpoint's. */
const sizeLimit = 1_000_000;

/** Never throws: a service without the endpoint, or out of reach, is "not known". */
export async function connectionInPlace(registration: Omit<Registration, "keyCommand">): Promise<InPlace> {
  const { endpoint, serviceApiKey, body, caCert } = registration;
  try {
    const { status, text } = await withTransport(caCert, async (transport) => {
      const response = await transport.fetch(endpoint, {
        headers: { Authorization: serviceApiKey, Accept: "application/json" },
        redirect: "manual",
        signal: AbortSignal.timeout(timeLimit),
      });
      return { status: response.status, text: await readText(response, sizeLimit) };
    });
    const answer = text === undefined ? undefined : JSON.parse(text);
    // Without the endpoint, most servers answer 404, too, but not in this form.
    if (status === 404 && answer?.status === 404) return "none";
    const found = answer?.connections;
    if (status !== 200 || typeof found !== "object" || found === null) return "not known";
    const lower = new Map(Object.entries(found).map(([name, value]) => [name.toLowerCase(), value]));
    const same = Object.entries(body).every(([name, value]) => lower.get(name.toLowerCase()) === value);
    return same ? "this one" : "another one";
  } catch {
    return "not known"; // Whoever asked says so; nothing depends on why.
  }
}
