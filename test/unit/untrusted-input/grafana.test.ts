/** Names of other resources in Grafana, in messages: they stay on their line and contain no escape sequences for the terminal. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { missingDatasources } from "../../../src/platform/problems";
import { untrustedText } from "./values";

it("the list of datasources has a line for each, whatever their names", () => {
  const found = fc.array(fc.record({ uid: untrustedText, type: untrustedText, name: untrustedText }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(found, (found) => {
      const wanted = { uid: "wanted", type: "loki" } as const;
      const ofOtherType = { ...found[0], uid: "other", type: "\x1b[2J\n", name: "" };
      const text = missingDatasources([wanted, { ...wanted, uid: "other" }], [...found, ofOtherType]) ?? "";
      expect(text.split("\n")).toHaveLength(4 + found.length + 1);
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    }),
  );
});
