/** Whether the genuine plugins can be had is asked by the way that the Pulumi CLI would take to them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { pluginEnvironment } from "../../src/cli/plugins";
import { startProxy } from "../support/proxy";

const standIns = { PATH: expect.stringContaining("test/sandbox/plugins/bin"), PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" };

beforeEach(() => {
  const home = mkdtempSync(join(tmpdir(), "llm-observability-plugins-"));
  vi.stubEnv("PULUMI_HOME", home);
  for (const name of ["HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"]) vi.stubEnv(name, undefined);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true });
  });
});

it("asks the proxy of the environment", async () => {
  const proxy = await startProxy(0, 403);
  onTestFinished(() => proxy.close());
  vi.stubEnv("HTTPS_PROXY", proxy.url);
  expect(await pluginEnvironment()).toEqual(standIns);
  expect(proxy.tunnels).toEqual(["api.github.com:443"]);
});

it("takes a proxy that is no address for none that leads there", async () => {
  vi.stubEnv("HTTPS_PROXY", "ftp://canary");
  expect(await pluginEnvironment()).toEqual(standIns);
});
