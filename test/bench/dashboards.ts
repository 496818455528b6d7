/** What a load of each dashboard costs: see test/truth/bench, which needs the packages of `npm run test:truth`. */
import { join } from "node:path";
import type { BenchReport } from "./report";

/** @param rounds how often each load is measured */
export async function benchDashboards(rounds?: number): Promise<BenchReport> {
  // By a name that the type checker does not follow: test/truth is a package of its own.
  const bench: { benchDashboards(rounds?: number): Promise<BenchReport> } = require(join(__dirname, "../truth/bench/dashboards"));
  return bench.benchDashboards(rounds);
}
