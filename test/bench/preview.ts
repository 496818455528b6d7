/** The cost of a preview of a deployed stack without changes: compared with a bare program of the same resources, and by the number of services. */
import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run } from "../../src/cli/run";
import { type BenchOptions, type BenchReport, figure, median, table } from "../support/bench-report";
import { Sandbox } from "../support/sandbox";
import { TestStack } from "../support/stack";
import { ensure } from "../support/toolchain/install";
import { pulumiTool } from "../support/toolchain/pulumi";

const bin = join(pulumiTool().folder, "bin");
const more = 10;

/** Milliseconds of the previews of each stack, by round. */
type Times = Map<string, number[]>;

export async function benchPreview({ rounds = 7, small }: BenchOptions): Promise<BenchReport> {
  await ensure(pulumiTool());
  const sandboxes: Sandbox[] = [];
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
async function previewInTurns(stacks: ReadonlyMap<string, TestStack>, rounds: number): Promise<Times> {
  for (const [name, stack] of stacks) {
    const operations = await stack.preview();
    if (operations.length > 0) throw new Error(`the preview of ${name} has changes: ${operations.join(", ")}`);
  }
  const times: Times = new Map([...stacks.keys()].map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, { folder, environment }] of round % 2 === 0 ? stacks : [...stacks].reverse()) {
      const env = { ...environment, PATH: [bin, environment.PATH].join(delimiter) };
      const began = performance.now();
      await run(join(bin, "pulumi"), ["preview", "--stack", "test", "--non-interactive"], { cwd: folder, env });
      if (round > 0) times.get(name)?.push(performance.now() - began);
    }
    process.stderr.write(`bench: ${round === 0 ? "warm" : `round ${round} of ${rounds}`}\n`);
  }
  return times;
}

/** Ratios and differences are those within a round. */
function report(times: Times, rounds: number): BenchReport {
  const within = (names: string[], of: (...figures: number[]) => number) => {
    const columns = names.map((name) => times.get(name) ?? []);
    return columns.every(({ length }) => length > 0)
      ? median((columns[0] ?? []).map((_, round) => of(...columns.map((column) => column[round] ?? Number.NaN))))
      : undefined;
  };
  const added = ([few, many]: string[]) => within([few ?? "", many ?? ""], (one = 0, others = 0) => (others - one) / more);
  const [own, bare] = ["", ", bare"].map((end) => added(["services 1", `services ${1 + more}`].map((name) => `${name}${end}`)));
  const json = {
    vs_bare: within(["whole", "whole, bare"], (whole = 0, literal = 0) => whole / literal),
    per_instance: own && bare && own / bare,
    costs: Object.fromEntries(times),
  };
  const rows = [...times].map(([name, all]) => [name, figure(median(all), 0)]);
  const text = [
    table(`pulumi preview of a deployed stack without changes, medians of ${rounds} rounds`, ["program", "ms"], rows),
    `  whole / bare: ${figure(json.vs_bare)}; one more service: ${figure(own, 0)} ms, bare ${figure(bare, 0)} ms`,
  ].join("\n");
  return { text, json: { preview: json } };
}
