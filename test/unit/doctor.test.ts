/** `npm run doctor`, with a stand-in for the Pulumi CLI that only exports a stack. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { type CheckSecrets, type CheckTargets, retrySecondsVariable, secretsVariable, targetsVariable } from "../../src/checks/input";
import { pulumiTool } from "../../src/cli/toolchain/tools";
import { answer, closedPort, startRawServer } from "../support/raw-server";

const root = resolve(__dirname, "../..");

/** The checks of a service as a deployment stores them. */
function checksOf(serviceUrl: string, onFailure: "fail" | "warn") {
  const targets: CheckTargets = {
    grafana: { url: serviceUrl },
    datasources: [],
    dashboards: [],
    otlp: { endpoint: serviceUrl, data: [] },
    serviceUrl,
    verifyConnection: false,
    onFailure,
  };
  const secrets: CheckSecrets = { grafanaAuth: "canary", otlpAuthorization: "Basic canary", datasourceFingerprint: "" };
  const secret = { plaintext: JSON.stringify(JSON.stringify(secrets)) };
  return {
    type: "command:local:Command",
    inputs: { environment: { [targetsVariable]: JSON.stringify(targets), [secretsVariable]: secret } },
  };
}

/**
 * Runs the command for a stack with these resources.
 *
 * @param interrupted sends Ctrl-C when it resolves
 */
async function doctor(resources: object[], interrupted?: Promise<unknown>): Promise<{ code: number; output: string }> {
  const home = mkdtempSync(join(tmpdir(), "llm-observability-doctor-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  vi.stubEnv("PULUMI_HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { folder, programs } = pulumiTool();
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(join(home, "export.json"), JSON.stringify({ deployment: { resources } }));
  for (const { binary } of programs) {
    writeFileSync(join(folder, "bin", binary), `#!/bin/sh\ncat '${join(home, "export.json")}'\n`);
    chmodSync(join(folder, "bin", binary), 0o755);
  }
  const env = { ...process.env, [retrySecondsVariable]: "0" };
  const command = ["-r", "./src/load.cjs", "src/cli/doctor.ts", "--stack", "dev"];
  const child = spawn(process.execPath, command, { cwd: root, env, detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  // A terminal sends it to all processes in the foreground.
  void interrupted?.then(() => process.kill(-Number(child.pid), "SIGINT"));
  const [code] = await once(child, "close");
  return { code, output };
}

it.each(["fail", "warn"] as const)("fails if a check fails, with checks: %s, after all checks", async (onFailure) => {
  const server = await startRawServer([answer(200)]);
  onTestFinished(() => server.close());
  const unreachable = checksOf(`http://127.0.0.1:${await closedPort()}`, onFailure);
  const { code, output } = await doctor([unreachable, checksOf(server.url, onFailure), unreachable]);
  expect(output.match(/\d ok, \d failed/g)).toEqual(["0 ok, 1 failed", "1 ok, 0 failed", "0 ok, 1 failed"]);
  expect(output).not.toMatch(/deployment|canary|exit code/);
  expect(code).toBe(1);
});

it("stops when it is interrupted", async () => {
  const requests: string[] = [];
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const server = await startRawServer([
    ({ path }) => {
      requests.push(path);
      reach();
      return "silent";
    },
  ]);
  onTestFinished(() => server.close());
  const { code, output } = await doctor([checksOf(`${server.url}/first`, "fail"), checksOf(`${server.url}/second`, "fail")], reached);
  expect(requests).not.toContain("/second");
  expect(output).toContain("was killed by SIGINT");
  expect(code).toBe(2);
});

it("succeeds if no check fails", async () => {
  const server = await startRawServer([answer(200)]);
  onTestFinished(() => server.close());
  const { code, output } = await doctor([checksOf(server.url, "fail"), checksOf(server.url, "warn")]);
  expect(output.match(/\d ok, \d failed/g)).toEqual(["1 ok, 0 failed", "1 ok, 0 failed"]);
  expect(code).toBe(0);
});

it("fails if a stack has no checks", async () => {
  expect(await doctor([])).toEqual({ code: 2, output: "Stack dev has no checks. Deploy it first: npx pulumi up\n" });
});

it.each([
  ["doctor", ["dev"], 2],
  ["adopt", ["dev", "--yes"], 1],
])("npm run %s names the command with --stack if the stack is a positional argument", (script, args, status) => {
  const result = spawnSync(process.execPath, ["-r", "./src/load.cjs", `src/cli/${script}.ts`, ...args], { cwd: root, encoding: "utf8" });
  expect(result).toMatchObject({ status, stderr: `Unknown argument dev. Use: npm run ${script} -- --stack dev\n` });
});
