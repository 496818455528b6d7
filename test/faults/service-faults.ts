/**
 * Faults of the service, or of a proxy in front of it, during a registration on the real engine: one for each end of an `up`, with the number of
 * requests and the state. All other faults and messages are in `test/unit/connection` and `test/unit/transport.test.ts`.
 */
import { answer, type RawRequest, type Script, spellings } from "../support/raw-server";

/** Characters that JSON, addresses and base64 encode differently, so that no encoding equals another one. */
export const keys = { serviceApiKey: 'svc "key"\\%&+/1', platformApiKey: 'plt "key"\\%&+/é2' };

export interface ServiceFault {
  what: string;
  script: Script;
  /** Whether the script is that of a proxy. */
  isProxy?: boolean;
  requests: number;
  /** Whether the connection is registered after the last attempt. */
  afterwards: "registered" | "nothing" | "unknown";
  /** Parts of the error, or of the progress lines if the registration succeeds. */
  says: string[];
  /** The number of announced retries. */
  announced?: number;
}

/** An error response that repeats both keys in every encoding. */
const echo = JSON.stringify({ message: `no: ${Object.values(keys).flatMap((key) => Object.values(spellings(key)))}` });
const refusal = (status: number, headers: Record<string, string> = {}) => answer(status, echo, headers);
const page = ({ head, body }: RawRequest) => answer(500, `<pre>${head}\n\n${body}</pre>`);
const elsewhere = `/${encodeURIComponent(keys.serviceApiKey)}?key=${encodeURIComponent(keys.platformApiKey)}`;

const log = "Check the service's log, then run `pulumi up` again.";

export const serviceFaults: readonly ServiceFault[] = [
  {
    what: "a reset after the request",
    script: ["reset"],
    requests: 1,
    afterwards: "unknown",
    says: ["ended without a valid response", log],
  },
  { what: "no response", script: ["silent"], requests: 1, afterwards: "unknown", says: ["did not respond within 15 s", "overloaded"] },
  { what: "500 with the request as a page", script: [page], requests: 1, afterwards: "unknown", says: ["returned 500", log] },
  {
    what: "307 to the same origin",
    script: [refusal(307, { Location: elsewhere }), answer(200)],
    requests: 2,
    afterwards: "registered",
    says: [],
  },
  {
    what: "303 to the same origin",
    script: [refusal(303, { Location: elsewhere }), answer(200)],
    requests: 1,
    afterwards: "unknown",
    says: ["which is not followed because the request contains keys", log],
  },
  {
    what: "401",
    script: [refusal(401)],
    requests: 1,
    afterwards: "nothing",
    says: ["returned 401: [redacted]", "Set a valid key: npx pulumi config set --secret llm-observability:serviceApiKey"],
  },
  {
    what: "429 for a second, then success",
    script: [refusal(429, { "Retry-After": "1" }), answer(200)],
    requests: 2,
    afterwards: "registered",
    says: ["returned 429: [redacted]; retrying in 1 s (attempt 2 of 4)"],
    announced: 1,
  },
  {
    what: "429 for all attempts",
    script: [refusal(429)],
    requests: 4,
    afterwards: "nothing",
    says: ["returned 429: [redacted]", "4 attempts failed", "The service limits requests. Wait, then run `pulumi up` again."],
    announced: 3,
  },
  {
    what: "a proxy that requires a password",
    script: [answer(407)],
    isProxy: true,
    requests: 1,
    afterwards: "nothing",
    says: ["the configured proxy refused the request", "HTTPS_PROXY"],
  },
];
