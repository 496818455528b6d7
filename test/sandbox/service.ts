/**
 * A stand-in for the LLM observability service: its registration endpoint (src/connection/README.md), with the responses of the public server
 * and stricter validation. A second registration replaces the first one. Other endpoints do not exist.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";

const bodySchema = z.strictObject({
  Platform: z.string().min(1),
  MetricsUrl: z.url(),
  MetricsUsername: z.string().min(1),
  LogsUrl: z.url(),
  LogsUsername: z.string().min(1),
  ApiKey: z.string().min(1),
});

export interface ServiceState {
  /** Its key is a fingerprint. */
  connection: (z.infer<typeof bodySchema> & { registeredAt: string }) | undefined;
  requests: (Record<"at" | "method" | "path" | "message", string> & { status: number })[];
}

/** Identifies a key without revealing it. */
export function mask(secret: string): string {
  return `(secret, fingerprint ${createHash("sha256").update(secret).digest("hex").slice(0, 8)})`;
}

/** The state in `file`, or an empty one. */
export function readServiceState(file: string): ServiceState {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as ServiceState) : { connection: undefined, requests: [] };
}

/** @param stateFile path of the file with the state, which later runs read */
export function createService({ apiKey, stateFile }: { apiKey: string; stateFile: string }): Server {
  const state = readServiceState(stateFile);
  return createServer((request, response) => {
    void handle(request, apiKey, state).then(({ status, message, headers }) => {
      const { method = "", url: path = "" } = request;
      state.requests.push({ at: new Date().toISOString(), method, path, status, message });
      writeFileSync(stateFile, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
      answer(response, status, message, headers);
    });
  });
}

type Answer = { status: number; message: string; headers?: Record<string, string> };

/** Checks the body before the key, like the public server. */
async function handle(request: IncomingMessage, apiKey: string, state: ServiceState): Promise<Answer> {
  const content = await text(request);
  if (request.url !== "/api/connections") return { status: 404, message: "Not found" };
  if (request.method !== "POST") return { status: 405, message: "Method not allowed", headers: { Allow: "POST" } };
  if (request.headers["content-type"] !== "application/json") return { status: 415, message: "Content-Type must be application/json" };
  let body: z.infer<typeof bodySchema>;
  try {
    body = bodySchema.parse(JSON.parse(content));
  } catch (error) {
    if (!(error instanceof z.ZodError)) return { status: 400, message: "Invalid request body" };
    return { status: 400, message: error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ") };
  }
  if (!sameText(request.headers.authorization ?? "", apiKey)) {
    return { status: 401, message: "Unauthorized: Please check your API Key and try again" };
  }
  state.connection = { ...body, ApiKey: mask(body.ApiKey), registeredAt: new Date().toISOString() };
  return { status: 200, message: "Connection created successfully" };
}

function sameText(left: string, right: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

function answer(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify({ status, message }));
}
