/**
 * `npm run bench -- preview|scale`: the cost of a preview in comparison with the minimum cost, and of the dashboards' queries by the number of live series.
 * Ratios come from alternating runs; absolute figures are those of this machine.
 *
 *   --json FILE   writes the figures
 *   --rounds N    sets the number of measurements
 *   --small       measures the smallest sizes once, without growth: a check that the benchmarks run
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { BenchOptions, BenchReport } from "../support/bench-report";

/** Each loads many files, so only the requested one is loaded. */
const benchmarks: Record<string, (options: BenchOptions) => Promise<BenchReport>> = {
  preview: (options) => (require("./preview") as typeof import("./preview")).benchPreview(options),
  // By a name that the type checker does not follow: test/truth is a package of its own.
  scale: (options) => require(`../truth/${"bench/scale"}`).benchScale(options),
};

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { json: { type: "string" }, rounds: { type: "string" }, small: { type: "boolean" } },
  });
  const { small = false } = values;
  const rounds = values.rounds === undefined ? (small ? 1 : undefined) : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) throw new Error("--rounds must be a whole number from 1");
  const unknown = positionals.filter((name) => !Object.hasOwn(benchmarks, name));
  if (positionals.length === 0 || unknown.length > 0) {
    throw new Error(`Name a benchmark: npm run bench -- ${Object.keys(benchmarks).join("|")} [--json FILE] [--rounds N] [--small]`);
  }
  const json: Record<string, unknown> = {};
  for (const name of positionals) {
    const report = await benchmarks[name]?.({ rounds, small });
    console.log(report?.text);
    Object.assign(json, report?.json);
  }
  if (values.json) writeFileSync(values.json, `${JSON.stringify(json, null, 2)}\n`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
