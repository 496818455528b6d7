/** Options of panels, and fields of targets, against the interfaces that Grafana publishes: Grafana ignores what it does not know without a word. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { examples, shownOf } from "../../support/models";

const sdk = join(dirname(require.resolve("@grafana/grafana-foundation-sdk/dashboard")), "..");

/** Names of the fields of an interface, from the SDK's declarations: at run time there are no interfaces. */
function fieldsOf(kind: string, name: string): string[] {
  const declarations = readFileSync(join(sdk, kind, "types.gen.d.ts"), "utf8");
  const [, body] = new RegExp(`^export interface ${name} (?:extends [\\w.]+ )?\\{$(.*?)^\\}$`, "ms").exec(declarations) ?? [];
  if (!body) throw new Error(`The SDK declares no ${kind}.${name}`);
  return [...body.matchAll(/^ {4}(\w+)\??:/gm)].map(([, field]) => field as string);
}

const panels = examples.flatMap((model) =>
  shownOf(model).map((panel) => ({ name: `${model.title}: ${panel.title || panel.type}`, panel })),
);

describe.each(panels)("$name", ({ panel }) => {
  it("has options of its panel type only", () => {
    expect(fieldsOf(panel.type, "Options")).toEqual(expect.arrayContaining(Object.keys(panel.options ?? {})));
  });

  it("has targets with fields of their datasource type only", () => {
    for (const target of panel.targets ?? []) {
      expect(fieldsOf(target.datasource.type, "[dD]ataquery")).toEqual(expect.arrayContaining(Object.keys(target)));
    }
  });

  it("has overrides for properties that exist", () => {
    for (const { matcher, properties } of panel.fieldConfig?.overrides ?? []) {
      // Grafana's matchers in use (packages/grafana-data/src/transformations/matchers/ids.ts).
      expect(["byName", "byRegexp", "byType", "byFrameRefID"]).toContain(matcher.id);
      for (const { id } of properties) expect(id).toMatch(/^(custom\.\w+|unit|displayName|decimals|color|links|noValue|mappings|min|max)$/);
    }
  });
});
