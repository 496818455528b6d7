/**
 * `npm run newest` (test/README.md): installs the newest releases of what this project pins into a copy of the last commit, runs commands there,
 * and prints a table as Markdown. If a command fails, it runs again with each release alone. Exits with 1 if a release breaks a command.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { gt, maxSatisfying } from "semver";
import { CommandError, run } from "./run";
import { pulumiTool } from "./toolchain/pulumi";
import { actionlintTool, grafanaTool, mimirTools, servers } from "./toolchain/servers";

/** Something pinned, and its newest release. */
export interface Release {
  name: string;
  pinned: string;
  newest: string;
  /** Releases of one group have one version, or each other's types: they are tried together. */
  group: string;
  /** A part of the commands that test it; undefined if none does. */
  testedBy?: string | undefined;
  /** The folder of an npm package. */
  folder?: string;
}

/** What stays at another release than the newest one, and why. With `within`, the newest release of this range is tried. */
const kept: Record<string, { within?: string; reason: string }> = {
  "@biomejs/biome": { within: "2.5", reason: "2.6 also formats Markdown and YAML" },
  "@lezer/lr": { reason: "`@grafana/lezer-logql` requires exactly this one" },
  "@pulumi/command": { within: "1", reason: "npm's `latest` has named a stray 4.5.0" },
  "@pulumi/pulumi": { reason: "equal to `pulumi`" },
  "@types/node": { within: "20", reason: "the oldest Node.js on which the program runs" },
  "https-proxy-agent": { within: "7", reason: "the version that Pulumi has loaded already" },
  pulumi: { reason: "a release that npm and the Go module proxy both have" },
  "Pulumi CLI": { reason: "equal to `pulumi`" },
  Tempo: { reason: "the Go module proxy has no releases of it" },
  mimir: { reason: "the Go module proxy has no releases of it" },
  mimirtool: { reason: "equal to `mimir`" },
  Grafana: { reason: "downloaded only; `genuine.yml` has its latest image" },
  typescript: { within: "5", reason: "Pulumi's SDK does not support 7" },
  vitest: { within: "4", reason: "5 requires Node.js 22" },
};

/** The packages of recorded SDKs whose files have another name. Without `npm:`, they are on PyPI. */
const packagesOf: Record<string, string> = {
  "agent-framework": "agent-framework-core",
  "ai-sdk": "npm:ai",
  "ai-sdk-legacy": "npm:ai",
  "langchain-openllmetry": "opentelemetry-instrumentation-langchain",
  "openinference-openai": "openinference-instrumentation-openai",
  "openlit-node": "npm:openlit",
  "openlit-python": "openlit",
  "openllmetry-openai": "opentelemetry-instrumentation-openai",
  "pydantic-ai": "pydantic-ai-slim",
};

/** Runs a command, with npm's messages, also below `npm run --silent`. */
const go = (cwd: string, ...[program = "", ...args]: string[]) =>
  run(program, args, { cwd, env: { ...process.env, npm_config_loglevel: "notice" } });

/** @param range npm's, such as `4`, or a tag */
async function newestOnNpm(name: string, range: string): Promise<string> {
  const versions = [JSON.parse(await go(tmpdir(), "npm", "view", `${name}@${range}`, "version", "--json"))].flat();
  return maxSatisfying(versions, "*") ?? String(versions.at(-1));
}

async function* packagesIn(copy: string, folder: string): AsyncGenerator<Release> {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(copy, folder, "package.json"), "utf8"));
  const pins: Record<string, string> = { ...dependencies, ...devDependencies };
  // npm lists all packages that are not installed, except those for development, and exits with 1.
  const empty = mkdtempSync(join(copy, "../list-"));
  writeFileSync(join(empty, "package.json"), JSON.stringify({ dependencies: pins }));
  const listed: Record<string, { latest: string }> = JSON.parse(await go(empty, "sh", "-c", "npm outdated --json || true"));
  for (const [name, pinned] of Object.entries(pins)) {
    const range = kept[name]?.within;
    const latest = range === undefined ? listed[name]?.latest : await newestOnNpm(name, range);
    // A release that is newer than npm's tag `latest` was chosen.
    const newest = latest && gt(latest, pinned) ? latest : pinned;
    const group = `${folder} ${name.startsWith("@types/") ? name : name.replace(/\/.*|-dom$/, "")}`;
    yield { name, pinned, newest, group, testedBy: folder ? "truth" : "", folder };
  }
}

