/** Installed packages: only from the registry, with hashes, at exact versions, and without unreviewed install scripts. */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { answer, type RawServer, startRawServer } from "../support/raw-server";
import { run } from "../support/run";
import { temporaryFolder } from "../support/temporary-folder";

const root = join(__dirname, "../..");

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

interface Package {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  /** Reviewed install scripts: whether they run, by `name` or, as npm also writes it, `name@version`. */
  allowScripts?: Record<string, boolean>;
}

interface Lock {
  lockfileVersion: number;
  packages: Record<string, Locked>;
}

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

describe.each(["", "test/real-servers"])("package.json in '%s'", (name) => {
  const folder = join(root, name);

  it("and its lockfile follow the rules", () => {
    expect(Object.keys(readPackage(folder).dependencies ?? {}).length).toBeGreaterThan(0);
    expect(violations(readPackage(folder), readLock(folder))).toEqual([]);
  });

  it("makes npm refuse unreviewed scripts, and packages from other sources", () => {
    const settings = read(folder, ".npmrc").split("\n");
    for (const setting of ["strict-allow-scripts=true", "allow-git=none", "allow-remote=none"]) expect(settings).toContain(setting);
  });

  it("follows the rules after `npm install` of a package", async () => {
    const registry = await startRegistry();
    onTestFinished(() => registry.close());
    const copy = temporaryFolder();
    for (const file of ["package.json", "package-lock.json", ".npmrc"]) copyFileSync(join(folder, file), join(copy, file));
    // Without the settings of this machine, such as its proxy, and of the npm that runs the tests.
    const environment = Object.fromEntries(Object.entries(process.env).filter(([variable]) => !/^npm_|_proxy$/i.test(variable)));
    for (const file of ["user", "global"]) writeFileSync(join(copy, file), "");
    const place = [`--registry=${registry.url}`, `--cache=${copy}/cache`, `--userconfig=${copy}/user`, `--globalconfig=${copy}/global`];
    const quick = ["--package-lock-only", "--prefer-offline", "--no-audit", "--no-fund", "--no-update-notifier"];
    await run("npm", ["install", "added", ...quick, ...place], { cwd: copy, env: environment });
    expect(readPackage(copy).dependencies).toMatchObject({ added: "1.2.3" });
    expect(violations(readPackage(copy), readLock(copy))).toEqual([]);
  });
});

it("the rules: each violation has a line", () => {
  const wanted = { dependencies: { a: "^1.2.3" }, devDependencies: { b: "1.0.0" }, allowScripts: { c: true, "b@1.0.0": false } };
  const a = { version: "1.2.4", integrity: "sha1-x", resolved: "https://example.com/a.tgz", link: true, hasInstallScript: true };
  const b = { version: "1.0.1", integrity: "sha512-x", hasInstallScript: true };
  const found = violations(wanted, { lockfileVersion: 2, packages: { "": {}, "node_modules/a": a, "node_modules/b": b } });
  expect(found).toEqual([
    "lockfileVersion 2",
    'a: "^1.2.3" is not an exact version',
    "a: the lockfile does not have ^1.2.3",
    "b: the lockfile does not have 1.0.0",
    "node_modules/a: without a SHA-512 hash",
    "node_modules/a: from https://example.com/a.tgz",
    "node_modules/a: a link",
    "a: its install script is not in allowScripts",
    "c: in allowScripts without an install script",
  ]);
});

/** A registry with one package, `added`. npm reads only its metadata. */
function startRegistry(): Promise<RawServer> {
  return startRawServer([
    ({ path, headers }) => {
      if (path !== "/added") return answer(404, "{}");
      const host = headers.find(([name]) => name.toLowerCase() === "host")?.[1];
      const dist = { tarball: `http://${host}/added/-/added-1.2.3.tgz`, integrity: `sha512-${Buffer.alloc(64).toString("base64")}` };
      const versions = { "1.2.3": { name: "added", version: "1.2.3", dist } };
      return answer(200, JSON.stringify({ name: "added", "dist-tags": { latest: "1.2.3" }, versions }));
    },
  ]);
}
