/**
 * The tests for genuine Grafanas, on the stand-ins for Grafana and, if they cannot be downloaded, for the plugins,
 * so that the tests stay in step with the program.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGrafana } from "../sandbox/grafana/server";
import { pluginEnvironment } from "../sandbox/plugin-environment";
import { CommandError, run } from "../support/run";
import { adminVariable, urlVariable } from "./grafana";

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "llm-observability-genuine-"));
  const basic = { user: "admin", password: "a-password-of-the-stand-in" };
  const server = createGrafana({ token: "none", basic, stateFile: join(folder, "grafana.json") });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const named = {
    [urlVariable]: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [adminVariable]: `${basic.user}:${basic.password}`,
  };
  try {
    const env = { ...process.env, ...(await pluginEnvironment()), ...named };
    await run("npm", ["run", "test:genuine", "--", ...process.argv.slice(2)], { inherit: true, env });
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  }
}

main().catch((error: unknown) => {
  // The output has the failed tests.
  if (!(error instanceof CommandError)) console.error(error);
  process.exitCode = 1;
});
