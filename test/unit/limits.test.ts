/** What an answer may cost: its size is bounded while it is read, and so is the time that a server may take. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { Response } from "undici";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { runChecks } from "../../src/checks/checks";
import { readRegisteredConnection } from "../../src/connection/registered-connection";
import { requestGrafana } from "../../src/network/grafana";
import { readText } from "../../src/network/transport";
import { startRawServer } from "../support/raw-server";

const body = {
  Platform: "grafana",
  MetricsUrl: "https://metrics.example.com",
  MetricsUsername: "1",
  LogsUrl: "https://logs.example.com",
  LogsUsername: "2",
  ApiKey: "canary-key",
};

/** Each reader of answers: its limit in characters, a text that it accepts, and what it makes of that and of a longer one. */
const readers = [
  {
    what: "Grafana's answer",
    limit: 20_000_000,
    text: '{"a":1}',
    ask: (url: string) => requestGrafana({ url, auth: "t" }, "/api/x").catch((error: Error) => error.message.replace(url, "URL")),
    accepted: { status: 200, body: { a: 1 } },
    refused: "Grafana at URL returned more than 20 MB for /api/x",
  },
  {
    what: "the service's answer about its connection",
    limit: 1_000_000,
    text: JSON.stringify({ connections: body }),
    ask: (url: string) => readRegisteredConnection({ endpoint: `${url}/api/connections`, serviceApiKey: "k", body }),
    accepted: "current",
    refused: "unknown",
  },
];

/** A server that answers a text and spaces, of `length` characters in all: JSON, however many there are. It stops where its client does. */
async function serve(text: string, length: number) {
  const served = { url: "", characters: 0 };
  function* parts() {
    for (let part = text; part; part = " ".repeat(Math.min(100_000, length - served.characters))) {
      served.characters += part.length;
      yield part;
    }
  }
  const server = createServer((_request, response) => void pipeline(parts(), response).catch(() => undefined));
  await once(server.listen(0, "127.0.0.1"), "listening");
  served.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return served;
}

describe.each(readers)("$what", ({ limit, text, ask, accepted, refused }) => {
  it("is read up to the limit", async () => {
    expect(await ask((await serve(text, limit)).url)).toEqual(accepted);
  });

  it("is refused where it is longer", async () => {
    expect(await ask((await serve(text, limit + 1)).url)).toEqual(refused);
  });

  it("is not read beyond it", async () => {
    const server = await serve(text, limit + 200_000_000);
    expect(await ask(server.url)).toEqual(refused);
    // The sockets' buffers hold some megabytes.
    expect(server.characters).toBeLessThan(limit + 50_000_000);
  });
});

it("a text is whole where its characters arrive in parts, and shows that its last one did not arrive", async () => {
  const bytes = Buffer.from("ä€😀");
  const read = (end: number) =>
    readText(new Response(ReadableStream.from([...bytes.subarray(0, end)].map((byte) => Uint8Array.of(byte)))), 10);
  expect(await read(bytes.length)).toBe("ä€😀");
  expect(await read(bytes.length - 1)).toBe("ä€\ufffd");
});

describe("a server that does not answer", () => {
  /** A second of the limits lasts a hundredth of one. */
  async function silent() {
    const server = await startRawServer(["silent"]);
    const { timeout } = AbortSignal;
    const limits = vi.spyOn(AbortSignal, "timeout").mockImplementation((time) => timeout.call(AbortSignal, time / 100));
    onTestFinished(async () => {
      limits.mockRestore();
      await server.close();
    });
    return { url: server.url, limits: () => limits.mock.calls.flat() };
  }

  it("fails each of the checks that ask it within 15 s", { timeout: 10_000 }, async () => {
    const { url, limits } = await silent();
    const targets = {
      grafana: { url },
      datasources: [{ type: "loki", uid: "l" } as const],
      dashboards: [],
      otlp: { endpoint: url, data: ["traces"] as const },
      verifyConnection: false,
      serviceUrl: url,
      onFailure: "fail" as const,
    };
    const secrets = { grafanaAuth: "t", otlpAuthorization: "Basic x", datasourceFingerprint: "" };
    const host = new URL(url).host;
    expect(await runChecks(targets, secrets, { total: 0, pause: 1 })).toEqual([
      { what: "datasource l", verdict: "failed", detail: `Grafana at ${url} did not respond within 15 s` },
      { what: "OTLP traces", verdict: "failed", detail: `${host} does not answer: check otlpEndpoint` },
      { what: "service", verdict: "failed", detail: `${host} does not answer: check serviceUrl` },
    ]);
    expect(new Set(limits())).toEqual(new Set([15_000]));
  });

  it("is asked for 15 s which connection is in place, and then that is not known", { timeout: 10_000 }, async () => {
    const { url, limits } = await silent();
    expect(await readRegisteredConnection({ endpoint: url, serviceApiKey: "k", body })).toBe("unknown");
    expect(limits()).toEqual([15_000]);
  });
});
