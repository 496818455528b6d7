/** Rules by Prometheus' own tool, with series in its notation: `0+1x20` is a counter of 21 samples, `_x9` no sample nine times. */
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { stringify } from "yaml";
import { ruleFile } from "../../src/cli/rule-files";
import { openTelemetryRecordingRules } from "../../src/signals/opentelemetry-rules";
import { run } from "../support/run";
import { temporaryFolder } from "../support/temporary-folder";
import { locate } from "../support/toolchain/locate";
import { prometheusTool } from "../support/toolchain/servers";

/** Values by series. */
export type Samples<Value> = Readonly<Record<string, Value>>;

/** A folder of a test file, and the tool, which reads the files by their names in the folder: a text, or what becomes one. */
export function promtoolIn() {
  const folder = temporaryFolder(afterAll);
  let program: Promise<string> | undefined;
  return async (files: Readonly<Record<string, string | object>>, ...command: string[]) => {
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(folder, name), typeof content === "string" ? content : stringify(content));
    program ??= locate(prometheusTool());
    return run(join(dirname(await program), "promtool"), command, { cwd: folder });
  };
}

export const inputSeries = (series: Samples<string>) => Object.entries(series).map(([series, values]) => ({ series, values }));

/** Holds what queries return, by minute, while the recording rules with these names are evaluated each minute. */
export function recordedBy(names: RegExp, options: Parameters<typeof openTelemetryRecordingRules>[1] = {}) {
  const promtool = promtoolIn();
  const rules = openTelemetryRecordingRules("prometheus", options).filter(({ name }) => names.test(name));
  const [group] = ruleFile({ tested: rules }).groups;
  return (...expectation: Expectation) => expectSamples(promtool, group?.rules ?? [], ...expectation);
}

/** The series, and what each query returns by minute. */
type Expectation = [series: Samples<string>, expected: Samples<Readonly<Record<number, Samples<number>>>>];

/** The same with rules as a rule file has them. */
export function expectSamples(promtool: ReturnType<typeof promtoolIn>, rules: readonly object[], ...[series, expected]: Expectation) {
  const test = {
    interval: "1m",
    input_series: inputSeries(series),
    promql_expr_test: Object.entries(expected).flatMap(([expr, byMinute]) =>
      Object.entries(byMinute).map(([minute, samples]) => ({
        ...{ expr, eval_time: `${minute}m` },
        exp_samples: Object.entries(samples).map(([labels, value]) => ({ labels, value })),
      })),
    ),
  };
  const files = {
    "rules.yaml": { groups: [{ name: "tested", rules }] },
    "test.yaml": { rule_files: ["rules.yaml"], evaluation_interval: "1m", tests: [test] },
  };
  return promtool(files, "test", "rules", "test.yaml");
}
