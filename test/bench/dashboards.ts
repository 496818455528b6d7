/** What a load of each dashboard costs: see test/real-servers/bench, beside the real servers that it needs. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { BenchReport } from "../support/bench-report";

const truth = join(__dirname, "../real-servers");

/** @param rounds how often each load is measured */
export async function benchDashboards(rounds?: number): Promise<BenchReport> {
  if (!existsSync(join(truth, "node_modules")))
    throw new Error("The packages of the truth layer are missing: npm ci --prefix test/real-servers");
  // By a name that the type checker does not follow: test/real-servers is a package of its own.
  const bench: { benchDashboards(rounds?: number): Promise<BenchReport> } = require(join(truth, "bench/dashboards"));
  return bench.benchDashboards(rounds);
}
