/** Compares the program with a bare one, and with Pulumi's own loader, on this Node.js and on the newest one. */

import { type BenchReport, figure, table } from "../../support/bench-report";
import { Sandbox } from "../../support/sandbox";
import { newestNode } from "./newest-node";
import { byRound, type Contestant, compete, median, type Results, ratio } from "./rounds";
import { bareOf, contestant, deployed, editedOf, typeCheckedOf } from "./stacks";

/** The end of the names of contestants on the newest Node.js. */
const newestMark = ", newest Node";

export async function comparePrograms(rounds: number, small: boolean): Promise<BenchReport> {
  const sandbox = await Sandbox.start();
  const whole = await deployed(sandbox.config());
  const stacks = { whole, bare: await bareOf(whole), edited: editedOf(whole), default: typeCheckedOf(whole) };
  try {
    const newest = small ? undefined : await newestNode();
    const contestants: Contestant[] = [];
    for (const [suffix, node] of [["", undefined], ...(newest ? [[newestMark, newest.bin] as const] : [])] as const) {
      contestants.push(
        await contestant(`whole${suffix}`, stacks.whole, { node }),
        await contestant(`bare${suffix}`, stacks.bare, { node }),
        await contestant(`whole after an edit${suffix}`, stacks.edited, { node, edited: true }),
        await contestant(`default after an edit${suffix}`, stacks.default, { node, edited: true }),
      );
    }
    return report(await compete(contestants, rounds), newest?.version, rounds);
  } finally {
    for (const stack of Object.values(stacks)) stack.remove();
    await sandbox.stop();
  }
}

function report(results: Results, newest: string | undefined, rounds: number): BenchReport {
  const rows = [...results.keys()].map((name) => {
    const suffix = name.endsWith(newestMark) ? newestMark : "";
    const costs = (["wall", "cpu", "memory"] as const).map((kind) => {
      const all = byRound(results, name, kind);
      return figure(all && median(all), 0);
    });
    const beside = (other: string) => (["wall", "cpu"] as const).map((kind) => figure(ratio(results, name, `${other}${suffix}`, kind)));
    return [name, ...costs, ...beside("bare"), ...beside("default after an edit")];
  });
  const title =
    `pulumi preview of a deployed stack without changes, medians of ${rounds} rounds, Node ${process.versions.node}` +
    (newest ? ` and ${newest}, that one with its compile cache` : " alone");
  const head = ["program", "wall ms", "CPU ms", "peak MB", "wall / bare", "CPU / bare", "wall / default", "CPU / default"];
  const json = {
    ...ratios(results, ""),
    ...(newest && { newest_node: { version: newest, ...ratios(results, newestMark) } }),
    costs: Object.fromEntries(results),
  };
  return { text: table(title, head, rows), json };
}

function ratios(results: Results, suffix: string): Record<string, number | undefined> {
  const of = (name: string, other: string, kind: "wall" | "cpu" | "memory") =>
    ratio(results, `${name}${suffix}`, `${other}${suffix}`, kind);
  return {
    vs_bare: of("whole", "bare", "wall"),
    vs_bare_cpu: of("whole", "bare", "cpu"),
    memory_vs_bare: of("whole", "bare", "memory"),
    vs_default: of("whole after an edit", "default after an edit", "wall"),
    vs_default_cpu: of("whole after an edit", "default after an edit", "cpu"),
  };
}
