/** `npm run pictures`: draws the dashboards, or says which pictures are old. */
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { readOptions } from "../../../src/cli/options";
import { installPackages, ownPackages } from "../../support/packages";
import { pictureProblems } from "../../support/picture-record";
import { locateAll } from "../../support/toolchain/locate";
import { servers } from "../../support/toolchain/servers";

const usage = `Usage: npm run pictures [-- --check | --compare BASE] [--out FOLDER]

Draws the dashboards of dashboards/*.json as PNG, with the telemetry of a made-up company on real servers, in some minutes. Installs the servers
and packages that this requires, and says how long that takes.

  --check          draw nothing, and fail if a picture does not show the present model
  --compare BASE   draw what differs from the Git revision BASE instead, before and after
  --out FOLDER     the folder of the pictures: by default dashboards/, with --compare pictures/

Exit codes: 0 done, 1 failed.`;

async function main(): Promise<void> {
  const text = { type: "string" } as const;
  const { check, compare, out } = readOptions(usage, { check: { type: "boolean" }, compare: text, out: text }).values;
  process.chdir(resolve(__dirname, "../../.."));
  if (check) {
    if (compare !== undefined || out !== undefined) throw new Error("--check goes with no other option");
    const problems = pictureProblems("dashboards");
    for (const problem of problems) console.error(problem);
    if (problems.length > 0) process.exitCode = 1;
    return;
  }
  for (const folder of ownPackages) await installPackages(folder);
  await locateAll(...servers());
  // Requires these packages.
  const { drawAll, drawChanges } = require("./draw") as typeof import("./draw");
  const folder = out ?? (compare === undefined ? "dashboards" : "pictures");
  mkdirSync(folder, { recursive: true });
  await (compare === undefined ? drawAll(folder) : drawChanges(compare, folder));
}

main().catch((error: unknown) => {
  console.error(`pictures: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
});
