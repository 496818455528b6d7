/** Fills in the history of recorded counters on Mimir with the commands of src/settings/README.md: promtool evaluates the rules, mimirtool uploads the blocks. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { stringify } from "yaml";
import { ruleFile } from "../../../src/cli/rule-files";
import type { Naming } from "../../../src/signals/names/translate";
import { commandsOf } from "../../support/documents";
import { run } from "../../support/run";
import { ruleGroups } from "../history";
import type { Window } from "../ledger";
import { samplesOf } from "../samples";
import { commandsFor } from "./server";

/**
 * Records the counters' increases in each minute of a time range, and waits until Mimir finds them.
 *
 * @param tenant which has the name of its form of names, and the address of its queries
 */
export async function recordHistory(mimir: string, { naming, prometheus }: { naming: Naming; prometheus: string }, { from, to }: Window) {
  const env = { ...(await commandsFor(mimir, naming)), START: String(from / 1000), END: String(to / 1000) };
  const groups = ruleGroups(naming);
  const names = [...new Set(Object.values(groups).flatMap((rules) => rules.map(({ name }) => name)))];
  // The second time for costs, whose rules read what others record.
  for (const _ of ["counters", "costs"]) {
    const folder = mkdtempSync(join(tmpdir(), "llm-observability-history-"));
    writeFileSync(join(folder, "rules.dev.yaml"), stringify(ruleFile(groups)));
    try {
      await run("sh", ["-ec", commandsOf("mimir_history", "src/settings/README.md")], { cwd: folder, env });
      await untilFound(prometheus, names, to, samplesIn(join(folder, "blocks")));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

const samplesIn = (blocks: string) =>
  readdirSync(blocks).reduce((sum, block) => {
    const { stats } = JSON.parse(readFileSync(join(blocks, block, "meta.json"), "utf8")) as { stats: { numSamples: number } };
    return sum + stats.numSamples;
  }, 0);

/** Mimir's queriers look for new blocks once a minute. */
async function untilFound(prometheus: string, names: readonly string[], to: number, samples: number): Promise<void> {
  const counts = names.map((name) => `label_replace(sum(count_over_time(${name}[2d])), "of", "${name}", "", "")`);
  for (let attempt = 0; ; attempt += 1) {
    const [{ value: found } = { value: 0 }] = await samplesOf(prometheus, `sum(${counts.join(" or ")})`, to);
    if (found === samples) return;
    if (attempt > 100) throw new Error(`Mimir finds ${found} of ${samples} samples`);
    await setTimeout(2000);
  }
}
