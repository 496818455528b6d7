/** `npm run local` with known secrets, in a copy of the project: its output, its processes and its files. */
import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { copyProject } from "../../support/copy";
import { run } from "../../support/run";
import { moveToQuietPorts } from "../ports";
import { all, given } from "./canaries";
import { Commands } from "./commands";
import { Evidence, filesIn, filesWithSecrets } from "./evidence";

const root = resolve(__dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "llm-observability-local-"));
const own = join(folder, ".local");
const evidence = new Evidence(all);
const environment = {
  ...process.env,
  PULUMI_BACKEND_URL: `file://${join(own, "backend")}`,
  PULUMI_CONFIG_PASSPHRASE: "local",
  PULUMI_SKIP_UPDATE_CHECK: "true",
};
const commands = new Commands(evidence, folder, environment);

afterAll(() => rmSync(folder, { recursive: true }));

/** A copy of the project whose local stack has these secrets and separate ports. */
async function prepare(): Promise<void> {
  copyProject(root, folder);
  await moveToQuietPorts(join(folder, "Pulumi.local.yaml"));
  mkdirSync(join(own, "backend"), { recursive: true });
  const pulumi = (...args: string[]) => run(join(root, "node_modules/.bin/pulumi"), args, { cwd: folder, env: environment });
  await pulumi("stack", "init", "local", "--no-select");
  const { cloudAccessPolicyToken: _, ...secrets } = given.accepted;
  const values = Object.entries(secrets).flatMap(([key, value]) => ["--secret", `${key}=${value}`]);
  await pulumi("config", "set-all", ...values, "--stack", "local");
}

it("prints no secret, passes none on a command line, and stores them in files that only their owner can read", async () => {
  await prepare();
  const said = await commands.npm("local");
  expect(said).toContain("0 failed");
  expect(said).toContain("POST /api/connections → 200");
  // The files of the backend contain ciphertext; Grafana stores the secrets of its datasources.
  expect(filesWithSecrets(folder, all)).toEqual([{ file: ".local/grafana.json", mode: "600" }]);
  renameSync(join(own, "grafana.json"), join(folder, "grafana.json"));
  evidence.noneInFiles("what npm run local leaves", own);
  renameSync(join(folder, "grafana.json"), join(own, "grafana.json"));
  expect(await commands.npm("local", "--", "--destroy")).toContain("The local run is removed");
  expect(filesIn(folder).filter((file) => file.startsWith(own))).toEqual([]);
  await commands.noneOnCommandLines("npm run local");
});
