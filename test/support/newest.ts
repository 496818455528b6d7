/**
 * `npm run newest`: are the newest releases of what this project pins fine? Installs them into a copy of the last commit, runs the checks there,
 * and prints a table as Markdown. If a check fails, it runs again with each release alone, which names the culprit.
 *
 *     npm run newest                                 all
 *     npm run newest -- --list                       what is newer, without a run
 *     npm run newest -- NAME…                        only these
 *     npm run newest -- --run "npm run check" …      these checks instead of the default ones
 *
 * Exits with 1 if a release breaks a check. Of recorded SDKs, it only names the newest release.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { gt, maxSatisfying } from "semver";
import { CommandError, run } from "./run";
import { pulumiTool } from "./toolchain/pulumi";
import { actionlintTool, servers } from "./toolchain/servers";

/** Something pinned, and its newest release. */
export interface Release {
  name: string;
  pinned: string;
  /** An error if no registry says it. */
  newest: string | Error;
  /** Packages of one group have one version, or each other's types: they are installed together. */
  group: string;
  /** A part of the commands that test it; undefined if none does. */
  testedBy: string | undefined;
  /** Writes the newest release into the copy. */
  install?: (copy: string) => Promise<unknown>;
}

/** What stays at another release than the newest one, and why. With `within`, the newest release of this range is tried. */
const kept: Record<string, { within?: string; reason: string }> = {
  "@biomejs/biome": { within: "2.5", reason: "2.6 also formats Markdown and YAML" },
  "@pulumi/command": { within: "1", reason: "npm's `latest` has named a stray 4.5.0" },
  "@pulumi/pulumi": { reason: "equal to `pulumi`" },
  "@types/node": { within: "20", reason: "the oldest Node.js on which the program runs" },
  "https-proxy-agent": { within: "7", reason: "the version that Pulumi has loaded already" },
  pulumi: { reason: "a release that npm and the Go module proxy both have" },
  "Pulumi CLI": { reason: "equal to `pulumi`" },
  Tempo: { reason: "the Go module proxy has no releases of it" },
  typescript: { within: "5", reason: "Pulumi's SDK does not support 7" },
  vitest: { within: "4", reason: "5 requires Node.js 22" },
};

/** The recorded SDKs whose files have another name than their package. The others are packages of PyPI. */
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

const root = resolve(__dirname, "../..");

/** Asks a registry one question at a time. */
async function inTurn<T, R>(items: Iterable<T>, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** The answer of a registry's client, or its error. */
const ask = (answer: Promise<string>): Promise<string | Error> => answer.catch((error: Error) => error);

/** @param range npm's, such as `4`; the tag `latest` without one */
async function newestOnNpm(name: string, range = "latest"): Promise<string> {
  const versions = [JSON.parse(await run("npm", ["view", `${name}@${range}`, "version", "--json"]))].flat();
  return maxSatisfying(versions, "*") ?? String(versions.at(-1));
}

/** The packages of a folder. */
async function packagesIn(copy: string, folder: string): Promise<Release[]> {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(copy, folder, "package.json"), "utf8"));
  const pins: Record<string, string> = { ...dependencies, ...devDependencies };
  // npm lists all packages that are not installed, except those for development, and exits with 1.
  const empty = mkdtempSync(join(copy, "../list-"));
  writeFileSync(join(empty, "package.json"), JSON.stringify({ dependencies: pins }));
  const listed: Record<string, { latest: string }> = JSON.parse(await run("sh", ["-c", "npm outdated --json || true"], { cwd: empty }));
  return inTurn(Object.entries(pins), async ([name, pinned]) => {
    const range = kept[name]?.within;
    const latest = listed[name]?.latest ?? new Error("npm does not list it");
    const newest = range === undefined ? latest : await ask(newestOnNpm(name, range));
    return {
      name: folder ? `${name} (${folder})` : name,
      pinned,
      // A release that is newer than npm's tag `latest` was chosen.
      newest: newest instanceof Error || gt(newest, pinned) ? newest : pinned,
      group: `${folder} ${name.startsWith("@types/") ? name : name.replace(/\/.*|-dom$/, "")}`,
      testedBy: folder ? "truth" : "",
      install: (copy: string) =>
        run("npm", ["install", "--save-exact", "--no-audit", "--no-fund", `${name}@${newest}`], { cwd: join(copy, folder) }),
    };
  });
}

