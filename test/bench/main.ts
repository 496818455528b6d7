/**
 * `npm run bench -- preview|dashboards`: what a preview costs beside the least that it could cost, and what the dashboards' queries cost beside the
 * least that they could read. Ratios come from runs side by side; the figures are those of this machine.
 *
 *   --json FILE   writes the figures
 *   --plot FILE   writes the dashboards' plot, as the README shows it
 *   --rounds N    measures less, or more, often
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { BenchReport } from "../support/bench-report";

/** Loaded when they are asked for: each brings along a lot. */
const benchmarks: Record<string, (rounds?: number) => Promise<BenchReport>> = {
  preview: (rounds) => (require("./preview") as typeof import("./preview")).benchPreview(rounds),
  dashboards: (rounds) => (require("./dashboards") as typeof import("./dashboards")).benchDashboards(rounds),
};

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { json: { type: "string" }, plot: { type: "string" }, rounds: { type: "string" } },
  });
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) throw new Error("--rounds must be a whole number from 1");
  const unknown = positionals.filter((name) => !Object.hasOwn(benchmarks, name));
  if (positionals.length === 0 || unknown.length > 0) {
    throw new Error(`Say which: npm run bench -- ${Object.keys(benchmarks).join("|")} [--json FILE] [--plot FILE] [--rounds N]`);
  }
  const json: Record<string, unknown> = {};
  for (const name of positionals) {
    const report = await benchmarks[name]?.(rounds);
    console.log(report?.text);
    Object.assign(json, report?.json);
    if (values.plot && report?.plot) writeFileSync(values.plot, report.plot);
  }
  if (values.json) writeFileSync(values.json, `${JSON.stringify(json, null, 2)}\n`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
