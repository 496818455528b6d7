/** What others called theirs in Grafana, in messages about it: it stays on its line, and no terminal takes it for a command. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { deploymentBy, doubtOf } from "../../../src/platform/adoption";
import { datasourceProblem } from "../../../src/platform/preconditions";
import { hostileText } from "./values";

it("the list of datasources has a line for each, whatever they are called", () => {
  const found = fc.array(fc.record({ uid: hostileText, type: hostileText, name: hostileText }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(found, (found) => {
      const wanted = { uid: "wanted", type: "loki", setting: "lokiUid" } as const;
      const ofOtherType = { ...found[0], uid: "other", type: "\x1b[2J\n", name: "" };
      const text = datasourceProblem([wanted, { ...wanted, uid: "other" }], [...found, ofOtherType]) ?? "";
      expect(text.split("\n")).toHaveLength(4 + found.length + 1);
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    }),
  );
});

it("the stack that a dashboard's history names stays a name in a line", () => {
  fc.assert(
    fc.property(hostileText, (name) => {
      const text = doubtOf({ status: 200, body: [{ message: deploymentBy(name) }] }, "project/dev") ?? "";
      expect(text).toMatch(/, one was by /);
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    }),
  );
});
