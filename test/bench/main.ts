/** `npm run bench`: measures previews. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { endWith, readOptions } from "../../src/cli/options";
import { Sandbox } from "../support/sandbox";
import { TestStack } from "../support/stack";
import { ensure } from "../support/toolchain/install";
import { pulumiTool } from "../support/toolchain/pulumi";

const usage = `Usage: npm run bench [-- --rounds N]

Measures the cost of a preview of a deployed stack without changes, compared with a bare program of the same resources, in some minutes. Ratios are
of alternating runs.

  --rounds N       the number of measurements: 7 by default; 1 only shows that it runs, with empty caches

Exit codes: 0 measured, 1 failed.`;

/** Milliseconds of one preview of each. */
type Costs = Record<"whole" | "bare", number>;

async function main(): Promise<void> {
  const rounds = Number(readOptions(usage, { rounds: { type: "string" } }).values.rounds ?? 7);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds must be a whole number from 1");
  const costs = await benchPreview(rounds);
  console.log(`pulumi preview of a deployed stack without changes, medians of ${rounds} rounds`);
  for (const name of ["whole", "bare"] as const)
    console.log(`  ${name.padEnd(5)}  ${median(costs.map((cost) => cost[name])).toFixed(0)} ms`);
  console.log(`  whole / bare: ${median(costs.map(({ whole, bare }) => whole / bare)).toFixed(2)} of the time`);
}

/**
 * Previews both stacks once in every round, in alternating order, because processes may outlive a run. The first round fills caches and does not count.
 *
 * @throws Error if a preview has changes, because the comparison would be wrong
 */
async function benchPreview(rounds: number): Promise<Costs[]> {
  await ensure(pulumiTool());
  const sandbox = await Sandbox.start();
  const stacks: TestStack[] = [];
  try {
    const whole = await TestStack.create(sandbox.config());
    stacks.push(whole);
    await whole.up();
    // A copy of the deployed stack in which the bare program declares the same resources.
    const bare = whole.copy({});
    stacks.push(bare);
    bare.useProgram(join(__dirname, "bare.ts"));
    writeFileSync(join(bare.folder, "export.json"), await whole.pulumi("stack", "export", "--show-secrets"));
    const costs: Costs[] = [];
    for (let round = rounds > 1 ? 0 : 1; round <= rounds; round += 1) {
      const turn: Partial<Costs> = {};
      for (const name of round % 2 === 0 ? (["whole", "bare"] as const) : (["bare", "whole"] as const)) {
        const began = performance.now();
        const operations = await (name === "whole" ? whole : bare).preview();
        turn[name] = performance.now() - began;
        if (operations.length > 0) throw new Error(`a preview has changes: ${operations.join(", ")}`);
      }
      if (round > 0) costs.push(turn as Costs);
      process.stderr.write(`bench: ${round === 0 ? "warm" : `round ${round} of ${rounds}`}\n`);
    }
    return costs;
  } finally {
    for (const stack of stacks) stack.remove();
    await sandbox.stop();
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return ((sorted[(sorted.length - 1) >> 1] as number) + (sorted[sorted.length >> 1] as number)) / 2;
}

main().catch(endWith(1));
