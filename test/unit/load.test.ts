/** The loader of TypeScript: it runs a changed file, not the cached one, and names TypeScript lines in errors. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder";

const root = resolve(__dirname, "../..");

/** A project of the loader and TypeScript alone: a function that runs a text as its file in a new process. */
function project() {
  const folder = temporaryFolder();
  for (const name of ["src", "node_modules"]) mkdirSync(join(folder, name));
  symlinkSync(dirname(require.resolve("typescript/package.json")), join(folder, "node_modules/typescript"));
  for (const name of ["src/load.cjs", "tsconfig.json"]) copyFileSync(join(root, name), join(folder, name));
  return (text: string) => {
    writeFileSync(join(folder, "file.ts"), text);
    return spawnSync(process.execPath, ["-r", "./src/load.cjs", "file.ts"], { cwd: folder, encoding: "utf8" });
  };
}

it("runs a file as it is now, and names its lines in errors, also from the cache", () => {
  const run = project();
  for (const word of ["one", "one", "two", "one"]) {
    expect(run(`console.log("${word}" as string);`).stdout).toBe(`${word}\n`);
    expect(run("interface Removed {\n  field: string;\n}\n\nthrow new Error();\n").stderr).toMatch(/file\.ts:5:\d+\)?$/m);
    expect(run("\nexport const = 1;\n").stderr).toContain("file.ts(2,14): error TS1134: Variable declaration expected");
  }
});
