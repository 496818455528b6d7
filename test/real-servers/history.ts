/** Fills in the history of the recorded counters as README.md describes: promtool evaluates `dashboards/rules.yaml` for each minute of the past. */
import { mkdirSync, readdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { run } from "../../src/cli/run";
import { locate } from "../../src/cli/toolchain/locate";
import { prometheusTool } from "../../src/cli/toolchain/tools";
import type { RecordingRule } from "../../src/signals/counters";
import { genaiRecordingRules } from "../../src/signals/genai";
import { queryInstant } from "../../src/view/reading/client";
import { names } from "./panels";
import type { RunningPrometheus } from "./servers";

/** A file of rules, and the name of a series that one of them records. */
export interface Rules {
  file: string;
  series: string;
}

const rulesOfB = (): Rules => {
  const [rule] = genaiRecordingRules(names.sdkName);
  return { file: join(__dirname, "../../dashboards/rules.yaml"), series: (rule as RecordingRule).name };
};

/**
 * Records the counters' increases in each minute of a time range, and waits until they can be queried.
 *
 * @returns the second of the minute in which a minute of the rules ends, in milliseconds. Prometheus and promtool derive it from the group's name and the
 * file's path, so that groups do not run all at once.
 */
export async function recordHistory(
  { prometheus, prometheusData }: RunningPrometheus,
  { from, to }: { from: number; to: number },
  { file, series }: Rules = rulesOfB(),
): Promise<number> {
  const output = join(dirname(prometheusData), "recorded");
  mkdirSync(output);
  const promtool = join(dirname(await locate(prometheusTool())), "promtool");
  const times = [`--start=${Math.floor(from / 1000)}`, `--end=${Math.floor(to / 1000)}`];
  // A path relative to the working directory: the second of the minute is the same on each machine.
  await run(promtool, ["tsdb", "create-blocks-from", "rules", ...times, `--url=${prometheus}`, `--output-dir=${output}`, basename(file)], {
    cwd: dirname(file),
  });
  for (const block of readdirSync(output)) renameSync(join(output, block), join(prometheusData, block));
  await untilReloaded(prometheus);
  const { result } = await queryInstant(prometheus, `max(timestamp(${series}))`, to);
  const [newest] = result as { value: [number, string] }[];
  if (!newest) throw new Error("promtool recorded nothing");
  return Math.round(Number(newest.value[1]) * 1000) % 60_000;
}

/** Waits until Prometheus has looked for new blocks twice: the first time may have begun before they were there. */
async function untilReloaded(prometheus: string): Promise<void> {
  const reloads = async () => {
    const text = await (await fetch(`${prometheus}/metrics`)).text();
    return Number(/^prometheus_tsdb_reloads_total (\d+)/m.exec(text)?.[1]);
  };
  const before = await reloads();
  for (let attempt = 0; !((await reloads()) >= before + 2); attempt += 1) {
    if (attempt > 100) throw new Error("Prometheus does not look for new blocks");
    await setTimeout(200);
  }
}
