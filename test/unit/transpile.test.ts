/** What the loader makes of TypeScript: nothing else than ts-node by itself, and not twice. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import nodeModule from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { create } from "ts-node";
import { beforeEach, expect, it, onTestFinished } from "vitest";

const root = resolve(__dirname, "../..");

/** A project that holds nothing but the transpiler. */
let project: string;
let folder: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "llm-observability-transpile-"));
  onTestFinished(() => rmSync(project, { recursive: true }));
  folder = join(project, "node_modules/.cache/transpiled");
  for (const part of ["src", "node_modules"]) mkdirSync(join(project, part));
  symlinkSync(dirname(require.resolve("typescript/package.json")), join(project, "node_modules/typescript"));
  copyFileSync(join(root, "src/transpile.cjs"), join(project, "src/transpile.cjs"));
});

/** A new process's ts-node. */
const loader = (transpiler?: string) =>
  create({ project: join(root, "tsconfig.json"), transpileOnly: true, ...(transpiler ? { transpiler } : { transpiler: null as never }) });
const keeping = () => loader(join(project, "src/transpile.cjs"));
const kept = () => readdirSync(folder).map((name) => join(folder, name));
const file = join(root, "src/any.ts");

it("makes of each file what ts-node makes of it, the second time, too", () => {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  expect(files.length).toBeGreaterThan(30);
  const plain = loader();
  for (const compile of [keeping(), keeping()].map((service) => service.compile)) {
    for (const name of files.map((name) => join(root, "src", name))) {
      const text = readFileSync(name, "utf8");
      expect(compile(text, name)).toBe(plain.compile(text, name));
    }
  }
  expect(kept()).toHaveLength(files.length);
});

it("makes a file once, until it changes, and keeps no older version", () => {
  keeping().compile("export const word: string = 'one';", file);
  const [only = ""] = kept();
  writeFileSync(only, readFileSync(only, "utf8").replace("one", "kept"));
  expect(keeping().compile("export const word: string = 'one';", file)).toContain("'kept'");
  expect(keeping().compile("export const word: string = 'two';", file)).toContain("'two'");
  expect(keeping().compile("export const word: string = 'one';", file)).toContain("'one'");
  expect(kept()).toEqual([only]);
});

it("makes it anew where what is kept is damaged", () => {
  keeping().compile("export const word = 'one';", file);
  for (const damaged of ["", '{"key', "null", "{}"]) {
    for (const path of kept()) writeFileSync(path, damaged);
    expect(keeping().compile("export const word = 'one';", file)).toContain("'one'");
  }
});

it("goes on where nothing can be kept", () => {
  writeFileSync(join(project, "node_modules/.cache"), "a file where the folder would be");
  for (const _ of [1, 2]) expect(keeping().compile("export const word = 'one';", file)).toContain("'one'");
});

it("reports a mistake each time", () => {
  for (const _ of [1, 2]) expect(() => keeping().compile("export const = 1;", file)).toThrow("Variable declaration expected");
});

it.skipIf(!("enableCompileCache" in nodeModule))("keeps what a newer Node.js made of JavaScript", () => {
  const { NODE_COMPILE_CACHE: _, NODE_DISABLE_COMPILE_CACHE: __, ...env } = process.env;
  execFileSync(process.execPath, ["-r", join(project, "src/transpile.cjs"), "-e", "require('typescript')"], { cwd: project, env });
  expect(readdirSync(join(project, "node_modules/.cache/compiled"))).not.toEqual([]);
});
