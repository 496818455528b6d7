/** The transport: the proxy of the environment, trusted certificates, and the text of a response. */
import dns from "node:dns";
import { createServer } from "node:http";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { exchange, type Request, readText } from "../../src/network/transport";
import { type Certificate, createAuthority } from "../support/certificate";
import { listen } from "../support/listen";
import { startProxy } from "../support/proxy";
import { answer, type RawServer } from "../support/raw-server";
import { headerOf, serve } from "./serve";

const { lookup } = dns;

/** Resolves no name below `test`, on each machine: its resolver may be slow, absent, or resolve every name. */
const lookUp = (hostname: string, ...others: unknown[]) => {
  if (!hostname.endsWith(".test")) return Reflect.apply(lookup, dns, [hostname, ...others]);
  const error = { code: "ENOTFOUND", hostname, syscall: "getaddrinfo" };
  process.nextTick(others.at(-1) as () => void, Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), error));
};

// The machine that runs the tests may have a proxy.
beforeEach(() => {
  vi.spyOn(dns, "lookup").mockImplementation(lookUp as typeof lookup);
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"]) {
    vi.stubEnv(name, undefined);
    vi.stubEnv(name.toLowerCase(), undefined);
  }
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** A server, and the proxy for http requests. @param refuse the status with which the proxy refuses everything */
async function start(tls?: Certificate, refuse?: number): Promise<{ server: RawServer; proxy: Awaited<ReturnType<typeof startProxy>> }> {
  const server = await serve([answer(200, "reached")], { ...(tls && { tls }) });
  const proxy = await startProxy(server.port, refuse);
  onTestFinished(() => proxy.close());
  vi.stubEnv("HTTP_PROXY", proxy.url);
  return { server, proxy };
}

function ask(address: string, options: Partial<Request> = {}): Promise<string> {
  return exchange(address, { signal: AbortSignal.timeout(5_000), ...options }, async (response) => (await readText(response, 1000)).text);
}

/** The error of a direct request to such a name. */
const unknownName = { code: "ENOTFOUND", syscall: "getaddrinfo", hostname: "service.test" };

describe("the proxy of the environment", () => {
  it.each([
    ["GET", ""],
    ["POST", "body"],
  ])("receives http requests as a whole: %s", async (method, body) => {
    const { server, proxy } = await start();
    for (const host of ["service.test", "service.test:8080"]) {
      expect(await ask(`http://${host}/path?a=b`, { method, ...(body && { body }) })).toBe("reached");
      expect(proxy.requests.at(-1)).toBe(`${method} http://${host}/path?a=b`);
      expect(server.requests.at(-1)).toMatchObject({ method, path: "/path?a=b", body });
      expect(headerOf(server.requests.at(-1), "host")).toBe(host);
    }
  });

  it("tunnels https requests, and the server's certificate is verified", async () => {
    const authority = createAuthority();
    const { server, proxy } = await start(authority.issue("DNS:service.test"));
    vi.stubEnv("HTTPS_PROXY", proxy.url);
    expect(await ask("https://service.test/", { caCert: authority.cert })).toBe("reached");
    expect(proxy.requests).toEqual(["CONNECT service.test:443"]);
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    await expect(ask("https://service.test/")).rejects.toMatchObject({ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
    expect(server.requests).toHaveLength(1);
  });

  it("receives the name and the password of its address, and the server does not", async () => {
    const { server, proxy } = await start();
    vi.stubEnv("HTTP_PROXY", proxy.url.replace("//", "//user:p%40ss@"));
    expect(await ask("http://service.test/")).toBe("reached");
    expect(server.requests[0]?.head).not.toMatch(/proxy-|dXNlcjpwQHNz/i);
    const direct = await serve([answer(407)]);
    vi.stubEnv("HTTP_PROXY", direct.url.replace("//", "//user:p%40ss@"));
    await expect(ask("http://service.test/")).rejects.toThrow("Proxy response (407) to GET");
    expect(direct.requests[0]?.head).toContain("Proxy-Authorization: Basic dXNlcjpwQHNz");
  });

  it.each<[upper: string | undefined, lower: string | undefined]>([
    ["PROXY", undefined],
    [undefined, "PROXY"],
    ["", "PROXY"],
    ["PROXY", "http://127.0.0.1:1"],
  ])("is the first that is not empty of HTTP_PROXY, here %j, and http_proxy, here %j, with or without a scheme", async (upper, lower) => {
    const { proxy } = await start();
    vi.stubEnv("HTTP_PROXY", upper?.replace("PROXY", proxy.url));
    vi.stubEnv("http_proxy", lower?.replace("PROXY", proxy.url.replace("http://", "")));
    expect(await ask("http://service.test/")).toBe("reached");
  });

  it("in HTTP_PROXY does not receive https requests", async () => {
    const { proxy } = await start();
    await expect(ask("https://service.test/")).rejects.toMatchObject(unknownName);
    expect(proxy.requests).toEqual([]);
  });

  it("that refuses a tunnel is named, and its response is not the server's", async () => {
    const { server, proxy } = await start(undefined, 403);
    vi.stubEnv("HTTPS_PROXY", proxy.url);
    await expect(ask("https://service.test/")).rejects.toThrow("Proxy response (403) to CONNECT");
    expect(server.requests).toEqual([]);
  });

  it.each([
    { NO_PROXY: "", no_proxy: "service.test" },
    { NO_PROXY: "service.test", no_proxy: "other.test" },
    ...["service.test:80", "other.example,.test", "other.example test", "*.test", "*"].map((NO_PROXY) => ({ NO_PROXY })),
  ])("is bypassed with %j: the first variable that is not empty applies", async (exceptions) => {
    const { proxy } = await start();
    for (const [name, value] of Object.entries(exceptions)) vi.stubEnv(name, value);
    await expect(ask("http://service.test/")).rejects.toMatchObject(unknownName);
    expect(proxy.requests).toEqual([]);
  });

  it.each(["other.example,other.test", "service.test:443", "ervice.test", "10.0.0.0/8"])("is used if NO_PROXY is %s", async (except) => {
    await start();
    vi.stubEnv("NO_PROXY", except);
    expect(await ask("http://service.test/")).toBe("reached");
  });

  it.each(["127.0.0.1", "localhost"])("never receives requests to %s", async (host) => {
    const { server, proxy } = await start();
    expect(await ask(`http://${host}:${server.port}/`)).toBe("reached");
    expect(proxy.requests).toEqual([]);
  });

  it.each(["ftp://canary", "socks5://canary", "http:///canary", "http://canary:port"])(
    "is invalid: %s; the message contains only the variable",
    async (value) => {
      vi.stubEnv("HTTPS_PROXY", value);
      await expect(ask("https://service.test")).rejects.toThrow(/^HTTPS_PROXY is not a valid proxy address$/);
    },
  );
});

it("uses an open connection again, without a listener left on it", async () => {
  const connections = new Set<unknown>();
  const server = createServer((_request, response) => response.end("reached"));
  server.on("connection", (socket) => connections.add(socket));
  const url = await listen(server);
  onTestFinished(() => void server.close());
  const warned = vi.fn();
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));
  for (let requests = 0; requests < 12; requests++) await exchange(url, { reuse: true }, (response) => readText(response, 100));
  await new Promise(setImmediate);
  expect(connections.size).toBe(1);
  expect(warned).not.toHaveBeenCalled();
});

it("decodes characters that arrive in parts, and marks an incomplete last one", async () => {
  const bytes = Buffer.from("ä€😀");
  const read = (end: number) => readText(ReadableStream.from([...bytes.subarray(0, end)].map((byte) => Uint8Array.of(byte))), 10);
  expect(await read(bytes.length)).toEqual({ text: "ä€😀" });
  expect(await read(bytes.length - 1)).toEqual({ text: "ä€\ufffd" });
});
