/** Limits for responses: their size while they are read, and the time of the server. */
import { createServer } from "node:http";
import { pipeline } from "node:stream/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { requestGrafana } from "../../src/network/grafana";
import { readText } from "../../src/network/transport";
import { listen } from "../support/listen";
import { check } from "./checks/run";

const askGrafana = (url: string) => requestGrafana({ url, auth: "t" }, "/x").catch((error: Error) => error.message.replace(url, "URL"));

/** A server whose response is JSON with trailing spaces, `length` characters in total. It stops if the client does. */
async function serve(length: number) {
  const served = { url: "", characters: 0 };
  function* parts() {
    for (let part = "{}"; part; part = " ".repeat(Math.min(100_000, length - served.characters))) {
      served.characters += part.length;
      yield part;
    }
  }
  const server = createServer((_request, response) => void pipeline(parts(), response).catch(() => undefined));
  served.url = await listen(server);
  onTestFinished(() => void server.close().closeAllConnections());
  return served;
}

it("Grafana's response is read up to the limit, and not beyond it", async () => {
  const limit = 20_000_000;
  const refused = "Grafana at URL returned more than 20 MB for /x";
  expect(await askGrafana((await serve(limit)).url)).toEqual({ status: 200, body: {} });
  expect(await askGrafana((await serve(limit + 1)).url)).toEqual(refused);
  const server = await serve(limit + 200_000_000);
  expect(await askGrafana(server.url)).toEqual(refused);
  // The sockets' buffers hold some megabytes.
  expect(server.characters).toBeLessThan(limit + 50_000_000);
});

it("decodes characters that arrive in parts, and marks an incomplete last one", async () => {
  const bytes = Buffer.from("ä€😀");
  const read = (end: number) => readText(ReadableStream.from([...bytes.subarray(0, end)].map((byte) => Uint8Array.of(byte))), 10);
  expect(await read(bytes.length)).toEqual({ text: "ä€😀" });
  expect(await read(bytes.length - 1)).toEqual({ text: "ä€\ufffd" });
});

it("a server that does not respond fails each check within 15 s", { timeout: 10_000 }, async () => {
  const { timeout } = AbortSignal;
  // Divides all time limits by 100.
  const limits = vi.spyOn(AbortSignal, "timeout").mockImplementation((time) => timeout.call(AbortSignal, time / 100));
  onTestFinished(() => limits.mockRestore());
  const targets = { datasources: [{ type: "loki", uid: "l" } as const], otlp: { endpoint: "/otlp", data: ["traces"] as const } };
  const { server, list } = await check("silent", { targets });
  const { host, origin: url } = new URL(server.url);
  expect(list).toEqual([
    { name: "datasource l", status: "failed", detail: `Grafana at ${url} did not respond within 15 s` },
    { name: "OTLP traces", status: "failed", detail: `${host} does not respond: check otlpEndpoint` },
    { name: "service", status: "failed", detail: `${host} does not respond: check serviceUrl` },
  ]);
  expect(new Set(limits.mock.calls.flat())).toEqual(new Set([15_000]));
});