/** The programs that can be built from Go modules. Prometheus: version 0.316.0 of the module is release 3.16.0. */
async function* tools(): AsyncGenerator<Release> {
  for (const { name, version, programs } of [...servers(), ...mimirTools(), grafanaTool(), actionlintTool(), pulumiTool()]) {
    const ask = () => go(tmpdir(), "go", "list", "-m", "-f", "{{.Version}}", `${programs[0].source?.module}@latest`);
    const newest = kept[name]
      ? version
      : (await ask()).trim().replace(/^v(?:0\.(\d)(?=\d\d\.))?/, (_, major) => (major ? `${major}.` : ""));
    yield { name, pinned: version, newest, group: name, testedBy: name === "actionlint" ? "workflows" : "truth" };
  }
}

/** The recorded SDKs. Not all versions follow npm's rules: the newest release is any other than the recorded ones. */
async function* recordings(copy: string): AsyncGenerator<Release> {
  const recorded = new Map<string, Set<string>>();
  for (const file of readdirSync(join(copy, "test/recorded/otlp"))) {
    const [, sdk = "", version = ""] = /^(.+?)-(\d+\.\w+(?:\.\w+)*)/.exec(basename(file, ".json")) ?? [];
    const name = packagesOf[sdk] ?? sdk;
    recorded.set(name, new Set(recorded.get(name)).add(version));
  }
  for (const [name, versions] of recorded) {
    const [, onNpm] = name.split("npm:");
    const pinned = [...versions].join(", ");
    const pre = /[a-z]/.test(pinned) ? ["--pre"] : [];
    // "NAME (VERSION)", then a list.
    const ask = async () => /\((.+?)\)/.exec(await go(tmpdir(), "pip", "index", "versions", ...pre, name))?.[1] ?? "?";
    const newest = await (onNpm ? newestOnNpm(onNpm, "latest") : ask());
    yield { name: `${name} (recorded)`, pinned: versions.has(newest) ? newest : pinned, newest, group: name };
  }
}

/** Runs the commands with these releases. Returns the first line of each failure, by command. */
type Attempt = (releases: readonly Release[], commands: readonly string[]) => Promise<Map<string, string>>;

/** The result of each release: `ok`, or what fails with it alone, only with others, or without it. */
export async function judge(releases: readonly Release[], commands: readonly string[], attempt: Attempt): Promise<Map<Release, string>> {
  const all = (result: string) => new Map(releases.map((release) => [release, result]));
  const together = await attempt(releases, commands);
  if (together.size === 0) return all("ok");
  // After an installation that fails, no command ran.
  const failed = commands.filter((command) => together.has(command));
  const repeated = failed.length > 0 ? failed : commands;
  const before = await attempt([], repeated);
  if (before.size > 0) return all(`not known, since the pinned releases fail: ${describe(before)}`);
  const results = all("ok");
  for (const group of new Set(releases.map(({ group }) => group))) {
    const members = releases.filter((release) => release.group === group);
    const failures = await attempt(members, repeated);
    for (const what of failures.keys()) together.delete(what);
    if (failures.size > 0) for (const member of members) results.set(member, `failed: ${describe(failures)}`);
  }
  const others = `failed, but not alone: ${describe(together)}`;
  return new Map([...results].map(([release, result]) => [release, result === "ok" && together.size > 0 ? others : result]));
}

