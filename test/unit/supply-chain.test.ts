/** What is installed: from the registry alone, with its hash, at the version that was chosen, and without running scripts that nobody looked at. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allowScripts } from "../../package.json";

const root = join(__dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

type Dependencies = Record<string, string>;

describe.each(["", "test/truth/"])("package.json in '%s'", (folder) => {
  const wanted = JSON.parse(read(`${folder}package.json`)) as { dependencies?: Dependencies; devDependencies?: Dependencies };
  const lock = JSON.parse(read(`${folder}package-lock.json`)) as { lockfileVersion: number; packages: Record<string, Locked> };
  const packages = Object.entries(lock.packages).filter(([path]) => path !== "");
  const direct = Object.entries({ ...wanted.dependencies, ...wanted.devDependencies });

  it("names exact versions, and the lockfile has them", () => {
    expect(direct.length).toBeGreaterThan(0);
    for (const [name, version] of direct) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
      expect(lock.packages[`node_modules/${name}`]?.version, name).toBe(version);
    }
  });

  it("locks each package with its hash, and from no place but the registry", () => {
    expect(lock.lockfileVersion).toBe(3);
    for (const [path, { integrity, resolved, link }] of packages) {
      expect(integrity, path).toMatch(/^sha512-/);
      // Without an address, npm asks the registry that it is set to.
      expect({ resolved, link }, path).toEqual({});
    }
  });

  it("runs no install script but those that were looked at", () => {
    const name = (path: string) => path.split("node_modules/").at(-1);
    const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => name(path));
    expect(scripted.sort()).toEqual(folder === "" ? Object.keys(allowScripts).sort() : []);
  });
});

it("npm itself ends where a script is not on the list, or a package comes from elsewhere", () => {
  const settings = read(".npmrc").split("\n");
  for (const setting of ["strict-allow-scripts=true", "allow-git=none", "allow-remote=none"]) expect(settings).toContain(setting);
});
