/** The choice between the real plugins and the stand-ins uses the same proxy as the Pulumi CLI. */
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { pluginEnvironment } from "../sandbox/plugin-environment";
import { startProxy } from "../support/proxy";
import { temporaryFolder } from "../support/temporary-folder";

const standIns = { PATH: expect.stringContaining("test/sandbox/plugins/bin"), PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" };

beforeEach(() => {
  vi.stubEnv("PULUMI_HOME", temporaryFolder());
  for (const name of ["HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"]) vi.stubEnv(name, undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
});

it("sends a request to the configured proxy", async () => {
  const proxy = await startProxy(0, 403);
  onTestFinished(() => proxy.close());
  vi.stubEnv("HTTPS_PROXY", proxy.url);
  expect(await pluginEnvironment()).toEqual(standIns);
  expect(proxy.tunnels).toEqual(["api.github.com:443"]);
});

it("treats an invalid proxy address as unreachable", async () => {
  vi.stubEnv("HTTPS_PROXY", "ftp://canary");
  expect(await pluginEnvironment()).toEqual(standIns);
});
