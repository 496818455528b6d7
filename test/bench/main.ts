/**
 * `npm run bench -- preview|dashboards [--json FILE]`: what a preview costs beside the least that it could cost, and what the dashboards' queries
 * cost beside the least that they could read. Ratios come from runs side by side; the figures are those of this machine.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { BenchReport } from "./report";

/** Loaded when they are asked for: each brings along a lot. */
const benchmarks: Record<string, () => Promise<BenchReport>> = {
  preview: () => (require("./preview") as typeof import("./preview")).benchPreview(),
  dashboards: () => (require("./dashboards") as typeof import("./dashboards")).benchDashboards(),
};

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { json: { type: "string" } } });
  const unknown = positionals.filter((name) => !Object.hasOwn(benchmarks, name));
  if (positionals.length === 0 || unknown.length > 0) {
    throw new Error(`Say which: npm run bench -- ${Object.keys(benchmarks).join("|")} [--json FILE]`);
  }
  const json: Record<string, unknown> = {};
  for (const name of positionals) {
    const report = await benchmarks[name]?.();
    console.log(report?.text);
    Object.assign(json, report?.json);
  }
  if (values.json) writeFileSync(values.json, `${JSON.stringify(json, null, 2)}\n`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
