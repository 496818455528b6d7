/** Fills in the history of the recorded counters with the command of src/settings/README.md: promtool evaluates the rules for each minute of the past. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { stringify } from "yaml";
import { groupsOf, ruleFile } from "../../src/cli/rule-files";
import type { RecordingRule } from "../../src/signals/counters";
import { genaiRecordingRules } from "../../src/signals/genai";
import type { Naming } from "../../src/signals/names/translate";
import { openTelemetryRecordingRules, type RuleOptions } from "../../src/signals/opentelemetry-rules";
import { commandsOf } from "../support/documents";
import { run } from "../support/run";
import { locate } from "../support/toolchain/locate";
import { prometheusTool } from "../support/toolchain/servers";
import { Ledger, type Window } from "./ledger";
import { samplesOf } from "./samples";
import type { RunningPrometheus } from "./servers";
import { sdkName } from "./telemetry/spec-sdk";
import { hour, type World } from "./world/world";

type Groups = Readonly<Record<string, RecordingRule[]>>;

/** Those of both dashboards. */
export const ruleGroups = (naming: Naming, options: RuleOptions = {}) => ({
  "llm-observability": genaiRecordingRules(sdkName, naming),
  ...Object.fromEntries(groupsOf("llm-observability-otel", openTelemetryRecordingRules(naming, options))),
});

/**
 * Records the counters' increases in each minute of a time range, and waits until they can be queried. Prometheus evaluates one query on one core: so both
 * halves of a long range are recorded at the same time.
 *
 * Operators end three hours ago, promtool's default: when a Prometheus with newer blocks restarts, it drops the samples of that time which are not in blocks
 * yet. That of the tests does not restart.
 *
 * @param today the range with telemetry of today's SDKs: others have nothing for most rules, and no costs. Rules of costs, which read what others record,
 *   are evaluated after these
 */
export async function recordHistory(
  { prometheus, prometheusData }: RunningPrometheus,
  range: Window,
  today = range,
  options: RuleOptions = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "llm-observability-history-"));
  const { "llm-observability": spec, ...others } = ruleGroups("prometheus", options);
  const ofSpec = { "llm-observability": spec };
  const PATH = `${dirname(await locate(prometheusTool()))}${delimiter}${process.env.PATH}`;
  const record = async ({ from, to }: Window, groups: Groups) => {
    const times = { START: String(Math.floor(from / 1000)), END: String(Math.floor(to / 1000)) };
    // A path relative to the working directory: the second of the minute is the same on each machine.
    const cwd = mkdtempSync(join(folder, "range-"));
    writeFileSync(join(cwd, "rules.dev.yaml"), stringify(ruleFile(groups)));
    const env = { ...process.env, PATH, ...times, PROMETHEUS_URL: prometheus, DATA: prometheusData };
    await run("sh", ["-ec", commandsOf("history", "src/settings/README.md")], { cwd, env }).catch((error) => {
      // Without telemetry, there is nothing to move.
      const isEmpty = !existsSync(join(cwd, "blocks")) || readdirSync(join(cwd, "blocks")).length === 0;
      if (!isEmpty || !String(error).includes("blocks/*")) throw error;
    });
  };
  const [ofSamples, ofRecorded] = [withRules(others, false), withRules(others, true)];
  // The first step is that of the whole range.
  const steps: Groups[] = today === range ? [{ ...ofSpec, ...ofSamples }, ofRecorded] : [ofSpec, ofSamples, ofRecorded];
  for (const [index, groups] of steps.entries()) {
    await Promise.all(parts(index === 0 ? range : today).map((part) => record(part, groups)));
    await untilReloaded(prometheus);
  }
  rmSync(folder, { recursive: true });
}

/**
 * The groups with the rules that read recorded series, or with the others. Of two halves, the one must not read what the other has just recorded: of costs,
 * a part.
 */
const withRules = (groups: Groups, isReading: boolean): Groups =>
  Object.fromEntries(
    Object.entries(groups).map(([name, rules]) => [name, rules.filter(({ query }) => /\bapplication:/.test(query) === isReading)]),
  );

function parts({ from, to }: Window): Window[] {
  const middle = (from + to) / 2;
  // To write the blocks takes most of the time of a short one.
  if (to - from < hour) return [{ from, to }];
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}

/**
 * What was written, as these rules record it. In which second of a minute a minute of theirs ends, Prometheus and promtool derive from the name of the group and
 * the file's path, so that groups do not run all at once.
 *
 * @param to the end of the recorded time
 */
export async function recordedLedger(world: World, prometheus: string, rules: readonly RecordingRule[], to: number): Promise<Ledger> {
  const secondOf = async ([rule]: readonly RecordingRule[]) => {
    const [newest] = await samplesOf(prometheus, `max(timestamp(${rule?.name}))`, to);
    if (!newest) throw new Error("promtool recorded nothing");
    return Math.round(newest.value * 1000) % 60_000;
  };
  const [apart, others] = [rules.filter(({ group }) => group === "times"), rules.filter(({ group }) => !group)];
  return new Ledger(world, await secondOf(others), await secondOf(apart.length > 0 ? apart : others));
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
