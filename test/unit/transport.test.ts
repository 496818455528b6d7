/** The way out: which requests go through the environment's proxy, and whose certificates are trusted. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { openTransport } from "../../src/transport";
import { type Certificate, createAuthority } from "./certificate";
import { type ProxyServer, startProxy } from "./proxy";
import { answer, type RawServer, startRawServer } from "./raw-server";

// The machine that runs the tests may have a proxy of its own.
beforeEach(() => {
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"]) {
    vi.stubEnv(name, undefined);
    vi.stubEnv(name.toLowerCase(), undefined);
  }
});
afterEach(() => void vi.unstubAllEnvs());

async function start(tls?: Certificate): Promise<{ server: RawServer; proxy: ProxyServer }> {
  const server = await startRawServer([answer(200, "reached")], { ...(tls && { tls }) });
  const proxy = await startProxy(server.port);
  onTestFinished(() => Promise.all([server.close(), proxy.close()]).then(() => undefined));
  return { server, proxy };
}

async function ask(address: string, caCert?: string): Promise<string> {
  const transport = openTransport(caCert);
  try {
    return await (await transport.fetch(address, { signal: AbortSignal.timeout(5_000) })).text();
  } finally {
    await transport.close();
  }
}

describe("the proxy of the environment", () => {
  it.each(["HTTP_PROXY", "http_proxy"])("by %s, is asked for a way to http addresses", async (name) => {
    const { server, proxy } = await start();
    vi.stubEnv(name, proxy.url);
    expect(await ask("http://service.test/path")).toBe("reached");
    expect(proxy.asked).toEqual(["service.test:80"]);
    expect(server.requests[0]).toMatchObject({ method: "GET", path: "/path" });
  });

  it("sees nothing of what goes to an https address, whose certificate is verified all the same", async () => {
    const authority = createAuthority();
    const { server, proxy } = await start(authority.issue({ names: "DNS:service.test" }));
    vi.stubEnv("HTTPS_PROXY", proxy.url);
    expect(await ask("https://service.test:8443/", authority.cert)).toBe("reached");
    expect(proxy.asked).toEqual(["service.test:8443"]);
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    await expect(ask("https://service.test:8443/")).rejects.toMatchObject({ cause: { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" } });
    expect(server.requests).toHaveLength(1);
  });

  it("may be named without a scheme", async () => {
    const { proxy } = await start();
    vi.stubEnv("HTTP_PROXY", proxy.url.replace("http://", ""));
    expect(await ask("http://service.test/")).toBe("reached");
  });

  it.each(["service.test", "other.example,.test", "*"])("is passed by where NO_PROXY is %s", async (except) => {
    const { proxy } = await start();
    vi.stubEnv("HTTP_PROXY", proxy.url);
    vi.stubEnv("NO_PROXY", except);
    await expect(ask("http://service.test:1/")).rejects.toThrow();
    expect(proxy.asked).toEqual([]);
  });

  it.each(["127.0.0.1", "localhost"])("is never asked for a way to %s", async (host) => {
    const { server, proxy } = await start();
    vi.stubEnv("HTTP_PROXY", proxy.url);
    expect(await ask(`http://${host}:${server.port}/`)).toBe("reached");
    expect(proxy.asked).toEqual([]);
  });

  it.each(["ftp://canary", "http:///canary", "http://canary:port"])("that is no address, %s, is named by its variable alone", (value) => {
    vi.stubEnv("HTTPS_PROXY", value);
    expect(() => openTransport()).toThrow(/^HTTPS_PROXY is not the address of a proxy$/);
  });
});
