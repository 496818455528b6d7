/** What a preview costs: beside a bare program with the same resources, beside the default set-up, and by the number of services. */
import { ensure } from "../../src/cli/toolchain/install";
import { pulumiTool } from "../../src/cli/toolchain/tools";
import type { BenchReport } from "../support/bench-report";
import { compareGrowth } from "./preview/growth";
import { comparePrograms } from "./preview/programs";

/** @param rounds how often each program is previewed */
export async function benchPreview(rounds = 7): Promise<BenchReport> {
  await ensure(pulumiTool());
  const programs = await comparePrograms(rounds);
  const growth = await compareGrowth(rounds);
  return { text: `${programs.text}\n\n${growth.text}`, json: { preview: { ...programs.json, ...growth.json } } };
}
