/** Installs a tool: from a release server on the loopback interface, and with a stand-in for Go that builds a shell script. */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answer, closedPort, type RawServer, startRawServer } from "../../support/raw-server";
import { ensure } from "../../support/toolchain/install";
import { pulumiTool, type Tool } from "../../support/toolchain/pulumi";
import { lokiTool, tempoTool } from "../../support/toolchain/servers";

const file = "tool-v1.2.3.tar.gz";
const program = "#!/bin/sh\necho v1.2.3\n";

let root: string;
let cache: string;
let said: string[];
let server: RawServer | undefined;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "llm-observability-toolchain-"));
  cache = join(root, "versions");
  said = [];
  vi.spyOn(console, "error").mockImplementation((line) => said.push(line));
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const built = () => readdirSync(root).includes("builds") && readFileSync(join(root, "builds"), "utf8").split("\n").length - 1;

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
    name: "test tool",
    version: "1.2.3",
    folder: join(cache, "1.2.3"),
    versionArgument: "version",
    archive: `${releases}/${file}`,
    checksums: `${releases}/checksums.txt`,
    programs: [
      { binary: "tool", source },
      { binary: "helper", source },
    ],
    minutes: 7,
  };
}

const unreachable = async () => tool(`http://127.0.0.1:${await closedPort()}`);

/** A release server with the archive and a list of checksums. Defaults to the right checksum. */
async function releases({ whole = archive(), list = "" } = {}): Promise<Tool> {
  const digest = createHash("sha256").update(whole).digest("hex");
  const head = answer(200, "", { "Content-Length": String(whole.length) });
  server = await startRawServer([
    ({ path }) => {
      if (path === "/checksums.txt") return answer(200, list || `0000  other.tar.gz\n${digest}  ${file}\n`);
      // As GitHub does.
      if (path === `/${file}`) return answer(302, "", { Location: `/assets/${file}` });
      return Buffer.concat([Buffer.from(head), whole]);
    },
  ]);
  return tool(server.url);
}

/** A .tar.gz archive. */
function packed(files: Record<string, string>): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "llm-observability-archive-"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content, { mode: 0o755 });
  }
  execFileSync("tar", ["-czf", "archive.tar.gz", ...Object.keys(files)], { cwd: folder });
  const archive = readFileSync(join(folder, "archive.tar.gz"));
  rmSync(folder, { recursive: true });
  return archive;
}

const archive = () => packed({ "tool/tool": program, "tool/helper": program, "tool/LICENSE": "" });

/** Adds a stand-in for Go to PATH. It records each build and its go.mod. `replace` is the list in the go.mod of the built module. */
function fakeGo({ seconds = 0, output = program, replace = null as object | null } = {}): void {
  const bin = join(root, "go-bin");
  mkdirSync(bin);
  const script = [
    "#!/bin/bash",
    `if [ "$1 $2" = 'mod download' ]; then echo "{ \\"GoMod\\": \\"$4.mod\\" }"; exit; fi`,
    `if [ "$*" = 'mod edit -json example.com/tool@v1.2.3.mod' ]; then echo '${JSON.stringify({ Replace: replace })}'; exit; fi`,
    'if [ "$1" = list ]; then echo one; echo two; exit; fi',
    'if [ "$1" = build ]; then echo one >&2; echo two >&2; fi',
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

describe("a download", () => {
  it("is checked and unpacked; a second call sends no request", async () => {
    const wanted = await releases();
    expect(await ensure(wanted)).toBe("downloaded");
    expectComplete();
    const before = server?.connections;
    expect(await ensure(wanted)).toBe("cached");
    expect(server?.connections).toBe(before);
  });

  it.each([
    ["the zip archive of Loki", lokiTool, "loki", () => Buffer.from(zipSync({ "loki-linux-amd64": strToU8(program) }))],
    ["the archive of Tempo, which has no folder", tempoTool, "tempo", () => packed({ tempo: program, LICENSE: "" })],
  ])("of %s installs the program", async (_what, described, binary, make) => {
    const { unpack } = described();
    expect(await ensure({ ...(await releases({ whole: make() })), unpack, programs: [{ binary }] })).toBe("downloaded");
    expect(execFileSync(join(cache, "1.2.3/bin", binary), { encoding: "utf8" })).toBe("v1.2.3\n");
  });

  it("with another checksum installs nothing, and no build follows", async () => {
    fakeGo();
    await expect(ensure(await releases({ list: `${"f".repeat(64)}  ${file}\n` }))).rejects.toThrow("does not match its published checksum");
    expect(readdirSync(cache)).toEqual([]);
    expect(built()).toBe(false);
  });

  it("that cannot be reached is followed by a build, with a message", async () => {
    fakeGo();
    expect(await ensure(await unreachable())).toBe("built");
    expect(said.join("\n")).toContain("cannot be reached (ECONNREFUSED)");
    expectComplete();
    expect(built()).toBe(2);
  });
});

describe("a build", () => {
  it("without Go fails with both reasons and the required version", async () => {
    vi.stubEnv("PATH", root);
    const failure = ensure(await unreachable());
    await expect(failure).rejects.toThrow(
      /neither be downloaded nor built[\s\S]*cannot be reached[\s\S]*did not start \(ENOENT\)[\s\S]*Go 1\.25\.11 or newer/,
    );
    expect(readdirSync(cache)).toEqual([]);
  });

  it("has the replacements of the module, except folders of its repository", async () => {
    fakeGo({
      replace: [
        { Old: { Path: "example.com/a" }, New: { Path: "example.com/fork-of-a", Version: "v0.1.0" } },
        { Old: { Path: "example.com/b", Version: "v1.0.0" }, New: { Path: "example.com/b", Version: "v1.0.1" } },
        { Old: { Path: "example.com/tool/part" }, New: { Path: "./part" } },
      ],
    });
    expect(await ensure(await unreachable())).toBe("built");
    const lines = readFileSync(join(root, "go.mod"), "utf8").split("\n").filter(Boolean);
    expect(lines.slice(2)).toEqual([
      "require example.com/tool v1.2.3",
      "replace example.com/a => example.com/fork-of-a v0.1.0",
      "replace example.com/b v1.0.0 => example.com/b v1.0.1",
    ]);
  });

  it("of an unexpected version installs nothing", async () => {
    fakeGo({ output: "#!/bin/sh\necho v9.9.9\n" });
    await expect(ensure(await unreachable())).rejects.toThrow("has version v9.9.9, expected 1.2.3. Nothing was installed.");
    expect(readdirSync(cache)).toEqual([]);
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
    expect(await ensure(wanted)).toBe("built");
    expect(said.join("\n")).toContain("another process that installs the test tool");
    expectComplete();
  });
});

it("the Pulumi CLI has the version of the SDK, and the folder of its npm package", async () => {
  // @ts-expect-error The package publishes no types.
  const { cacheDir } = await import("pulumi/lib/cache.js");
  const { folder, version } = pulumiTool();
  const { dependencies } = JSON.parse(readFileSync(join(__dirname, "../../../package.json"), "utf8"));
  expect([dependencies.pulumi, version, folder]).toEqual([
    dependencies["@pulumi/pulumi"],
    dependencies["@pulumi/pulumi"],
    cacheDir(version),
  ]);
});
