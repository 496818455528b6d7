/** The cost of one more monitored service in a preview: with the component, and with bare resources. */
import { join } from "node:path";
import { type BenchReport, figure, table } from "../../support/bench-report";
import { Sandbox } from "../../support/sandbox";
import type { TestStack } from "../../support/stack";
import type { Cost } from "./measure";
import { byRound, type Contestant, compete, median, type Results, within } from "./rounds";
import { bareOf, contestant, deployed } from "./stacks";

const sizes = [1, 10, 100] as const;
const kinds = ["component", "bare"] as const;

export async function compareGrowth(rounds: number): Promise<BenchReport> {
  const stacks: TestStack[] = [];
  // Each has its own Grafana, because all have the same folder.
  const sandboxes: Sandbox[] = [];
  try {
    const contestants: Contestant[] = [];
    for (const size of sizes) {
      const program = { file: join(__dirname, "many-services.ts"), variables: { BENCH_SERVICES: String(size) } };
      const sandbox = await Sandbox.start();
      sandboxes.push(sandbox);
      const component = await deployed(sandbox.config(), program);
      stacks.push(component);
      const bare = await bareOf(component);
      stacks.push(bare);
      contestants.push(await contestant(`component ${size}`, component), await contestant(`bare ${size}`, bare));
    }
    return report(await compete(contestants, rounds), rounds);
  } finally {
    for (const stack of stacks) stack.remove();
    for (const sandbox of sandboxes) await sandbox.stop();
  }
}

function report(results: Results, rounds: number): BenchReport {
  const rows = sizes.map((size) => {
    const figures = kinds.flatMap((kind) =>
      (["wall", "cpu"] as const).map((cost) => {
        const costs = byRound(results, `${kind} ${size}`, cost);
        return figure(costs && median(costs), 0);
      }),
    );
    return [String(size), ...figures];
  });
  const json = {
    per_instance: perInstance(results, "wall"),
    per_instance_cpu: perInstance(results, "cpu"),
    growth: Object.fromEntries(kinds.map((kind) => [kind, steps(results, kind)])),
    growth_costs: Object.fromEntries(results),
  };
  const head = ["services", "wall ms", "CPU ms", "bare wall ms", "bare CPU ms"];
  const added = kinds.map((kind) => [
    kind,
    ...["1_to_10", "10_to_100"].flatMap((step) =>
      (["wall", "cpu"] as const).map((cost) => figure(steps(results, kind)[`${step}_${cost}`])),
    ),
  ]);
  const text = [
    table(`preview by the number of services, medians of ${rounds} rounds`, head, rows),
    table("ms for each added service", ["program", "1 to 10 wall", "CPU", "10 to 100 wall", "CPU"], added),
    `  component / bare, 1 to 100: ${figure(json.per_instance)} wall, ${figure(json.per_instance_cpu)} CPU`,
  ].join("\n\n");
  return { text, json };
}

/** The cost of an added service, relative to an added bare service. */
function perInstance(results: Results, cost: keyof Cost): number | undefined {
  const names = ["component 1", "component 100", "bare 1", "bare 100"];
  return within(results, names, cost, (few = 0, many = 0, bareFew = 0, bareMany = 0) => (many - few) / (bareMany - bareFew));
}

/** Milliseconds for each added service. */
function steps(results: Results, kind: (typeof kinds)[number]): Record<string, number | undefined> {
  const step = (from: number, to: number, cost: keyof Cost) =>
    within(results, [`${kind} ${from}`, `${kind} ${to}`], cost, (few = 0, many = 0) => (many - few) / (to - from));
  return {
    "1_to_10_wall": step(1, 10, "wall"),
    "1_to_10_cpu": step(1, 10, "cpu"),
    "10_to_100_wall": step(10, 100, "wall"),
    "10_to_100_cpu": step(10, 100, "cpu"),
  };
}