const describe = (failures: Map<string, string>) => [...failures].map(([command, line]) => `\`${command}\`: \`${line}\``).join("; ");

/** Runs in the copy; each attempt begins with the files of the commit. */
const attemptIn =
  (copy: string): Attempt =>
  async (releases, commands) => {
    console.error(`newest: with ${releases.map(({ name }) => name).join(", ") || "nothing newer"}: ${commands.join(", ")}`);
    const failures = new Map<string, string>();
    const noting = (what: string, work: Promise<unknown>) => work.catch((error: Error) => failures.set(what, firstLine(error)));
    await go(copy, "git", "checkout", "--quiet", "--force", "HEAD");
    await go(copy, "npm", "ci");
    for (const folder of new Set(releases.flatMap(({ folder }) => folder ?? []))) {
      const specs = releases.flatMap((release) => (release.folder === folder ? `${release.name}@${release.newest}` : []));
      const install = async () => {
        await go(join(copy, folder), "npm", "install", "--save-exact", ...specs);
        // The installation of one package can ignore what others require.
        await go(join(copy, folder), "npm", "ls");
      };
      await noting("npm install", install());
    }
    const file = join(copy, "test/support/toolchain/servers.ts");
    const replaced = releases.filter(({ folder }) => folder === undefined);
    const version = (text: string, { pinned, newest }: Release) => text.replace(`version = "${pinned}"`, `version = "${newest}"`);
    writeFileSync(file, replaced.reduce(version, readFileSync(file, "utf8")));
    for (const command of failures.size > 0 ? [] : commands) await noting(command, go(copy, "sh", "-c", command));
    if (failures.size > 0) console.error(`newest: failed: ${describe(failures)}`);
    return failures;
  };

/** The first line that looks like the reason, without what would end a cell or a code span of Markdown. */
export function firstLine(error: Error): string {
  const lines = stripVTControlCharacters((error instanceof CommandError && error.output) || error.message).split("\n");
  const line = lines.find((line) => /\b[Ee]rr(or|!)?\b|\bFAIL\b|[✗×]/.test(line)) ?? lines.findLast((line) => line.trim()) ?? "";
  return line.replace(/[`|]/g, "'").trim().slice(0, 200);
}

async function main(): Promise<void> {
  const options = { list: { type: "boolean" }, run: { type: "string", multiple: true } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const commands = values.run ?? ["npm run check", "npm test"];
  const temporary = mkdtempSync(join(tmpdir(), "newest-"));
  const copy = join(temporary, "copy");
  try {
    await run("git", ["clone", "--quiet", resolve(__dirname, "../.."), copy]);
    const newer: Release[] = [];
    for (const source of [...["", "test/truth", "test/view"].map((folder) => packagesIn(copy, folder)), tools(), recordings(copy)]) {
      for await (const release of source) {
        const { name, pinned, newest } = release;
        const isKept = kept[name] && !kept[name].within;
        const isAsked = positionals.length === 0 || positionals.includes(name);
        if (newest !== pinned && !isKept && isAsked) newer.push(release);
      }
    }
    const isTested = ({ testedBy }: Release) => testedBy !== undefined && commands.some((command) => command.includes(testedBy));
    const tested = values.list ? [] : newer.filter(isTested);
    const results = await judge(tested, commands, tested.length > 0 ? attemptIn(copy) : async () => new Map());
    const rows = newer.map(
      (release) => `| ${release.name} | ${release.pinned} | ${release.newest} | ${results.get(release) ?? "not tried"} |`,
    );
    if (rows.length > 0) console.log(["| Package | Pinned | Newest | Result |", "|---|---|---|---|", ...rows, ""].join("\n"));
    for (const [name, { within, reason }] of Object.entries(kept))
      console.log(`- \`${name}\` is kept${within ? ` within ${within}` : ""}: ${reason}`);
    if ([...results.values()].some((result) => result !== "ok")) process.exitCode = 1;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

if (require.main === module) {
  main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
