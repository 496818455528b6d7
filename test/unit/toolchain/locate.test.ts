/** Finds the servers of the tests with real servers: on PATH, in the cache, and with `npm run toolchain`. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder";
import { locate, find as present } from "../../support/toolchain/locate";
import { grafanaTool, lokiTool } from "../../support/toolchain/servers";

let root: string;
let bin: string;
let said: string[];

beforeEach(() => {
  root = temporaryFolder();
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
});

const find = () => locate(lokiTool());

function putProgram(folder: string, name: string, script: string, mode = 0o755): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode });
  return join(folder, name);
}

const putCached = () => putProgram(join(lokiTool().folder, "bin"), "loki", "exit");

it("a program that is not required is found on PATH or in the cache, and not installed", async () => {
  const search = () => present(grafanaTool());
  expect(await search()).toBeUndefined();
  expect(said).toEqual([]);
  const cached = putProgram(join(grafanaTool().folder, "bin/bin"), "grafana", "exit");
  expect(await search()).toBe(cached);
  const own = putProgram(bin, "grafana", "exit");
  expect(await search()).toBe(own);
  expect(said).toEqual([`toolchain: Grafana from the cache: ${cached}`, `toolchain: Grafana from PATH: ${own}`]);
});

describe("a server", () => {
  it("on PATH is preferred, and its path is logged", async () => {
    putCached();
    const own = putProgram(bin, "loki", "exit");
    expect(await find()).toBe(own);
    expect(said).toEqual([`toolchain: Loki from PATH: ${own}`]);
  });

  it("is neither a folder nor a file without execute permission on PATH", async () => {
    const cached = putCached();
    mkdirSync(join(bin, "loki"));
    const second = join(root, "second");
    putProgram(second, "loki", "exit", 0o644);
    vi.stubEnv("PATH", `${bin}:${second}`);
    expect(await find()).toBe(cached);
    expect(said).toEqual([`toolchain: Loki from the cache: ${cached}`]);
  });
});

it("npm run toolchain -- --truth provides the three servers, one line each, without the Pulumi CLI", () => {
  vi.stubEnv("PULUMI_HOME", join(root, "pulumi"));
  const programs = ["prometheus", "loki", "tempo"].map((name) => putProgram(bin, name, "exit"));
  const script = resolve(__dirname, "../../support/toolchain/main.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-r", "./src/load.cjs", script, "--truth"], { encoding: "utf8" });
  expect([status, stdout]).toEqual([0, ""]);
  expect(stderr.split("\n").filter(Boolean)).toEqual(programs.map((program) => expect.stringContaining(`from PATH: ${program}`)));
  expect(existsSync(join(root, "pulumi"))).toBe(false);
});
