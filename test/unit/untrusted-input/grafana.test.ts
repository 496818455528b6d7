/** What others called theirs in Grafana, in messages about it: it stays on its line, and no terminal takes it for a command. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { missingDatasources, takenDatasourceNames } from "../../../src/platform/problems";
import { hostileText } from "./values";

it("the list of datasources has a line for each, whatever they are called", () => {
  const found = fc.array(fc.record({ uid: hostileText, type: hostileText, name: hostileText }), { minLength: 1, maxLength: 4 });
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

it("the datasource that has a name stays a word in a line, and of the command that names it", () => {
  fc.assert(
    fc.property(hostileText, (uid) => {
      const [text = ""] = takenDatasourceNames(
        [{ uid: `${uid}x`, type: "loki" }],
        [{ uid, type: "loki", name: "LLM Observability loki" }],
        "dev",
      );
      expect(text).toContain("which Grafana accepts once");
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    }),
  );
});
