/** Finds the servers of the tests with real servers, on PATH and in the cache. Does not install them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder";
import { find } from "../../support/toolchain/locate";
import { grafanaTool } from "../../support/toolchain/servers";

let root: string;
let said: string[];

beforeEach(() => {
  root = temporaryFolder();
  said = [];
  vi.spyOn(console, "error").mockImplementation((line) => said.push(line));
  vi.stubEnv("XDG_CACHE_HOME", join(root, "cache"));
  // Protects the real cache if the code under test ignores the variable above.
  vi.stubEnv("HOME", root);
  vi.stubEnv("PATH", ["own", "folder", "not-executable"].map((folder) => join(root, folder)).join(":"));
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

function putProgram(folder: string, mode = 0o755): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "grafana"), "#!/bin/sh\nexit\n", { mode });
  return join(folder, "grafana");
}

it("a program on PATH is preferred to the one in the cache, and its path is logged", async () => {
  expect(await find(grafanaTool())).toBeUndefined();
  expect(said).toEqual([]);
  const cached = putProgram(join(grafanaTool().folder, "bin/bin"));
  // Neither a folder nor a file without execute permission is a program.
  mkdirSync(join(root, "folder/grafana"), { recursive: true });
  putProgram(join(root, "not-executable"), 0o644);
  expect(await find(grafanaTool())).toBe(cached);
  const own = putProgram(join(root, "own"));
  expect(await find(grafanaTool())).toBe(own);
  expect(said).toEqual([`toolchain: Grafana from the cache: ${cached}`, `toolchain: Grafana from PATH: ${own}`]);
});
