/** Finds the servers of the tests with real servers: on PATH, in the cache, and with `npm run toolchain`. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { locate } from "../../support/toolchain/locate";
import { lokiTool } from "../../support/toolchain/servers";

let root: string;
let bin: string;
let said: string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "llm-observability-locate-"));
  bin = join(root, "path");
  said = [];
  mkdirSync(bin);
  vi.spyOn(console, "error").mockImplementation((line) => said.push(line));
  vi.stubEnv("XDG_CACHE_HOME", join(root, "cache"));
  // Protects the real cache if the code under test ignores the variable above.
  vi.stubEnv("HOME", root);
  vi.stubEnv("PATH", `${join(root, "missing")}:${bin}`);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const find = () => locate(lokiTool());

function putProgram(folder: string, name: string, script: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return join(folder, name);
}

const putCached = () => putProgram(join(lokiTool().folder, "bin"), "loki", "exit");

describe("a server", () => {
  it.each(["", " >&2"])("on PATH is preferred, and its path and version are logged (echo%s)", async (stream) => {
    putCached();
    const own = putProgram(
      bin,
      "loki",
      `[ "$*" = --version ] && echo 'loki, version 2.9.0 (branch: HEAD)'${stream} && echo '  go version: go1.21'${stream}`,
    );
    expect(await find()).toBe(own);
    expect(said).toEqual([`toolchain: Loki from PATH: ${own}: loki, version 2.9.0 (branch: HEAD)`]);
  });

  it.each([
    ["fails", "#!/bin/sh\necho no version chosen; exit 126", "failed with exit code 126: no version chosen"],
    ["lacks its interpreter", "#!/nowhere/interpreter\n", "did not start (ENOENT)"],
  ])("on PATH that %s is skipped, with a message", async (_how, content, reason) => {
    const cached = putCached();
    const own = join(bin, "loki");
    writeFileSync(own, content, { mode: 0o755 });
    expect(await find()).toBe(cached);
    expect(said).toEqual([
      `toolchain: Loki on PATH does not work, skipped: ${own}: loki --version ${reason}`,
      `toolchain: Loki from the cache: ${cached}`,
    ]);
  });
});

it("npm run toolchain -- --truth provides the three servers, one line each, without the Pulumi CLI", () => {
  vi.stubEnv("PULUMI_HOME", join(root, "pulumi"));
  const programs = ["prometheus", "loki", "tempo"].map((name) => putProgram(bin, name, `echo '${name}, version 1.0.0'`));
  const script = resolve(__dirname, "../../support/toolchain/main.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-r", "./src/load.cjs", script, "--truth"], { encoding: "utf8" });
  expect([status, stdout]).toEqual([0, ""]);
  const lines = stderr.split("\n").filter(Boolean);
  expect(lines).toEqual(programs.map((program) => expect.stringContaining(`from PATH: ${program}: `)));
  expect(existsSync(join(root, "pulumi"))).toBe(false);
});
