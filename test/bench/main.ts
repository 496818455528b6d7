/** `npm run bench`: measures previews. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readOptions } from "../../src/cli/options";
import { Sandbox } from "../support/sandbox";
import { TestStack } from "../support/stack";
import { ensure } from "../support/toolchain/install";
import { pulumiTool } from "../support/toolchain/pulumi";
import { type Cost, measure } from "./measure";

const bin = join(pulumiTool().folder, "bin");

/** The costs of each contestant, by round. */
type Costs = Map<string, Cost[]>;

const usage = `Usage: npm run bench [-- --rounds N] [--checked]

Measures the cost of a preview of a deployed stack without changes, compared with a bare program of the same resources, in some minutes. Ratios are
of alternating runs.

  --rounds N       the number of measurements: 7 by default
  --checked        compare it with the same program in Pulumi's default set-up, too, which checks types

Exit codes: 0 measured, 1 failed.`;

async function main(): Promise<void> {
  const { values } = readOptions(usage, { rounds: { type: "string" }, checked: { type: "boolean" } });
  const rounds = Number(values.rounds ?? 7);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds must be a whole number from 1");
  const costs = await benchPreview(rounds, values.checked);
  console.log(`pulumi preview of a deployed stack without changes, medians of ${rounds} rounds`);
  for (const [name, all] of costs) {
    const [wall, cpu, memory] = (["wall", "cpu", "memory"] as const).map((kind) =>
      figure(median(all.flatMap((cost) => cost[kind] ?? [])), 0),
    );
    console.log(`  ${name.padEnd(12)}  ${wall} ms, ${cpu} ms of CPU, a peak of ${memory} MB`);
  }
  for (const other of [...costs.keys()].slice(1))
    console.log(`  whole / ${other}: ${figure(ratio(costs, other, "wall"))} of the time, ${figure(ratio(costs, other, "cpu"))} of the CPU`);
}

async function benchPreview(rounds: number, withChecked = false): Promise<Costs> {
  await ensure(pulumiTool());
  const sandbox = await Sandbox.start();
  const stacks: TestStack[] = [];
  try {
    const whole = await TestStack.create(sandbox.config());
    stacks.push(whole);
    await whole.up();
    const bare = await bareOf(whole);
    stacks.push(bare);
    const checked = withChecked ? { checked: checkedOf(whole) } : {};
    stacks.push(...Object.values(checked));
    return await previewInTurns(new Map(Object.entries({ whole, bare, ...checked })), rounds);
  } finally {
    for (const stack of stacks) stack.remove();
    await sandbox.stop();
  }
}

/** A copy of a deployed stack in which the bare program declares the same resources. */
async function bareOf(whole: TestStack): Promise<TestStack> {
  const bare = whole.copy({});
  bare.useProgram(join(__dirname, "bare.ts"));
  writeFileSync(join(bare.folder, "export.json"), await whole.pulumi("stack", "export", "--show-secrets"));
  return bare;
}

/** A copy of a deployed stack with Pulumi's default runtime, which checks the types of the program in each preview. */
function checkedOf(whole: TestStack): TestStack {
  const checked = whole.copy({});
  const file = join(checked.folder, "Pulumi.yaml");
  const text = readFileSync(file, "utf8");
  rmSync(file);
  writeFileSync(file, text.replace(/^ {2}options:\n( {4}.*\n)+/m, ""));
  // What is in the cache is not checked again. On a CI runner, it is empty.
  checked.environment.TS_NODE_CACHE = "false";
  return checked;
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

/** The median of the rounds' ratios of the whole program to another one. Undefined where the machine does not tell a figure. */
function ratio(costs: Costs, other: string, kind: "wall" | "cpu"): number | undefined {
  const others = costs.get(other) ?? [];
  const values = (costs.get("whole") ?? []).map((cost, round) => (cost[kind] ?? Number.NaN) / (others[round]?.[kind] ?? Number.NaN));
  return values.includes(Number.NaN) ? undefined : median(values);
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((left, right) => left - right);
  const [lower, upper] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return lower !== undefined && upper !== undefined ? (lower + upper) / 2 : undefined;
}

const figure = (value: number | undefined, digits = 2) => value?.toFixed(digits) ?? "–";

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
