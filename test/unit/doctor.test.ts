/** `npm run doctor`, with a stand-in for the Pulumi CLI that only prints the config and the state of a stack. */
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { scripts } from "../../package.json";
import { retrySecondsVariable } from "../../src/checks/input";
import { type Action, answer, type RawRequest } from "../support/raw-server";
import { project, started } from "../support/stack";
import { temporaryFolder } from "../support/temporary-folder";
import { pulumiTool } from "../support/toolchain/pulumi";
import { complete, mark, secretKeys } from "./config";
import { headerOf, serve } from "./serve";

const root = resolve(__dirname, "../..");

/** The config of a stack whose only reachable server is this one. */
const configFor = (url: string, changed: Record<string, string> = {}): Record<string, string> => ({
  ...{ ...complete, grafanaUrl: url, serviceUrl: url, otlpEndpoint: url },
  ...{ otlpInstanceId: "3", otlpToken: "canary-token", otlpData: "traces", ...changed },
});

interface Circumstances {
  /** In the state of the stack. */
  resources?: object[];
  /** Sends Ctrl-C when it resolves. */
  interrupted?: Promise<unknown>;
  /** Of the Pulumi CLI. */
  exitCode?: number;
  script?: "doctor" | "backtest";
}

/** Runs the command for a stack with this config. */
async function doctor(
  config: Record<string, string>,
  { resources = [], interrupted, exitCode = 0, script = "doctor" }: Circumstances = {},
) {
  const home = temporaryFolder();
  vi.stubEnv("PULUMI_HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { folder, programs } = pulumiTool();
  mkdirSync(join(folder, "bin"), { recursive: true });
  const entries = Object.entries(config).map(([key, value]) => [`${project}:${key}`, { value, secret: secretKeys.includes(key) }]);
  writeFileSync(join(home, "config.json"), JSON.stringify(Object.fromEntries(entries)));
  writeFileSync(join(home, "stack.json"), JSON.stringify({ deployment: { resources } }));
  for (const { binary } of programs) {
    writeFileSync(join(folder, "bin", binary), `#!/bin/sh\ncat '${home}'/$1.json\necho problem >&2\nexit ${exitCode}\n`);
    chmodSync(join(folder, "bin", binary), 0o755);
  }
  const env = { ...process.env, [retrySecondsVariable]: "0" };
  const child = spawn(process.execPath, [...scripts[script].split(" ").slice(1), "--stack", "dev"], { cwd: root, env, detached: true });
  // A terminal sends it to all processes in the foreground.
  void interrupted?.then(() => process.kill(-Number(child.pid), "SIGINT"));
  return started(child).ended;
}

/** A Grafana in which everything exists and whose datasources respond, a service, and an OTLP endpoint that accepts one token. */
const healthy = ({ path, headers }: RawRequest): Action => {
  const authorization = headerOf({ headers }, "authorization");
  if (path === "/v1/traces") return answer(authorization === `Basic ${Buffer.from("3:canary-token").toString("base64")}` ? 200 : 401);
  const body = { meta: { folderUid: "llm-observability" }, results: { A: { frames: [] } }, rules: Array(100).fill({}) };
  return answer(200, JSON.stringify(body), { "Content-Type": "application/json" });
};

// A deployment that failed leaves the settings of the one before in the state.
it("fails if a check fails with the settings of the config, even if checks is warn", async () => {
  const { url } = await serve([healthy]);
  const { code, output } = await doctor(configFor(url, { otlpToken: "canary-wrong", checks: "warn" }));
  expect(output).toMatch(/^OTLP traces +failed +refuses the credentials \(401\)/m);
  expect(output).not.toMatch(new RegExp(`deployment|canary|${mark}|exit code`));
  expect(code).toBe(1);
});

it("fails if someone deleted alert rules", async () => {
  const { url } = await serve([(request) => (request.path.includes("/rule-groups/GenAI") ? answer(404, "{}") : healthy(request))]);
  const { code, output } = await doctor(configFor(url, { alerts: "on" }));
  expect(output).toMatch(/^rules in Grafana +failed +Grafana does not have GenAIErrors and 8 more\. .*up --refresh --stack dev$/m);
  expect(code).toBe(1);
});

it("uses the token that the stack created", async () => {
  const { url } = await serve([healthy]);
  const { otlpToken: _, ...config } = configFor(url, { cloudAccessPolicyToken: "canary-cloud", cloudRegion: "eu" });
  const type = "grafana:cloud/accessPolicyRotatingToken:AccessPolicyRotatingToken";
  const created = { type, outputs: { token: { plaintext: JSON.stringify("canary-token") } } };
  const { code, output } = await doctor(config, { resources: [created] });
  expect(output).toMatch(/^OTLP traces +ok/m);
  expect(output).toContain(" 0 failed");
  expect(code).toBe(0);
  const missing = "Stack dev has not created the token of the push. Deploy it first: npx pulumi up --stack dev\n";
  expect(await doctor(config)).toMatchObject({ code: 2, output: missing });
});

it("stops when it is interrupted", async () => {
  const requests = new EventEmitter();
  const { url } = await serve([() => (requests.emit("request") ? "silent" : "close")]);
  expect(await doctor(configFor(url), { interrupted: once(requests, "request") })).toEqual({ code: null, signal: "SIGINT", output: "" });
});

it("names the problems of the config", async () => {
  const { code, output } = await doctor(configFor("nowhere"));
  expect(output).toContain("npx pulumi config set grafanaUrl https://grafana.example.com --stack dev");
  expect(output).not.toMatch(new RegExp(`canary|${mark}`));
  expect(code).toBe(2);
});

it("npm run backtest shows no credentials of a store that Grafana passes on", async () => {
  const leak = answer(502, JSON.stringify({ message: "upstream said: invalid token Zq9Xt7LmPw2, password Hk4Vb8RnYd5" }));
  const { url } = await serve([() => leak]);
  const config = configFor(url, { alerts: "on", tempoAuth: "Zq9Xt7LmPw2", lokiAuth: "user:Hk4Vb8RnYd5" });
  const { code, output } = await doctor(config, { script: "backtest" });
  expect(output).toContain("502: upstream said: invalid token [redacted]");
  expect(output).not.toMatch(/Zq9Xt7|Hk4Vb8/);
  expect(code).toBe(1);
});

it("shows no secret of the config if the Pulumi CLI fails", async () => {
  const { code, output } = await doctor(configFor("http://127.0.0.1:9"), { exitCode: 255 });
  expect([code, output]).toEqual([2, "pulumi config --json --show-secrets --stack dev failed:\nproblem\n"]);
});
