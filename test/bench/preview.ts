/** The cost of a preview of a deployed stack without changes: compared with a bare program of the same resources, and by the number of services. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BenchOptions, type BenchReport, figure, median, table } from "../support/bench-report";
import { Sandbox } from "../support/sandbox";
import { TestStack } from "../support/stack";
import { ensure } from "../support/toolchain/install";
import { pulumiTool } from "../support/toolchain/pulumi";
import { type Cost, measure } from "./preview/measure";

const bin = join(pulumiTool().folder, "bin");
const more = 10;

/** The costs of each contestant, by round. */
type Costs = Map<string, Cost[]>;

export async function benchPreview({ rounds = 7, small }: BenchOptions): Promise<BenchReport> {
  await ensure(pulumiTool());
  const sandboxes: Sandbox[] = [];
  /** The compared programs. */
  const stacks = new Map<string, TestStack>();
  /** @param services those of another program than this repository's */
  const add = async (name: string, services?: number) => {
    // Each has its own Grafana, because all have the same folder.
    const sandbox = await Sandbox.start();
    sandboxes.push(sandbox);
    const whole = await TestStack.create(sandbox.config());
    stacks.set(name, whole);
    if (services !== undefined) {
      whole.useProgram(join(__dirname, "preview/many-services.ts"));
      whole.environment.BENCH_SERVICES = String(services);
    }
    await whole.up();
    stacks.set(`${name}, bare`, await bareOf(whole));
  };
  try {
    await add("whole");
    if (!small) for (const services of [1, 1 + more]) await add(`services ${services}`, services);
    return report(await previewInTurns(stacks, rounds), rounds);
  } finally {
    for (const stack of stacks.values()) stack.remove();
    for (const sandbox of sandboxes) await sandbox.stop();
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
  /** The median of what `of` makes of two programs' figures in each round. */
  const within = (kind: "wall" | "cpu", one: string, other: string, of: (one: number, other: number) => number) => {
    const others = costs.get(other) ?? [];
    const values = (costs.get(one) ?? []).map((cost, round) => of(cost[kind] ?? Number.NaN, others[round]?.[kind] ?? Number.NaN));
    return values.length > 0 && !values.includes(Number.NaN) ? median(values) : undefined;
  };
  const ratio = (kind: "wall" | "cpu") => within(kind, "whole", "whole, bare", (whole, bare) => whole / bare);
  const added = (end = "") => within("wall", `services 1${end}`, `services ${1 + more}${end}`, (one, others) => (others - one) / more);
  const [own, bare] = [added(), added(", bare")];
  const json = {
    vs_bare: ratio("wall"),
    vs_bare_cpu: ratio("cpu"),
    per_instance: own && bare && own / bare,
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
    `  one more service: ${figure(own, 0)} ms, bare ${figure(bare, 0)} ms`,
  ].join("\n");
  return { text, json: { preview: json } };
}
