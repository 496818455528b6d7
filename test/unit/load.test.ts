/** The loader of TypeScript: it transpiles a file once, until the file changes, and names TypeScript lines in errors. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import nodeModule from "node:module";
import { dirname, join, resolve } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder";

const root = resolve(__dirname, "../..");

/** A project that contains only the loader, TypeScript and one file. */
let project: string;
let file: string;

beforeEach(() => {
  project = temporaryFolder();
  file = join(project, "file.ts");
  for (const folder of ["src", "node_modules"]) mkdirSync(join(project, folder));
  symlinkSync(dirname(require.resolve("typescript/package.json")), join(project, "node_modules/typescript"));
  copyFileSync(join(root, "src/load.cjs"), join(project, "src/load.cjs"));
  copyFileSync(join(root, "tsconfig.json"), join(project, "tsconfig.json"));
});

const isCompilerLoaded = `console.log(Object.keys(require.cache).some((path) => path.endsWith("typescript.js")) ? "transpiled" : "cached");`;
const word = (text: string) => `const word: string = "${text}";\nconsole.log(word);\n${isCompilerLoaded}`;

/** Runs the file in a new process. */
function load(text?: string): { lines: string[]; stderr: string } {
  if (text !== undefined) writeFileSync(file, text);
  const { NODE_COMPILE_CACHE: _, NODE_DISABLE_COMPILE_CACHE: __, ...env } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, ["-r", "./src/load.cjs", file], { cwd: project, env, encoding: "utf8" });
  return { lines: stdout.trim().split("\n"), stderr };
}

const cached = () => readdirSync(join(project, "node_modules/.cache/transpiled"));

it("transpiles a file once, until it changes, and keeps only the newest version", () => {
  expect(load(word("one")).lines).toEqual(["one", "transpiled"]);
  expect(load().lines).toEqual(["one", "cached"]);
  expect(load(word("two")).lines).toEqual(["two", "transpiled"]);
  expect(load(word("one")).lines).toEqual(["one", "transpiled"]);
  expect(cached()).toHaveLength(1);
});

it("transpiles anew after a change of the compiler options or the TypeScript version", () => {
  load(word("one"));
  const tsconfig = join(project, "tsconfig.json");
  writeFileSync(tsconfig, readFileSync(tsconfig, "utf8").replace("ES2022", "ES2021"));
  expect(load().lines).toEqual(["one", "transpiled"]);
  rmSync(join(project, "node_modules/typescript"));
  mkdirSync(join(project, "node_modules/typescript"));
  writeFileSync(join(project, "node_modules/typescript/package.json"), '{ "version": "0.0.1", "main": "typescript.js" }');
  writeFileSync(join(project, "node_modules/typescript/typescript.js"), `module.exports = require("${require.resolve("typescript")}")`);
  expect(load().lines).toEqual(["one", "transpiled"]);
});

it("transpiles anew if the cached file is incomplete", () => {
  load(word("one"));
  const [name = ""] = cached();
  const place = join(project, "node_modules/.cache/transpiled", name);
  writeFileSync(place, readFileSync(place, "utf8").slice(0, -1));
  expect(load().lines).toEqual(["one", "transpiled"]);
});

it("works without write access to the cache", () => {
  writeFileSync(join(project, "node_modules/.cache"), "a file in the place of the folder");
  for (const _ of [1, 2]) expect(load(word("one")).lines).toEqual(["one", "transpiled"]);
});

it("reports a syntax error with file and line, each time", () => {
  for (const _ of [1, 2])
    expect(load("\nexport const = 1;\n").stderr).toContain("file.ts(2,14): error TS1134: Variable declaration expected");
});

it("names the lines of the TypeScript file in a stack trace, also from the cache", () => {
  const text = `interface Removed {\n  field: string;\n}\n\nthrow new Error("fifth line" as string);\n`;
  for (const _ of [1, 2]) expect(load(text).stderr).toMatch(/file\.ts:5:\d+\)?$/m);
});

it.skipIf(!("enableCompileCache" in nodeModule))("caches compiled code in newer Node.js releases", () => {
  load(word("one"));
  expect(readdirSync(join(project, "node_modules/.cache/compiled"))).not.toEqual([]);
});
