/** Builds programs from Go modules, for machines that reach a module proxy but no releases. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import semver from "semver";
import { CommandError, run } from "../run";
import type { Progress } from "./progress";
import type { GoProgram, Places, Tool } from "./tools";

/** Go releases from this one on can fetch the newer Go that a module asks for. */
const firstSelfUpdatingGo = "1.21.0";

/** As `go mod edit -json` writes it. A folder has no version. */
interface Replacement {
  Old: { Path: string; Version?: string };
  New: { Path: string; Version?: string };
}

/** What is missing for a build, as a sentence that says what to install. */
export class GoMissing extends Error {}

/**
 * Builds the tool's programs.
 *
 * @throws GoMissing where there is no Go, or none that is new enough
 * @throws CommandError where a build fails
 */
export async function build(tool: Tool, places: Places, progress: Progress): Promise<void> {
  await requireGo(newest(tool.build.map((program) => program.goVersion)));
  for (const program of tool.build) {
    await progress.during(`building ${program.binary} ${program.version} from Go modules (${tool.buildTime} in all, once)`, () =>
      buildProgram(program, places),
    );
  }
}

/**
 * `go install package@version` is no way: it looks up deprecations, which a module proxy alone may refuse. A throw-away module with the one
 * requirement, and that module's replacements, builds the same program.
 */
async function buildProgram(program: GoProgram, places: Places): Promise<void> {
  const work = join(places.work, program.binary);
  await mkdir(work);
  const replacements = await replacementsOf(`${program.module}@v${program.version}`, work);
  const requirement = `require ${program.module} v${program.version}`;
  await writeFile(
    join(work, "go.mod"),
    `${["module example.invalid/build", `go ${program.goVersion}`, requirement, ...replacements].join("\n\n")}\n`,
  );
  await writeFile(join(work, "tools.go"), `//go:build tools\n\npackage tools\n\nimport _ "${program.package}"\n`);
  // -e goes on past test dependencies that cannot be had; what the program itself lacks fails the build below.
  await run("go", ["mod", "tidy", "-e"], { cwd: work }).catch((error: unknown) => {
    if (!(error instanceof CommandError) || error.exitCode === undefined) throw error;
  });
  const linker = ["-s", "-w", ...program.definitions.map((definition) => `-X ${definition}`)].join(" ");
  const output = join(places.bin, program.binary);
  await run("go", ["build", "-mod=mod", "-trimpath", "-ldflags", linker, "-o", output, program.package], { cwd: work });
}

/**
 * The `replace` lines of a module's own go.mod: Go heeds those of the main module alone, and some programs do not build without theirs.
 * Those that name a folder of the module's repository are left out; the module proxy has what they stand for.
 */
async function replacementsOf(module: string, work: string): Promise<string[]> {
  const { GoMod } = JSON.parse(await run("go", ["mod", "download", "-json", module], { cwd: work })) as { GoMod: string };
  const { Replace } = JSON.parse(await run("go", ["mod", "edit", "-json", GoMod], { cwd: work })) as { Replace: Replacement[] | null };
  return (Replace ?? []).flatMap(({ Old, New }) =>
    New.Version ? [`replace ${[Old.Path, Old.Version ?? "", "=>", New.Path, New.Version].filter(Boolean).join(" ")}`] : [],
  );
}

async function requireGo(wanted: string): Promise<void> {
  const install = `install Go ${wanted} or newer from https://go.dev/dl/`;
  let answer: string;
  try {
    answer = await run("go", ["env", "GOVERSION", "GOTOOLCHAIN"]);
  } catch (error) {
    throw new GoMissing(`there is no usable Go on this machine (${(error as Error).message.split("\n")[0]}): ${install}`);
  }
  const [release = "", toolchain = "local"] = answer.split("\n");
  const found = semver.coerce(release);
  const updatesItself = found && semver.gte(found, firstSelfUpdatingGo) && toolchain.includes("auto");
  if (!updatesItself && (!found || semver.lt(found, wanted))) {
    throw new GoMissing(`the Go on this machine, ${release.replace(/^go/, "")}, is too old: ${install}`);
  }
}

function newest(versions: readonly string[]): string {
  const sorted = versions.map((version) => semver.coerce(version)?.version ?? version).sort(semver.rcompare);
  return sorted[0] ?? "0.0.0";
}
