/**
 * Runs stories as `npm run test:genuine` does, on a stand-in in place of the given Grafana: so that the way to a genuine one works where none can be had.
 * The arguments are those of Vitest.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGrafana } from "../sandbox/grafana/server";
import { CommandError, run } from "./run";

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "llm-observability-genuine-"));
  const basic = { user: "admin", password: "a-password-of-the-stand-in" };
  const server = createGrafana({ token: "none", basic, stateFile: join(folder, "grafana.json") });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const given = {
    GENUINE_GRAFANA_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    GENUINE_GRAFANA_ADMIN: `${basic.user}:${basic.password}`,
    PROVIDER_PLUGINS: "stand-ins",
  };
  try {
    await run("npm", ["run", "test:genuine", "--", ...process.argv.slice(2)], { inherit: true, env: { ...process.env, ...given } });
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
