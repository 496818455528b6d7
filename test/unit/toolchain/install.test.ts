/** Installs a tool: from a release server on the loopback interface, and with a stand-in for Go that builds a shell script. */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ensure } from "../../../src/cli/toolchain/install";
import { Progress } from "../../../src/cli/toolchain/progress";
import { pulumiTool, type Tool } from "../../../src/cli/toolchain/tools";
import { answer, closedPort, type RawServer, startRawServer } from "../../support/raw-server";

const program = "#!/bin/sh\necho v1.2.3\n";

let root: string;
let cache: string;
let said: string[];
let server: RawServer | undefined;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "llm-observability-toolchain-"));
  cache = join(root, "versions");
  said = [];
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const progress = () => new Progress((line) => said.push(line));
const built = () => readdirSync(root).includes("builds") && readFileSync(join(root, "builds"), "utf8").split("\n").length - 1;

/** @param releases base address of the release server */
function tool(releases: string, file = "tool-v1.2.3.tar.gz"): Tool {
  const go = {
    module: "example.com/tool",
    version: "1.2.3",
    package: "example.com/tool/cmd",
    goVersion: "1.25.11",
    definition: "main.Version=1",
  };
  return {
    name: "test tool",
    version: "1.2.3",
    folder: join(cache, "1.2.3"),
    versionArgument: "version",
    archive: `${releases}/${file}`,
    checksums: `${releases}/checksums.txt`,
    programs: [
      { ...go, binary: "tool" },
      { ...go, binary: "helper" },
    ],
    extras: [],
  };
}

const unreachable = async () => tool(`http://127.0.0.1:${await closedPort()}`);

interface Release {
  file?: string;
  whole?: Buffer;
  /** The part of the archive that the server sends. */
  content?: Buffer;
  sum?: string;
  list?: string;
}

/** A release server with the archive and a list of checksums. Defaults to the right checksum. */
async function releases({ file = "tool-v1.2.3.tar.gz", whole = archive(), content = whole, sum, list }: Release = {}): Promise<Tool> {
  const digest = sum ?? createHash("sha256").update(whole).digest("hex");
  const head = answer(200, "", { "Content-Length": String(whole.length) });
  server = await startRawServer([
    ({ path }) => {
      if (path === "/checksums.txt") return answer(200, list ?? `0000  other.tar.gz\n${digest}  ${file}\n`);
      // As GitHub does.
      if (path === `/${file}`) return answer(302, "", { Location: `/assets/${file}` });
      return Buffer.concat([Buffer.from(head), content]);
    },
  ]);
  return tool(server.url, file);
}

/** The same, as a tool that is not built, with a file of its own for the checksum. */
async function onlyReleased(own: { sum?: string } = {}): Promise<Tool> {
  const whole = archive();
  const digest = own.sum ?? createHash("sha256").update(whole).digest("hex");
  const head = answer(200, "", { "Content-Length": String(whole.length) });
  server = await startRawServer([
    ({ path }) => (path.endsWith(".sha256") ? answer(200, `${digest}\n`) : Buffer.concat([Buffer.from(head), whole])),
  ]);
  const wanted = tool(server.url);
  return { ...wanted, checksums: `${wanted.archive}.sha256`, programs: [{ binary: "tool" }, { binary: "helper" }] };
}

const zip = (files: Record<string, string>) =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))));

let packed: Buffer | undefined;
function archive(): Buffer {
  if (packed) return packed;
  const folder = mkdtempSync(join(tmpdir(), "llm-observability-archive-"));
  mkdirSync(join(folder, "tool"));
  for (const name of ["tool", "helper"]) {
    writeFileSync(join(folder, "tool", name), program);
    chmodSync(join(folder, "tool", name), 0o755);
  }
  writeFileSync(join(folder, "tool", "LICENSE"), "");
  execFileSync("tar", ["-czf", join(folder, "archive.tar.gz"), "-C", folder, "tool"]);
  packed = readFileSync(join(folder, "archive.tar.gz"));
  rmSync(folder, { recursive: true });
  return packed;
}

