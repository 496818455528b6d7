/** `dashboards/rules.yaml` by Prometheus' own tool: it accepts all rules, and finds no mistake in their names. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { run } from "../support/run";
import { locate } from "../support/toolchain/locate";
import { prometheusTool } from "../support/toolchain/servers";

const file = join(__dirname, "../../dashboards/rules.yaml");

it("promtool accepts the recording rules", async () => {
  const { groups } = parse(readFileSync(file, "utf8")) as { groups: { rules: { record: string }[] }[] };
  const records = groups.flatMap(({ rules }) => rules.map(({ record }) => record));
  expect(new Set(records).size).toBe(records.length);
  // Prometheus' convention, level:metric:operation.
  for (const record of records) expect(record).toMatch(/^application:\w+:(increase|count)1m$/);
  const promtool = join(dirname(await locate(prometheusTool())), "promtool");
  const output = await run(promtool, ["check", "rules", "--lint=all", "--lint-fatal", file]);
  expect(output).toContain(`SUCCESS: ${records.length} rules found`);
});
