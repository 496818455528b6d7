/** Installed packages: only from the registry, with hashes, at exact versions, and without unreviewed install scripts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(__dirname, "../..");

type Locked = { version?: string; resolved?: string; integrity?: string; link?: boolean; hasInstallScript?: boolean };
type Lock = { lockfileVersion: number; packages: Record<string, Locked> };

/** `allowScripts`: reviewed install scripts, whether they run, by `name` or, as npm also writes it, `name@version`. */
type Package = Partial<Record<"dependencies" | "devDependencies", Record<string, string>> & { allowScripts: Record<string, boolean> }>;

const read = (folder: string, file: string) => readFileSync(join(folder, file), "utf8");
const readPackage = (folder: string) => JSON.parse(read(folder, "package.json")) as Package;
const readLock = (folder: string) => JSON.parse(read(folder, "package-lock.json")) as Lock;

/** The violations of the rules, a line each. */
function violations(wanted: Package, lock: Lock): string[] {
  const direct = Object.entries({ ...wanted.dependencies, ...wanted.devDependencies });
  const packages = Object.entries(lock.packages).filter(([path]) => path !== "");
  const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path.split("node_modules/").at(-1));
  const reviewed = Object.keys(wanted.allowScripts ?? {}).map((name) => name.replace(/(?<=.)@.*$/, ""));
  return [
    ...(lock.lockfileVersion === 3 ? [] : [`lockfileVersion ${lock.lockfileVersion}`]),
    ...direct.flatMap(([name, version]) => [
      ...(/^\d+\.\d+\.\d+$/.test(version) ? [] : [`${name}: "${version}" is not an exact version`]),
      ...(lock.packages[`node_modules/${name}`]?.version === version ? [] : [`${name}: the lockfile does not have ${version}`]),
    ]),
    ...packages.flatMap(([path, { integrity = "", resolved, link }]) => [
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
