/** Installs a tool: from a release server on the loopback interface, and with a stand-in for Go that builds a shell script. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answer, closedPort, type RawServer, startRawServer } from "../../support/raw-server";
import { temporaryFolder } from "../../support/temporary-folder";
import { ensure } from "../../support/toolchain/install";
import { pulumiTool, type Tool } from "../../support/toolchain/pulumi";

const program = "#!/bin/sh\necho v1.2.3\n";

let root: string;
let cache: string;
let said: string[];
let server: RawServer | undefined;

beforeEach(() => {
  root = temporaryFolder();
  cache = join(root, "versions");
  said = [];
  vi.spyOn(console, "error").mockImplementation((line) => said.push(line));
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const built = () => readdirSync(root).includes("builds") && readFileSync(join(root, "builds"), "utf8").split("\n").length - 1;

const file = "tool-v1.2.3.tar.gz";

/** @param releases base address of the release server */
function tool(releases: string): Tool {
  const source = {
    module: "example.com/tool",
    version: "1.2.3",
    package: "example.com/tool/cmd",
    goVersion: "1.25.11",
    definition: "main.Version=1",
  };
  return {
    ...{ name: "test tool", version: "1.2.3", folder: join(cache, "1.2.3"), versionArgument: "version" },
    ...{ archive: `${releases}/${file}`, checksums: `${releases}/checksums.txt` },
    programs: [
      { binary: "tool", source },
      { binary: "helper", source },
    ],
  };
}

const unreachable = async () => tool(`http://127.0.0.1:${await closedPort()}`);

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
  server = await startRawServer([
    ({ path }) => {
      if (path === "/checksums.txt") return answer(200, list ?? `0000  other.tar.gz\n${sum}  ${file}\n`);
      // As GitHub does.
      if (path === `/${file}`) return answer(302, "", { Location: `/assets/${file}` });
      return Buffer.concat([Buffer.from(head), content]);
    },
  ]);
  return tool(server.url);
}

/** Adds a stand-in for Go to PATH. It records each build. */
function fakeGo(): void {
  const bin = join(root, "go-bin");
  mkdirSync(bin);
  const script = [
    "#!/bin/bash",
    `if [ "$1 $2" = 'mod download' ]; then echo "{ \\"GoMod\\": \\"$4.mod\\" }"; exit; fi`,
    `if [ "$*" = 'mod edit -json example.com/tool@v1.2.3.mod' ]; then echo '{ "Replace": null }'; exit; fi`,
    'if [ "$1" = list ]; then echo one; echo two; exit; fi',
    'if [ "$1" = mod ]; then exit 1; fi # tidy -e complains about test dependencies',
    'while [ "$1" != -o ]; do shift; done',
    `mkdir -p "$(dirname "$2")" && cat > "$2" <<'PROGRAM'\n${program}PROGRAM`,
    'chmod 755 "$2"',
    `echo "$2" >> '${join(root, "builds")}'`,
  ];
  writeFileSync(join(bin, "go"), `${script.join("\n")}\n`, { mode: 0o755 });
  vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
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
    const before = server?.connections;
    expect(await ensure(wanted)).toBe("cached");
    expect(server?.connections).toBe(before);
  });

  it.each<[what: string, change: Partial<Tool>, list: string | undefined, says: string]>([
    ["without one of the programs", { programs: [{ binary: "tool" }, { binary: "other" }] }, undefined, "lacks one of tool,other."],
    ["with another checksum", {}, `${"f".repeat(64)}  ${file}\n`, "does not match its published checksum"],
    ["of another version", { version: "9.9.9" }, undefined, "has version v1.2.3, expected 9.9.9."],
  ])("%s installs nothing, and no build follows", async (_what, change, list, says) => {
    fakeGo();
    await expect(ensure({ ...(await releases(list)), ...change })).rejects.toThrow(new RegExp(`${says}.*Nothing was installed`));
    expect(readdirSync(cache)).toEqual([]);
    expect(built()).toBe(false);
  });

  it.each([
    ["has no published checksum", () => releases("0000  other.tar.gz\n"), "has no checksum for tool-v1.2.3.tar.gz"],
    ["cannot be reached", unreachable, "cannot be reached (ECONNREFUSED)"],
  ])("that %s is followed by a build, with a message", async (_what, prepare, reason) => {
    fakeGo();
    expect(await ensure(await prepare())).toBe("built");
    expect(said.join("\n")).toContain(reason);
    expectComplete();
    expect(built()).toBe(2);
  });
});

it("a build without Go fails with both reasons and the required version", async () => {
  vi.stubEnv("PATH", root);
  await expect(ensure(await unreachable())).rejects.toThrow(
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
