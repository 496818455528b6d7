/**
 * `src` runs after `npm ci --omit=dev`: the program, its checks and the scripts for deployments. Only the tests, and the stand-ins of
 * `npm run local`, require the development dependencies.
 */
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { dependencies, devDependencies, scripts } from "../../package.json";

const root = join(__dirname, "../..");
const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file));

/** The source files of deployments. */
const files = ["index.ts", ...filesIn("src")].filter((file) => /\.(ts|cjs)$/.test(file));

/** The packages of import declarations, types of modules, `require`, `require.resolve` and `import()`. */
function packagesIn(text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && namesModule(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("x.ts", text, ts.ScriptTarget.Latest, true));
  return found.filter((name) => !name.startsWith(".") && !isBuiltin(name)).map(packageOf);
}

function namesModule({ parent }: ts.StringLiteral): boolean {
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isImportTypeNode(parent.parent)) return true;
  return ts.isCallExpression(parent) && ["require", "require.resolve", "import"].includes(parent.expression.getText());
}

const packageOf = (name: string) =>
  name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");

it("every form of an import is found", () => {
  const text = `import a from "a"; import type { B } from "@b/b/c"; export * from "c/d"; require("d"); require.resolve("e/run.js");
    const f = () => import("f"); type G = typeof import("g"); import "./h"; import "node:fs"; import "fs"; const i = "i";`;
  expect(packagesIn(text)).toEqual(["a", "@b/b", "c", "d", "e", "f", "g"]);
});

it("src imports only packages of `dependencies`", () => {
  const used = files.map((file) => [file, packagesIn(readFileSync(join(root, file), "utf8"))] as const);
  const missing = used.flatMap(([file, names]) =>
    names.filter((name) => !Object.hasOwn(dependencies, name)).map((name) => `${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});

it("src imports nothing of the tests", () => {
  expect(files.filter((file) => /["'](\.\.?\/)+test\//.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
});

it("the view imports only packages of its own `dependencies` and of the root's", () => {
  const own = JSON.parse(readFileSync(join(root, "test/view/package.json"), "utf8")).dependencies;
  const sources = ["test/view/build.ts", "test/view/vite.config.mts", ...filesIn("test/view/reading"), ...filesIn("test/view/page")];
  const missing = sources
    .filter((file) => /\.m?tsx?$/.test(file))
    .flatMap((file) => packagesIn(readFileSync(join(root, file), "utf8")).map((name) => `${file}: ${name}`))
    .filter((found) => !Object.hasOwn({ ...dependencies, ...devDependencies, ...own }, found.split(": ")[1] ?? ""));
  expect(missing).toEqual([]);
});

it("the scripts for deployments start files of src", () => {
  for (const name of ["doctor", "adopt", "preview-report"] as const)
    expect(scripts[name]).toBe(`node -r ./src/load.cjs src/cli/${name}.ts`);
});
