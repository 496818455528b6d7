/**
 * The cost of a preview of a deployed stack without changes: compared with a bare program of the same resources, on this Node.js and on the newest one, and
 * by the number of services.
 */
import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type BenchOptions, type BenchReport, figure, median, table } from "../support/bench-report";
import { Sandbox } from "../support/sandbox";
import { TestStack } from "../support/stack";
import { ensure } from "../support/toolchain/install";
import { pulumiTool } from "../support/toolchain/pulumi";
import { type Cost, measure } from "./preview/measure";
import { newestNode } from "./preview/newest-node";

const bin = join(pulumiTool().folder, "bin");
const more = 10;

/** A program to preview, with the folder of another Node.js than the one on PATH. */
interface Contestant {
  stack: TestStack;
  node?: string | undefined;
}

/** The costs of each contestant, by round. */
type Costs = Map<string, Cost[]>;

export async function benchPreview({ rounds = 7, small }: BenchOptions): Promise<BenchReport> {
  await ensure(pulumiTool());
  const sandboxes: Sandbox[] = [];
  const contestants = new Map<string, Contestant>();
  /** @param services those of another program than this repository's */
  const add = async (name: string, services?: number) => {
    // Each has its own Grafana, because all have the same folder.
    const sandbox = await Sandbox.start();
    sandboxes.push(sandbox);
    const whole = await TestStack.create(sandbox.config());
    contestants.set(name, { stack: whole });
    if (services !== undefined) {
      whole.useProgram(join(__dirname, "preview/many-services.ts"));
      whole.environment.BENCH_SERVICES = String(services);
    }
    await whole.up();
    contestants.set(`${name}, bare`, { stack: await bareOf(whole) });
  };
  try {
    await add("whole");
    const newest = small ? undefined : await newestNode();
    if (newest)
      for (const [name, { stack }] of [...contestants]) contestants.set(`${name}, Node ${newest.version}`, { stack, node: newest.bin });
    if (!small) for (const services of [1, 1 + more]) await add(`services ${services}`, services);
    return report(await previewInTurns(contestants, rounds), rounds, newest?.version);
  } finally {
    for (const { stack, node } of contestants.values()) if (!node) stack.remove();
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
async function previewInTurns(contestants: ReadonlyMap<string, Contestant>, rounds: number): Promise<Costs> {
  for (const [name, { stack }] of contestants) {
    const operations = await stack.preview();
    if (operations.length > 0) throw new Error(`the preview of ${name} has changes: ${operations.join(", ")}`);
  }
  const costs: Costs = new Map([...contestants.keys()].map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, { stack, node }] of round % 2 === 0 ? contestants : [...contestants].reverse()) {
      const env = { ...stack.environment, PATH: [...(node ? [node] : []), bin, stack.environment.PATH].join(delimiter) };
      const cost = await measure(join(bin, "pulumi"), ["preview", "--stack", "test", "--non-interactive"], { cwd: stack.folder, env });
      if (round > 0) costs.get(name)?.push(cost);
    }
    process.stderr.write(`bench: ${round === 0 ? "warm" : `round ${round} of ${rounds}`}\n`);
  }
  return costs;
}

/** Ratios and differences are those within a round. */
function report(costs: Costs, rounds: number, newest: string | undefined): BenchReport {
  const within = (kind: "wall" | "cpu", names: string[], of: (...figures: number[]) => number) => {
    const columns = names.map((name) => (costs.get(name) ?? []).flatMap((cost) => cost[kind] ?? []));
    return columns.every(({ length }) => length > 0)
      ? median((columns[0] ?? []).map((_, round) => of(...columns.map((column) => column[round] ?? Number.NaN))))
      : undefined;
  };
  const beside = (kind: "wall" | "cpu", end = "") =>
    within(kind, [`whole${end}`, `whole, bare${end}`], (whole = 0, bare = 0) => whole / bare);
  const added = ([few = "", many = ""]: string[]) => within("wall", [few, many], (one = 0, others = 0) => (others - one) / more);
  const [own, bare] = ["", ", bare"].map((end) => added(["services 1", `services ${1 + more}`].map((name) => `${name}${end}`)));
  const json = {
    vs_bare: beside("wall"),
    vs_bare_cpu: beside("cpu"),
    ...(newest && {
      newest_node: { version: newest, vs_bare: beside("wall", `, Node ${newest}`), vs_bare_cpu: beside("cpu", `, Node ${newest}`) },
    }),
    per_instance: own && bare && own / bare,
    costs: Object.fromEntries(costs),
  };
  const medianOf = (all: readonly Cost[], kind: keyof Cost) => figure(median(all.flatMap((cost) => cost[kind] ?? [])), 0);
  const rows = [...costs].map(([name, all]) => [name, medianOf(all, "wall"), medianOf(all, "cpu"), medianOf(all, "memory")]);
  const ofNewest = newest ? `; on Node ${newest}: ${figure(json.newest_node?.vs_bare)}, ${figure(json.newest_node?.vs_bare_cpu)}` : "";
  const text = [
    table(
      `pulumi preview of a deployed stack without changes, medians of ${rounds} rounds`,
      ["program", "wall ms", "CPU ms", "peak MB"],
      rows,
    ),
    `  whole / bare: ${figure(json.vs_bare)} wall, ${figure(json.vs_bare_cpu)} CPU${ofNewest}`,
    `  one more service: ${figure(own, 0)} ms, bare ${figure(bare, 0)} ms`,
  ].join("\n");
  return { text, json: { preview: json } };
}