/** The programs that can be built from Go modules. */
const tools = () =>
  inTurn([...servers(), actionlintTool(), pulumiTool()], async ({ name, version, programs: [{ source }] }): Promise<Release> => {
    const module = `${source?.module}@latest`;
    const latest = kept[name] ? version : await ask(run("go", ["list", "-m", "-f", "{{.Version}}", module], { cwd: tmpdir() }));
    // Prometheus: version 0.316.0 of the module is release 3.16.0.
    const newest =
      typeof latest === "string"
        ? latest
            .trim()
            .replace(/^v/, "")
            .replace(/^0\.(\d)(\d\d)/, "$1.$2")
        : latest;
    const install = async (copy: string) => {
      const file = join(copy, "test/support/toolchain/servers.ts");
      writeFileSync(file, readFileSync(file, "utf8").replace(`version = "${version}"`, `version = "${newest}"`));
    };
    return { name, pinned: version, newest, group: name, testedBy: name === "actionlint" ? "workflows" : "truth", install };
  });

/** The recorded SDKs. Their versions need not follow npm's rules, so that the newest release is any other than the recorded ones. */
function recordings(copy: string): Promise<Release[]> {
  const recorded = new Map<string, string[]>();
  for (const file of readdirSync(join(copy, "test/recorded/otlp"))) {
    const [, sdk = "", version = ""] = /^(.+?)-(\d+\.\w+(?:\.\w+)*)/.exec(basename(file, ".json")) ?? [];
    const name = packagesOf[sdk] ?? sdk;
    recorded.set(name, [...new Set(recorded.get(name)).add(version)]);
  }
  return inTurn(recorded, async ([name, versions]) => {
    const pre = versions.some((version) => /[a-z]/.test(version)) ? ["--pre"] : [];
    const [, onNpm] = name.split("npm:");
    // "NAME (VERSION)", then a list.
    const fromPip = () => run("pip", ["index", "versions", ...pre, name]).then((text) => /\((.+?)\)/.exec(text)?.[1] ?? "");
    const newest = await ask(onNpm ? newestOnNpm(onNpm) : fromPip());
    const pinned = versions.find((version) => version === newest) ?? versions.join(", ");
    return { name: `${name} (recorded)`, pinned, newest, group: name, testedBy: undefined };
  });
}

/** Runs the commands with these releases. Returns the first line of each failure, by command. */
type Attempt = (releases: readonly Release[], commands: readonly string[]) => Promise<Map<string, string>>;

/**
 * The result of each release: `ok`, or what fails. First all together; if that fails, the failed commands with none of them, then with each group
 * alone.
 */
export async function judge(releases: readonly Release[], commands: readonly string[], attempt: Attempt): Promise<Map<Release, string>> {
  const all = (result: string) => new Map(releases.map((release) => [release, result]));
  const together = await attempt(releases, commands);
  if (together.size === 0) return all("ok");
  const failed = [...together.keys()].filter((command) => commands.includes(command));
  // An installation that fails has no command: every command is open then.
  const repeated = failed.length === together.size ? failed : commands;
  const before = describe(await attempt([], repeated));
  if (before) return all(`not known, since the pinned releases fail: ${before}`);
  const results = new Map<Release, string>();
  const unexplained = new Map(together);
  for (const group of new Set(releases.map(({ group }) => group))) {
    const members = releases.filter((release) => release.group === group);
    const failures = await attempt(members, repeated);
    for (const what of failures.keys()) unexplained.delete(what);
    for (const member of members) results.set(member, failures.size > 0 ? `failed: ${describe(failures)}` : "ok");
  }
  if (unexplained.size === 0) return results;
  const notAlone = `failed, but not alone: ${describe(unexplained)}`;
  return new Map([...results].map(([release, result]) => [release, result === "ok" ? notAlone : result]));
}

