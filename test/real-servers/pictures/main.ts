/**
 * `npm run pictures`: draws the dashboards of `dashboards/*.json` as PNG, with the telemetry of a made-up company on real servers.
 *
 *   -- --compare BASE   draws what differs from the Git revision BASE instead, before and after
 *   -- --width PIXELS   draws them for a review beside Grafana's docked menu, with telemetry and without: 980 is a window of 1280; several widths are possible
 *   -- --out FOLDER     the folder of the pictures: by default dashboards/, with --compare pictures/, with --width .local/pictures/
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { drawChanges } from "./compare";
import { drawAll, drawWidths } from "./draw";

const text = { type: "string" } as const;

async function main(): Promise<void> {
  const { compare, out, width = [] } = parseArgs({ options: { compare: text, out: text, width: { ...text, multiple: true } } }).values;
  process.chdir(resolve(__dirname, "../../.."));
  const wrong = width.find((pixels) => !/^\d{3,4}$/.test(pixels));
  if (wrong !== undefined) throw new Error(`--width ${wrong} is not a number of pixels, such as 980.`);
  if (width.length > 0 && compare !== undefined) throw new Error("--width and --compare exclude each other: run one after the other.");
  if (width.length > 0) return drawWidths(width.map(Number), out ?? ".local/pictures");
  await (compare === undefined ? drawAll(out ?? "dashboards") : drawChanges(compare, out ?? "pictures"));
}

main().catch((error: unknown) => {
  console.error(`pictures: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
});