/** Adds a stand-in for Go to PATH. It records each build and its go.mod. `replace` is the list in the go.mod of the built module. */
function fakeGo({ version = "go1.26.0", toolchain = "local", seconds = 0, output = program, replace = null as object | null } = {}): void {
  const bin = join(root, "go-bin");
  mkdirSync(bin);
  const script = [
    "#!/bin/bash",
    `if [ "$1" = env ]; then printf '%s\\n' ${version} ${toolchain}; exit; fi`,
    `if [ "$1 $2" = 'mod download' ]; then echo "{ \\"GoMod\\": \\"$4.mod\\" }"; exit; fi`,
    `if [ "$*" = 'mod edit -json example.com/tool@v1.2.3.mod' ]; then echo '${JSON.stringify({ Replace: replace })}'; exit; fi`,
    'if [ "$1" = mod ]; then exit 1; fi # tidy -e complains about test dependencies',
    `cp go.mod '${join(root, "go.mod")}'`,
    `sleep ${seconds}`,
    'while [ "$1" != -o ]; do shift; done',
    `mkdir -p "$(dirname "$2")" && cat > "$2" <<'PROGRAM'\n${output}PROGRAM`,
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

describe("a tool that is only downloaded", () => {
  it("may have a file with nothing but its checksum", async () => {
    expect(await ensure(await onlyReleased(), progress())).toBe("downloaded");
    expectComplete();
  });

  it("is refused with another checksum", async () => {
    await expect(ensure(await onlyReleased({ sum: "0".repeat(64) }), progress())).rejects.toThrow("does not match its published checksum");
    expect(readdirSync(cache)).toEqual([]);
  });

  it("is not built without access to the release", async () => {
    fakeGo();
    const wanted: Tool = { ...(await unreachable()), programs: [{ binary: "tool" }] };
    await expect(ensure(wanted, progress())).rejects.toThrow(/^test tool 1\.2\.3 cannot be downloaded: .*It is not built from source\.$/);
    expect(built()).toBeFalsy();
  });
});

describe("a download", () => {
  it("is checked and unpacked; a second call sends no request", async () => {
    const wanted = await releases();
    expect(await ensure(wanted, progress())).toBe("downloaded");
    expectComplete();
    const before = server?.connections;
    expect(await ensure(wanted, progress())).toBe("cached");
    expect(server?.connections).toBe(before);
  });

  it.each([
    [
      "zip archive that has the program under another name",
      () => ({ file: "tool.zip", whole: zip({ "tool-linux-amd64": program, helper: program, LICENSE: "" }) }),
      { "tool-linux-amd64": "tool", helper: "helper" },
    ],
    ["tar.gz archive with a folder", () => ({ file: "tool.tar.gz" }), { "tool/tool": "tool", "tool/helper": "helper" }],
  ])("of a %s installs only the programs", async (_what, release, files) => {
    const wanted = await releases(release());
    expect(await ensure({ ...wanted, files }, progress())).toBe("downloaded");
    expectComplete();
    expect(readdirSync(join(cache, "1.2.3/bin"))).toEqual(["helper", "tool"]);
  });

  it("of a zip archive without the program fails and installs nothing", async () => {
    const wanted = await releases({ file: "tool.zip", whole: zip({ other: program }) });
    const failure = ensure({ ...wanted, files: { tool: "tool" } }, progress());
    await expect(failure).rejects.toThrow("tool.zip does not contain tool. Nothing was installed.");
    expect(readdirSync(cache)).toEqual([]);
  });

  it("has the release's version, even if a build has another one", async () => {
    expect(await ensure({ ...(await releases()), builtVersion: "main-abc" }, progress())).toBe("downloaded");
    expectComplete();
  });

  it("with another checksum installs nothing, and no build follows", async () => {
    fakeGo();
    await expect(ensure(await releases({ sum: "f".repeat(64) }), progress())).rejects.toThrow("does not match its published checksum");
    expect(readdirSync(cache)).toEqual([]);
    expect(built()).toBe(false);
  });

  it.each([
    ["is incomplete", () => releases({ content: archive().subarray(0, 50) }), "is incomplete"],
    ["has no published checksum", () => releases({ list: "0000  other.tar.gz\n" }), "has no checksum for tool-v1.2.3.tar.gz"],
    ["cannot be reached", unreachable, "cannot be reached (ECONNREFUSED)"],
  ])("that %s is followed by a build, with a message", async (_what, prepare, reason) => {
    fakeGo();
    expect(await ensure(await prepare(), progress())).toBe("built");
    expect(said.join("\n")).toContain(reason);
    expectComplete();
    expect(built()).toBe(2);
  });
});

describe("a build", () => {
  it("without Go fails with both reasons and the required version", async () => {
    vi.stubEnv("PATH", root);
    const failure = ensure(await unreachable(), progress());
    await expect(failure).rejects.toThrow(
      /neither be downloaded nor built[\s\S]*cannot be reached[\s\S]*Go is not installed[\s\S]*install Go 1\.25\.11 or newer/,
    );
    expect(readdirSync(cache)).toEqual([]);
  });

  it("refuses a Go that is too old and cannot update itself", async () => {
    fakeGo({ version: "go1.24.9" });
    await expect(ensure(await unreachable(), progress())).rejects.toThrow("the installed Go 1.24.9 is too old: install Go 1.25.11");
  });

  it("accepts an older Go that updates itself", async () => {
    fakeGo({ version: "go1.24.9", toolchain: "auto" });
    expect(await ensure(await unreachable(), progress())).toBe("built");
  });

  it("has the replacements of the module, except folders of its repository", async () => {
    fakeGo({
      replace: [
        { Old: { Path: "example.com/a" }, New: { Path: "example.com/fork-of-a", Version: "v0.1.0" } },
        { Old: { Path: "example.com/b", Version: "v1.0.0" }, New: { Path: "example.com/b", Version: "v1.0.1" } },
        { Old: { Path: "example.com/tool/part" }, New: { Path: "./part" } },
      ],
    });
    expect(await ensure(await unreachable(), progress())).toBe("built");
    const lines = readFileSync(join(root, "go.mod"), "utf8").split("\n").filter(Boolean);
    expect(lines.slice(2)).toEqual([
      "require example.com/tool v1.2.3",
      "replace example.com/a => example.com/fork-of-a v0.1.0",
      "replace example.com/b v1.0.0 => example.com/b v1.0.1",
    ]);
  });

  it("may have another version than the release, and logs it", async () => {
    fakeGo({ output: "#!/bin/sh\necho main-abc\n" });
    const wanted = { ...(await unreachable()), builtVersion: "main-abc" };
    expect(await ensure(wanted, progress())).toBe("built");
    expect(said.at(-1)).toBe(`toolchain: test tool main-abc built into ${wanted.folder}`);
  });

  it("of an unexpected version installs nothing", async () => {
    fakeGo({ output: "#!/bin/sh\necho v9.9.9\n" });
    await expect(ensure(await unreachable(), progress())).rejects.toThrow("has version v9.9.9, expected 1.2.3. Nothing was installed.");
    expect(readdirSync(cache)).toEqual([]);
  });

  it("replaces an incomplete installation", async () => {
    fakeGo();
    mkdirSync(join(cache, "1.2.3/bin"), { recursive: true });
    writeFileSync(join(cache, "1.2.3/bin/tool"), program, { mode: 0o755 });
    expect(await ensure(await unreachable(), progress())).toBe("built");
    expectComplete();
  });

  it("runs once for two simultaneous calls", async () => {
    fakeGo({ seconds: 0.5 });
    const wanted = await unreachable();
    const ways = await Promise.all([ensure(wanted, progress()), ensure(wanted, progress())]);
    expect(ways.sort()).toEqual(["built", "cached"]);
    expect(built()).toBe(2);
    expectComplete();
  });

  it("that is killed leaves no incomplete tool, and the next one succeeds", { timeout: 60_000 }, async () => {
    fakeGo({ seconds: 1 });
    const wanted = await unreachable();
    const child = spawn(process.execPath, ["-r", "./src/load.cjs", join(__dirname, "slow-install.ts")], {
      env: { ...process.env, TEST_TOOL: JSON.stringify(wanted) },
      stdio: "ignore",
    });
    await vi.waitFor(() => expect(built()).toBe(1), { timeout: 20_000, interval: 50 });
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(existsSync(wanted.folder)).toBe(false);
    expect(readdirSync(cache).length).toBeGreaterThan(0);
    expect(await ensure(wanted, progress())).toBe("built");
    expect(said.join("\n")).toContain("another process that installs the test tool");
    expectComplete();
  });
});

describe("the Pulumi CLI", () => {
  it.each([undefined, "/somewhere/else"])("is installed in the folder of its npm package (PULUMI_HOME=%s)", async (home) => {
    vi.stubEnv("PULUMI_HOME", home);
    // @ts-expect-error The package publishes no types.
    const { cacheDir } = await import("pulumi/lib/cache.js");
    const { folder, version } = pulumiTool();
    expect(folder).toBe(cacheDir(version));
  });

  it("has the version of the SDK", async () => {
    const { dependencies } = JSON.parse(readFileSync(join(__dirname, "../../../package.json"), "utf8"));
    expect([dependencies.pulumi, pulumiTool().version]).toEqual([dependencies["@pulumi/pulumi"], dependencies["@pulumi/pulumi"]]);
  });
});
