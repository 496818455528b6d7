/** Packages: only from the registry, with hashes, at exact versions, without unreviewed install scripts, and under compatible licences. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
// @ts-expect-error The package publishes no types.
import satisfies from "spdx-satisfies";
import { describe, expect, it } from "vitest";

const root = join(__dirname, "../..");

type Locked = { version?: string; license?: string; resolved?: string; integrity?: string; link?: boolean; hasInstallScript?: boolean };
type Lock = { lockfileVersion: number; packages: Record<string, Locked> };

/** `allowScripts`: reviewed install scripts, whether they run, by `name` or, as npm also writes it, `name@version`. */
type Package = Partial<Record<"dependencies" | "devDependencies", Record<string, string>> & { allowScripts: Record<string, boolean> }>;

const read = (folder: string, file: string) => readFileSync(join(folder, file), "utf8");
const readPackage = (folder: string) => JSON.parse(read(folder, "package.json")) as Package;
const readLock = (folder: string) => JSON.parse(read(folder, "package-lock.json")) as Lock;

/** Licences that ask for no more than their text, or apply to unchanged files (MPL), fonts (OFL) and data (CC) only. */
const compatible = [
  ...["Apache-2.0", "MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "BlueOak-1.0.0", "Python-2.0", "Unlicense", "Zlib"],
  ...["MPL-2.0", "OFL-1.1", "CC0-1.0", "CC-BY-3.0", "CC-BY-4.0"],
];
/** Licences in the files of packages, read where package.json names none. `get-document` has none: only pictures need it, through Grafana's UI. */
const readLicences: Record<string, string> = {
  "@logdna/tail-file": "MIT",
  "fast-shallow-equal": "Unlicense",
  "react-universal-interface": "Unlicense",
  "get-document": "none",
};

function isCompatible(path: string, license = ""): boolean {
  const said = readLicences[path.split("node_modules/").at(-1) ?? ""] ?? license;
  try {
    return said === "none" || satisfies(said, compatible);
  } catch {
    return false;
  }
}

/** The violations of the rules, a line each. */
function violations(wanted: Package, lock: Lock): string[] {
  const direct = Object.entries({ ...wanted.dependencies, ...wanted.devDependencies });
  const packages = Object.entries(lock.packages).filter(([path]) => path !== "");
  const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path.split("node_modules/").at(-1));
  const reviewed = Object.keys(wanted.allowScripts ?? {}).map((name) => name.replace(/(?<=.)@.*$/, ""));
  return [
    ...(lock.lockfileVersion === 3 ? [] : [`lockfileVersion ${lock.lockfileVersion}`]),
    ...direct.flatMap(([name, version]) => [
      ...(/^(npm:typescript@)?\d+\.\d+\.\d+$/.test(version) ? [] : [`${name}: "${version}" is not an exact version`]),
      ...(lock.packages[`node_modules/${name}`]?.version === version.split("@").at(-1) ? [] : [`${name}: the lockfile lacks ${version}`]),
    ]),
    ...packages.flatMap(([path, { license, integrity = "", resolved, link }]) => [
      ...(isCompatible(path, license) ? [] : [`${path}: ${license} is not among the compatible licences`]),
      ...(/^sha512-/.test(integrity) ? [] : [`${path}: without a SHA-512 hash`]),
      // Without an address, npm uses the registry that it is configured for.
      ...(resolved === undefined ? [] : [`${path}: from ${resolved}`]),
      ...(link === undefined ? [] : [`${path}: a link`]),
    ]),
    ...scripted.filter((name) => !reviewed.includes(name ?? "")).map((name) => `${name}: its install script is not in allowScripts`),
    ...reviewed.filter((name) => !scripted.includes(name)).map((name) => `${name}: in allowScripts without an install script`),
  ];
}

describe.each(["", "test/truth", "test/view"])("package.json in '%s'", (name) => {
  const folder = join(root, name);

  it("and its lockfile follow the rules", () => {
    expect(Object.keys(readPackage(folder).dependencies ?? {}).length).toBeGreaterThan(0);
    expect(violations(readPackage(folder), readLock(folder))).toEqual([]);
  });

  it("makes npm refuse unreviewed scripts and packages from other sources, and install exact versions without addresses", () => {
    const settings = read(folder, ".npmrc").match(/^[^#\n].*/gm);
    const required = ["allow-git=none", "allow-remote=none", "omit-lockfile-registry-resolved=true"];
    expect(settings?.sort()).toEqual([...required, "save-exact=true", "strict-allow-scripts=true"]);
  });
});

it("the program has a licence, and the version of the newest change", () => {
  const { version, license } = JSON.parse(read(root, "package.json"));
  expect([read(root, "LICENSE"), license]).toEqual([expect.stringMatching(/^ +Apache License\n +Version 2\.0/m), "Apache-2.0"]);
  const [, newest, date] = /^## (\S+), (.*)$/m.exec(read(root, ".github/CHANGELOG.md")) ?? [];
  expect([newest, date]).toEqual([version, expect.stringMatching(/^\d{4}-\d\d-\d\d$/)]);
});
