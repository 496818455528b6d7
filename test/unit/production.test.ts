/**
 * `src` runs after `npm ci --omit=dev`: the program, its checks and the scripts for deployments. Only the tests, and the stand-ins of
 * `npm run local`, require the development dependencies.
 */
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dependencies, devDependencies, name as ownName, scripts } from "../../package.json";

const root = join(__dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file));

/** The source files of deployments. */
const deployed = ["index.ts", ...filesIn("src")].filter((file) => /\.(ts|cjs)$/.test(file));
const view = ["test/view/build.ts", "test/view/vite.config.mts", ...filesIn("test/view/reading"), ...filesIn("test/view/page")];

/** The packages of import declarations, types of modules, `require`, `require.resolve` and `import()`. */
function packagesIn(text: string): string[] {
  const names = [...text.matchAll(/\b(?:from |import ?\(?|require(?:\.resolve)?\()"(@?\w[\w./:-]*)"/g)].map(([, name = ""]) => name);
  const packages = names.filter((name) => !isBuiltin(name)).map((name) => (/^(@[^/]+\/)?[^/]+/.exec(name) ?? [name])[0]);
  return packages.filter((name) => name !== ownName);
}

it.each([
  ["src imports only packages of `dependencies`", deployed, dependencies],
  [
    "the view imports only packages of its own `dependencies` and of the root's",
    view.filter((file) => /\.m?tsx?$/.test(file)),
    { ...dependencies, ...devDependencies, ...JSON.parse(read("test/view/package.json")).dependencies },
  ],
])("%s", (_what, files, allowed) => {
  const used = files.flatMap((file) => packagesIn(read(file)).map((name) => [name, file]));
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter(([name = ""]) => !Object.hasOwn(allowed, name))).toEqual([]);
});

it("src imports nothing of the tests", () => {
  expect(deployed.filter((file) => /["'](\.\.?\/)+test\//.test(read(file)))).toEqual([]);
});

it("the scripts for deployments start files of src", () => {
  for (const name of ["doctor", "adopt", "preview-report"] as const)
    expect(scripts[name]).toBe(`node -r ./src/load.cjs src/cli/${name}.ts`);
});
