/** Builds programs from Go modules, for machines with access to a module proxy but not to releases. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import semver from "semver";
import { CommandError, run } from "../run";
import type { Progress } from "./progress";
import type { GoProgram, Places, Program } from "./tools";

/** An entry of `go mod edit -json`. A folder has no version. */
type Replacement = Record<"Old" | "New", { Path: string; Version?: string }>;

/** No suitable Go is installed. The message says which one to install. */
export class GoMissing extends Error {}

export const isGoProgram = (program: Program): program is GoProgram => "module" in program;

/**
 * Builds programs. The first one requires the newest Go.
 *
 * @throws GoMissing without a Go that is new enough; CommandError if a build fails
 */
export async function build(programs: readonly GoProgram[], places: Places, progress: Progress): Promise<void> {
  await requireGo(programs[0]?.goVersion ?? "");
  for (const program of programs) {
    const action = `building ${program.binary} ${program.version} from Go modules (once, 5 to 6 minutes on two cores in total)`;
    await progress.during(action, () => buildProgram(program, places));
  }
}

/**
 * Builds in a temporary module that requires the program's module and has its replacements. `go install package@version` does not work: it
 * looks up deprecations, which a module proxy may refuse.
 */
async function buildProgram(program: GoProgram, places: Places): Promise<void> {
  const work = join(places.work, program.binary);
  await mkdir(work);
  const replacements = await replacementsOf(`${program.module}@v${program.version}`, work);
  const requirements = [`go ${program.goVersion}`, `require ${program.module} v${program.version}`];
  await writeFile(join(work, "go.mod"), `${["module example.invalid/build", ...requirements, ...replacements].join("\n\n")}\n`);
  await writeFile(join(work, "tools.go"), `//go:build tools\n\npackage tools\n\nimport _ "${program.package}"\n`);
  // -e ignores missing dependencies of tests. A missing dependency of the program fails the build below.
  await run("go", ["mod", "tidy", "-e"], { cwd: work }).catch((error: unknown) => {
    if (!(error instanceof CommandError) || error.exitCode === undefined) throw error;
  });
  const linker = `-s -w -X ${program.definition}`;
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
  const output = await run("go", ["env", "GOVERSION", "GOTOOLCHAIN"]).catch((error: Error) => {
    throw new GoMissing(`Go is not installed or does not start (${error.message.split("\n")[0]}): ${fix}`);
  });
  const [release = "", toolchain = "local"] = output.split("\n");
  const found = semver.coerce(release) ?? "0.0.0";
  // From 1.21 on, Go can download the newer Go that a module requires.
  const updatesItself = semver.gte(found, "1.21.0") && toolchain.includes("auto");
  if (!updatesItself && semver.lt(found, semver.coerce(required) ?? required)) {
    throw new GoMissing(`the installed Go ${release.replace(/^go/, "")} is too old: ${fix}`);
  }
}
