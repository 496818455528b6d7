/** Options of panels and fields of targets exist in the interfaces that Grafana publishes: Grafana silently ignores unknown ones. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { examples, nameOf, type Panel, shownOf } from "../../support/models";

const sdk = join(dirname(require.resolve("@grafana/grafana-foundation-sdk/dashboard")), "..");

/** Options that the SDK lacks. A table's: packages/grafana-schema/src/common/table.cue of Grafana 12.2. */
const newerOptions: Record<string, string[]> = { table: ["maxRowHeight"] };

/** Names of an interface's fields, from the SDK's declarations: interfaces do not exist at run time. */
function fieldsOf(kind: string, name: string): string[] {
  const declarations = readFileSync(join(sdk, kind, "types.gen.d.ts"), "utf8");
  const [, body] = new RegExp(`^export interface ${name} (?:extends [\\w.]+ )?\\{$(.*?)^\\}$`, "ms").exec(declarations) ?? [];
  if (!body) throw new Error(`The SDK declares no ${kind}.${name}`);
  return [...body.matchAll(/^ {4}(\w+)\??:/gm)].map(([, field]) => field as string);
}

/** Names that the panel has and Grafana does not. */
function unknownIn({ type, options, targets = [], fieldConfig }: Panel): string[] {
  const known = [...fieldsOf(type, "Options"), ...(newerOptions[type] ?? [])];
  const overrides = fieldConfig?.overrides ?? [];
  // Grafana's matchers in use (packages/grafana-data/src/transformations/matchers/ids.ts).
  const matchers = overrides.map(({ matcher }) => matcher.id).filter((id) => !/^by(Name|Regexp|Type|FrameRefID)$/.test(id));
  const properties = overrides.flatMap((override) => override.properties.map(({ id }) => id));
  return [
    ...Object.keys(options ?? {}).filter((name) => !known.includes(name)),
    ...targets.flatMap((target) => {
      const fields = fieldsOf(target.datasource.type, "[dD]ataquery");
      return Object.keys(target).filter((name) => !fields.includes(name));
    }),
    ...matchers,
    ...properties.filter(
      (id) => !/^(custom\.(\w+|hideFrom\.viz)|unit|displayName|decimals|color|links|noValue|mappings|min|max)$/.test(id),
    ),
  ];
}

it.each(examples)("$title", ({ model }) => {
  expect(shownOf(model).flatMap((panel) => unknownIn(panel).map((name) => `${nameOf(panel)}: ${name}`))).toEqual([]);
});
