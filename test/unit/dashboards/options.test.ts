/** Options of panels and fields of targets exist in the interfaces that Grafana publishes: Grafana silently ignores unknown ones. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { examples, shownOf } from "../../support/models";

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

const panels = examples.flatMap(({ title, model }) =>
  shownOf(model).map((panel) => ({ name: `${title}: ${panel.title || panel.type}`, panel })),
);

describe.each(panels)("$name", ({ panel }) => {
  it("has only options of its panel type", () => {
    const known = [...fieldsOf(panel.type, "Options"), ...(newerOptions[panel.type] ?? [])];
    expect(known).toEqual(expect.arrayContaining(Object.keys(panel.options ?? {})));
  });

  it("has only targets with fields of their datasource type", () => {
    for (const target of panel.targets ?? []) {
      expect(fieldsOf(target.datasource.type, "[dD]ataquery")).toEqual(expect.arrayContaining(Object.keys(target)));
    }
  });

  it("has only overrides of existing properties", () => {
    for (const { matcher, properties } of panel.fieldConfig?.overrides ?? []) {
      // Grafana's matchers in use (packages/grafana-data/src/transformations/matchers/ids.ts).
      expect(["byName", "byRegexp", "byType", "byFrameRefID"]).toContain(matcher.id);
      for (const { id } of properties)
        expect(id).toMatch(/^(custom\.(\w+|hideFrom\.viz)|unit|displayName|decimals|color|links|noValue|mappings|min|max)$/);
    }
  });
});
