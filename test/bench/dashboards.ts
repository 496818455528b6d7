/** The cost of loading each dashboard: see test/real-servers/bench, next to the real servers that it needs. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { BenchOptions, BenchReport } from "../support/bench-report";

const truth = join(__dirname, "../real-servers");

export async function benchDashboards(options: BenchOptions): Promise<BenchReport> {
  if (!existsSync(join(truth, "node_modules")))
    throw new Error("The packages of the real servers' tests are missing. Run: npm run packages");
  // By a name that the type checker does not follow: test/real-servers is a package of its own.
  const bench: { benchDashboards(options: BenchOptions): Promise<BenchReport> } = require(join(truth, "bench/dashboards"));
  return await bench.benchDashboards(options);
}
