/** Installs a tool from a release server on the loopback interface: completely, or not at all. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answer, closedPort, type RawServer } from "../../support/raw-server";
import { temporaryFolder } from "../../support/temporary-folder";
import { ensure } from "../../support/toolchain/install";
import { type Program, pulumiTool, type Tool } from "../../support/toolchain/pulumi";
import { serve } from "../serve";

const program = "#!/bin/sh\necho v1.2.3\n";

let root: string;
let cache: string;
/** The release server of the test. */
let server: RawServer;

beforeEach(() => {
  root = temporaryFolder();
  cache = join(root, "versions");
  vi.spyOn(console, "error").mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const file = "tool-v1.2.3.tar.gz";

/** @param releases base address of the release server */
function tool(releases: string): Tool {
  const module = "example.com/tool";
  const source = { module, version: "1.2.3", package: `${module}/cmd`, goVersion: "1.25.11", definition: "main.Version=1" };
  const [main, helper] = ["tool", "helper"].map((binary) => ({ binary, source })) as [Program, Program];
  return {
    ...{ name: "test tool", version: "1.2.3", folder: join(cache, "1.2.3"), versionArgument: "version" },
    ...{ archive: `${releases}/${file}`, checksums: `${releases}/checksums.txt` },
    programs: [main, helper],
  };
}

/** A .tar.gz archive of both programs. */
function packed(): Buffer {
  const folder = temporaryFolder();
  for (const name of ["tool", "helper"]) writeFileSync(join(folder, name), program, { mode: 0o755 });
  execFileSync("tar", ["-czf", "archive.tar.gz", "--transform", "s,^,tool/,", "tool", "helper"], { cwd: folder });
  return readFileSync(join(folder, "archive.tar.gz"));
}

/** A release server with an archive and a list of checksums. */
async function releases(list?: string): Promise<Tool> {
  const content = packed();
  const head = answer(200, "", { "Content-Length": String(content.length) });
  const sum = createHash("sha256").update(content).digest("hex");
  server = await serve([
    ({ path }) => {
      if (path === "/checksums.txt") return answer(200, list ?? `0000  other.tar.gz\n${sum}  ${file}\n`);
      // As GitHub does.
      if (path === `/${file}`) return answer(302, "", { Location: `/assets/${file}` });
      return Buffer.concat([Buffer.from(head), content]);
    },
  ]);
  return tool(server.url);
}

/** The tool is installed and starts, and the folder contains nothing else. */
function expectComplete(): void {
  expect(execFileSync(join(cache, "1.2.3/bin/tool"), { encoding: "utf8" })).toBe("v1.2.3\n");
  expect(readdirSync(join(cache, "1.2.3"))).toEqual(["bin"]);
  expect(readdirSync(cache)).toEqual(["1.2.3"]);
}

describe("a download", () => {
  it("is checked and unpacked; a second call sends no request", async () => {
    const wanted = await releases();
    expect(await ensure(wanted)).toBe("downloaded");
    expectComplete();
    const before = server.connections;
    expect(await ensure(wanted)).toBe("cached");
    expect(server.connections).toBe(before);
  });

  it.each<[what: string, change: Partial<Tool>, list: string | undefined, says: string]>([
    ["without one of the programs", { programs: [{ binary: "tool" }, { binary: "other" }] }, undefined, "lacks one of tool,other."],
    ["with another checksum", {}, `${"f".repeat(64)}  ${file}\n`, "does not match its published checksum"],
    ["of another version", { version: "9.9.9" }, undefined, "has version v1.2.3, expected 9.9.9."],
  ])("%s installs nothing, and no build follows", async (_what, change, list, says) => {
    await expect(ensure({ ...(await releases(list)), ...change })).rejects.toThrow(new RegExp(`${says}.*Nothing was installed`));
    expect(readdirSync(cache)).toEqual([]);
  });
});

it("a build without Go fails with both reasons and the required version", async () => {
  vi.stubEnv("PATH", root);
  await expect(ensure(tool(`http://127.0.0.1:${await closedPort()}`))).rejects.toThrow(
    /neither be downloaded nor built[\s\S]*cannot be reached[\s\S]*did not start \(ENOENT\)[\s\S]*Go 1\.25\.11 or newer/,
  );
  expect(readdirSync(cache)).toEqual([]);
});

it("the Pulumi CLI has the version of the SDK, and the folder of its npm package, whatever PULUMI_HOME is", async () => {
  // @ts-expect-error The package publishes no types.
  const { cacheDir } = await import("pulumi/lib/cache.js");
  const { dependencies } = JSON.parse(readFileSync(join(__dirname, "../../../package.json"), "utf8"));
  for (const home of [undefined, "/somewhere/else"]) {
    vi.stubEnv("PULUMI_HOME", home);
    const { folder, version } = pulumiTool();
    expect(folder).toBe(cacheDir(version));
    expect([dependencies.pulumi, version]).toEqual([dependencies["@pulumi/pulumi"], dependencies["@pulumi/pulumi"]]);
  }
});
