/**
 * `npm run pictures`: draws the dashboards of `dashboards/*.json` as PNG, with the telemetry of a made-up company on real servers.
 *
 *   -- --compare BASE   draws what differs from the Git revision BASE instead, before and after
 *   -- --out FOLDER     the folder of the pictures: by default dashboards/, with --compare pictures/
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { drawChanges } from "./compare";
import { drawAll } from "./draw";

const text = { type: "string" } as const;

async function main(): Promise<void> {
  const { compare, out } = parseArgs({ options: { compare: text, out: text } }).values;
  process.chdir(resolve(__dirname, "../../.."));
  await (compare === undefined ? drawAll(out ?? "dashboards") : drawChanges(compare, out ?? "pictures"));
}

main().catch((error: unknown) => {
  console.error(`pictures: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
});