const describe = (failures: Map<string, string>) => [...failures].map(([command, line]) => `\`${command}\`: \`${line}\``).join("; ");

/** Runs in the copy; each attempt begins with the files of the commit. */
const attemptIn =
  (copy: string): Attempt =>
  async (releases, commands) => {
    console.error(`newest: ${releases.map(({ name }) => name).join(", ") || "nothing newer"}: ${commands.join(", ")}`);
    const failures = new Map<string, string>();
    const noting = (what: string, work: Promise<unknown>) => work.catch((error: Error) => failures.set(what, firstLine(error)));
    await run("git", ["checkout", "--quiet", "--force", "HEAD"], { cwd: copy });
    await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: copy });
    for (const { name, newest, install } of releases)
      await noting(`installation of ${name} ${newest}`, install?.(copy) ?? Promise.resolve());
    for (const command of failures.size > 0 ? [] : commands) await noting(command, run("sh", ["-c", command], { cwd: copy }));
    if (failures.size > 0) console.error(`newest:   failed: ${describe(failures)}`);
    return failures;
  };

/** The first line that looks like the reason, without what would end a cell or a code span of Markdown. */
function firstLine(error: Error): string {
  const lines = stripVTControlCharacters(error instanceof CommandError && error.output ? error.output : error.message).split("\n");
  const line = lines.find((line) => /\berr(or|!)?\b|FAIL|✗|×/i.test(line)) ?? lines.findLast((line) => line.trim()) ?? "";
  return line.replace(/[`|]/g, "'").trim().slice(0, 200);
}

/** The table of what is newer, and below it what is kept. */
export function report(newer: readonly Release[], results: Map<Release, string>, keeps: readonly string[]): string {
  const cell = (newest: string | Error) => (newest instanceof Error ? `not known: \`${firstLine(newest)}\`` : newest);
  const rows = newer.map((release) => `| ${release.name} | ${release.pinned} | ${cell(release.newest)} | ${results.get(release)} |`);
  const table =
    rows.length > 0
      ? ["| Package | Pinned | Newest | Result |", "|---|---|---|---|", ...rows]
      : ["All pinned releases are the newest ones."];
  return [...table, "", ...keeps, ""].join("\n");
}

async function main(): Promise<void> {
  const options = { list: { type: "boolean" }, run: { type: "string", multiple: true } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const commands = values.run ?? ["npm run check", "npm test"];
  const temporary = mkdtempSync(join(tmpdir(), "newest-"));
  const copy = join(temporary, "copy");
  try {
    await run("git", ["clone", "--quiet", root, copy]);
    const packages = ["", "test/truth", "test/view"].map((folder) => packagesIn(copy, folder));
    const found = (await Promise.all([...packages, tools(), recordings(copy)])).flat();
    const isAsked = ({ name }: Release) => positionals.length === 0 || positionals.includes(name.split(" (")[0] ?? "");
    const newer = found.filter((release) => release.newest !== release.pinned && isAsked(release));
    const free = newer.filter(({ name }) => !kept[name] || kept[name].within);
    const isTested = ({ newest, testedBy }: Release) =>
      typeof newest === "string" && testedBy !== undefined && commands.some((command) => command.includes(testedBy));
    const tested = values.list ? [] : free.filter(isTested);
    const results = tested.length > 0 ? await judge(tested, commands, attemptIn(copy)) : new Map<Release, string>();
    for (const release of free) {
      if (!results.has(release)) results.set(release, release.testedBy === undefined ? "to be recorded again" : "not tried");
    }
    const keeps = Object.entries(kept).map(
      ([name, { within, reason }]) => `- \`${name}\`: kept${within ? ` within ${within}` : ""}: ${reason}`,
    );
    process.stdout.write(report(free, results, keeps));
    if (tested.some((release) => results.get(release) !== "ok")) process.exitCode = 1;
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
