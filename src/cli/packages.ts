/** `npm run packages`: installs the packages of `src/view` and `test/real-servers`, each only if its lockfile has changed since. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { run } from "./run";

const root = resolve(__dirname, "../..");

async function main(): Promise<void> {
  for (const folder of ["src/view", "test/real-servers"]) {
    const place = join(root, folder);
    const wanted = createHash("sha256")
      .update(readFileSync(join(place, "package-lock.json")))
      .digest("hex");
    const stamp = join(place, "node_modules/.cache/installed");
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) continue;
    console.log(`packages: installing those of ${folder}, about half a minute …`);
    await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: place });
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, wanted);
  }
}

main().catch((error: Error) => {
  console.error(`packages: ${error.message}`);
  process.exitCode = 1;
});
