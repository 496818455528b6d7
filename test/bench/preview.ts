/** The cost of a preview: compared with a bare program of the same resources, with Pulumi's own loader, and by the number of services. */

import type { BenchOptions, BenchReport } from "../support/bench-report";
import { ensure } from "../support/toolchain/install";
import { pulumiTool } from "../support/toolchain/pulumi";
import { compareGrowth } from "./preview/growth";
import { comparePrograms } from "./preview/programs";

export async function benchPreview({ rounds = 7, small }: BenchOptions): Promise<BenchReport> {
  await ensure(pulumiTool());
  const programs = await comparePrograms(rounds, small);
  if (small) return { text: programs.text, json: { preview: programs.json } };
  const growth = await compareGrowth(rounds);
  return { text: `${programs.text}\n\n${growth.text}`, json: { preview: { ...programs.json, ...growth.json } } };
}
