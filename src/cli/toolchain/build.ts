/** Builds programs from Go modules, for machines with access to a module proxy but not to releases. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import semver from "semver";
import { CommandError, run } from "../run";
import type { Progress } from "./progress";
import type { GoProgram, Places, Tool } from "./tools";

/** From this release on, Go can download the newer Go that a module requires. */
const firstSelfUpdatingGo = "1.21.0";

/** An entry of `go mod edit -json`. A folder has no version. */
interface Replacement {
  Old: { Path: string; Version?: string };
  New: { Path: string; Version?: string };
}

/** No suitable Go is installed. The message says which one to install. */
export class GoMissing extends Error {}

/**
 * Builds the tool's programs.
 *
 * @throws GoMissing without a Go that is new enough
 * @throws CommandError if a build fails
 */
export async function build(tool: Tool, places: Places, progress: Progress): Promise<void> {
  await requireGo(tool.build.map(({ goVersion }) => goVersion).sort((a, b) => semver.rcompare(version(a), version(b)))[0] ?? "");
  for (const program of tool.build) {
    await progress.during(`building ${program.binary} ${program.version} from Go modules (once, ${tool.buildTime} in total)`, () =>
      buildProgram(program, places),
    );
  }
}

const version = (release: string) => semver.coerce(release)?.version ?? "0.0.0";

/**
 * Builds in a temporary module that requires the program's module and has its replacements. `go install package@version` does not work: it
 * looks up deprecations, which a module proxy may refuse.
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
  // -e ignores missing dependencies of tests. A missing dependency of the program fails the build below.
  await run("go", ["mod", "tidy", "-e"], { cwd: work }).catch((error: unknown) => {
    if (!(error instanceof CommandError) || error.exitCode === undefined) throw error;
  });
  const linker = ["-s", "-w", ...program.definitions.map((definition) => `-X ${definition}`)].join(" ");
  const output = join(places.bin, program.binary);
  await run("go", ["build", "-mod=mod", "-trimpath", "-ldflags", linker, "-o", output, program.package], { cwd: work });
}

/**
 * The `replace` lines of the module's go.mod. Go applies only those of the main module, and some programs do not build without them.
 * Replacements by folders of the module's repository are omitted: the module proxy has the replaced modules.
 */
async function replacementsOf(module: string, work: string): Promise<string[]> {
  const { GoMod } = JSON.parse(await run("go", ["mod", "download", "-json", module], { cwd: work })) as { GoMod: string };
  const { Replace } = JSON.parse(await run("go", ["mod", "edit", "-json", GoMod], { cwd: work })) as { Replace: Replacement[] | null };
  return (Replace ?? []).flatMap(({ Old, New }) =>
    New.Version ? [`replace ${[Old.Path, Old.Version ?? "", "=>", New.Path, New.Version].filter(Boolean).join(" ")}`] : [],
  );
}

async function requireGo(required: string): Promise<void> {
  const fix = `install Go ${required} or newer from https://go.dev/dl/`;
  let output: string;
  try {
    output = await run("go", ["env", "GOVERSION", "GOTOOLCHAIN"]);
  } catch (error) {
    throw new GoMissing(`Go is not installed or does not start (${(error as Error).message.split("\n")[0]}): ${fix}`);
  }
  const [release = "", toolchain = "local"] = output.split("\n");
  const found = version(release);
  const updatesItself = semver.gte(found, firstSelfUpdatingGo) && toolchain.includes("auto");
  if (!updatesItself && semver.lt(found, version(required))) {
    throw new GoMissing(`the installed Go ${release.replace(/^go/, "")} is too old: ${fix}`);
  }
}
