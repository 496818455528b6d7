/** Builds programs from Go modules, for machines with access to a module proxy but not to releases. */
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { CommandError, run } from "../run";
import { during, log } from "./progress";
import type { GoSource, Places, Tool } from "./pulumi";

/** An entry of `go mod edit -json`. A folder has no version. */
type Replacement = Record<"Old" | "New", { Path: string; Version?: string }>;

/** @throws CommandError without Go, with a Go that is too old, or if a build fails; Error if the tool has no source */
export async function build({ name, programs, minutes, extras = [] }: Tool, places: Places): Promise<void> {
  if (minutes) log(`${name} is built from Go modules: once, in about ${minutes} minutes on two cores`);
  for (const { binary, source } of programs) {
    if (!source) throw new Error(`${name} is not built from source`);
    await buildProgram(binary, source, places);
  }
  await Promise.all(extras.map((file) => copyFile(file, join(places.bin, basename(file)))));
}

/**
 * Builds in a temporary module that requires the program's module and has its replacements. `go install package@version` does not work: it
 * looks up deprecations, which a module proxy may refuse. Go keeps each compiled package for the next build.
 */
async function buildProgram(binary: string, source: GoSource, places: Places): Promise<void> {
  const work = join(places.work, binary);
  const go = (...args: string[]) => run("go", args, { cwd: work });
  const make = async () => {
    await mkdir(work);
    const requirements = [`go ${source.goVersion}`, `require ${source.module} v${source.version}`, ...(await replacementsOf(source, go))];
    await writeFile(join(work, "go.mod"), `${["module example.invalid/build", ...requirements].join("\n\n")}\n`);
    await writeFile(join(work, "tools.go"), `//go:build tools\n\npackage tools\n\nimport _ "${source.package}"\n`);
    // -e ignores missing dependencies of tests. A missing dependency of the program fails the build below.
    await go("mod", "tidy", "-e").catch((error: unknown) => {
      if (!(error instanceof CommandError) || error.exitCode === undefined) throw error;
    });
    const linker = `-s -w -X ${source.definition}`;
    await go("build", "-mod=mod", "-trimpath", "-ldflags", linker, "-o", join(places.bin, binary), source.package);
  };
  await during(`building ${binary} ${source.version}`, make);
}

/**
 * The `replace` lines of the module's go.mod. Go applies only those of the main module, and some programs do not build without them.
 * Replacements by folders of the module's repository are omitted: the module proxy has the replaced modules.
 */
async function replacementsOf({ module, version }: GoSource, go: (...args: string[]) => Promise<string>): Promise<string[]> {
  const { GoMod } = JSON.parse(await go("mod", "download", "-json", `${module}@v${version}`)) as { GoMod: string };
  const { Replace } = JSON.parse(await go("mod", "edit", "-json", GoMod)) as { Replace: Replacement[] | null };
  return (Replace ?? []).flatMap(({ Old, New }) =>
    New.Version ? [`replace ${[Old.Path, Old.Version ?? "", "=>", New.Path, New.Version].filter(Boolean).join(" ")}`] : [],
  );
}
