/** One request of a stand-in, on a connection of its own: an idle one may be closed, and `fetch` has no option for a CA. */
import { request as http, type IncomingMessage } from "node:http";
import { request as https, type RequestOptions } from "node:https";
import { buffer } from "node:stream/consumers";

/** @throws Error of Node */
export async function request(url: URL, options: RequestOptions, body?: Buffer | string) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = (url.protocol === "https:" ? https : http)(url, { ...options, agent: false }, resolve);
    sent.on("timeout", () => sent.destroy(new Error("context deadline exceeded"))).on("error", reject);
    sent.end(body);
  });
  const { statusCode: status = 0, statusMessage = "", headers } = response;
  return { status, statusLine: `${status} ${statusMessage}`, contentType: headers["content-type"], content: await buffer(response) };
}
