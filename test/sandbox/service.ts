/**
 * A stand-in for the LLM observability service: its registration endpoint (src/connection/README.md), with the responses of the public server
 * and stricter validation. Other endpoints do not exist.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
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

/** @param log called with a line for each request */
export function createService(apiKey: string, log: (line: string) => void): Server {
  return createServer((request, response) => {
    void answerTo(request, apiKey).then(([status, message]) => {
      log(`${request.method} ${request.url} → ${status} ${message}`);
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify({ status, message }));
    });
  });
}

/** Checks the body before the key, like the public server. */
async function answerTo(request: IncomingMessage, apiKey: string): Promise<[status: number, message: string]> {
  const { method, url, headers } = request;
  const content = await text(request);
  if (url !== "/api/connections") return [404, "Not found"];
  if (method !== "POST") return [405, "Method not allowed"];
  if (headers["content-type"] !== "application/json") return [415, "Content-Type must be application/json"];
  try {
    bodySchema.parse(JSON.parse(content));
  } catch (error) {
    return [400, error instanceof z.ZodError ? z.prettifyError(error) : "Invalid request body"];
  }
  if (headers.authorization !== apiKey) return [401, "Unauthorized: Please check your API Key and try again"];
  return [200, "Connection created successfully"];
}
