/** The cost of a preview of a deployed stack without changes, compared with a bare program of the same resources. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BenchOptions, type BenchReport, figure, median, table } from "../support/bench-report";
import { Sandbox } from "../support/sandbox";
import { TestStack } from "../support/stack";
import { ensure } from "../support/toolchain/install";
import { pulumiTool } from "../support/toolchain/pulumi";
import { type Cost, measure } from "./preview/measure";

const bin = join(pulumiTool().folder, "bin");

/** The costs of each contestant, by round. */
type Costs = Map<string, Cost[]>;

export async function benchPreview({ rounds = 7 }: BenchOptions): Promise<BenchReport> {
  await ensure(pulumiTool());
  const sandbox = await Sandbox.start();
  const stacks: TestStack[] = [];
  try {
    const whole = await TestStack.create(sandbox.config());
    stacks.push(whole);
    await whole.up();
    const bare = await bareOf(whole);
    stacks.push(bare);
    const compared = new Map([
      ["whole", whole],
      ["whole, bare", bare],
    ]);
    return report(await previewInTurns(compared, rounds), rounds);
  } finally {
    for (const stack of stacks) stack.remove();
    await sandbox.stop();
  }
}

/** A copy of a deployed stack in which the bare program declares the same resources. */
async function bareOf(whole: TestStack): Promise<TestStack> {
  const bare = whole.copy({});
  bare.useProgram(join(__dirname, "preview/bare.ts"));
  writeFileSync(join(bare.folder, "export.json"), await whole.pulumi("stack", "export", "--show-secrets"));
  return bare;
}

/**
 * Previews each stack once in every round, in alternating order, because processes may outlive a run. The first round fills caches and does not count.
 *
 * @throws Error if a preview has changes, because the comparison would be wrong
 */
async function previewInTurns(stacks: ReadonlyMap<string, TestStack>, rounds: number): Promise<Costs> {
  for (const [name, stack] of stacks) {
    const operations = await stack.preview();
    if (operations.length > 0) throw new Error(`the preview of ${name} has changes: ${operations.join(", ")}`);
  }
  const costs: Costs = new Map([...stacks.keys()].map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, stack] of round % 2 === 0 ? stacks : [...stacks].reverse()) {
      const cost = await measure(join(bin, "pulumi"), ["preview", "--stack", "test", "--non-interactive"], stack.place());
      if (round > 0) costs.get(name)?.push(cost);
    }
    process.stderr.write(`bench: ${round === 0 ? "warm" : `round ${round} of ${rounds}`}\n`);
  }
  return costs;
}

function report(costs: Costs, rounds: number): BenchReport {
  const ratio = (kind: "wall" | "cpu") => {
    const bare = costs.get("whole, bare") ?? [];
    const values = (costs.get("whole") ?? []).map((cost, round) => (cost[kind] ?? Number.NaN) / (bare[round]?.[kind] ?? Number.NaN));
    return values.length > 0 && !values.includes(Number.NaN) ? median(values) : undefined;
  };
  const json = {
    vs_bare: ratio("wall"),
    vs_bare_cpu: ratio("cpu"),
    costs: Object.fromEntries(costs),
  };
  const medianOf = (all: readonly Cost[], kind: keyof Cost) => figure(median(all.flatMap((cost) => cost[kind] ?? [])), 0);
  const rows = [...costs].map(([name, all]) => [name, medianOf(all, "wall"), medianOf(all, "cpu"), medianOf(all, "memory")]);
  const text = [
    table(
      `pulumi preview of a deployed stack without changes, medians of ${rounds} rounds`,
      ["program", "wall ms", "CPU ms", "peak MB"],
      rows,
    ),
    `  whole / bare: ${figure(json.vs_bare)} wall, ${figure(json.vs_bare_cpu)} CPU`,
  ].join("\n");
  return { text, json: { preview: json } };
}
