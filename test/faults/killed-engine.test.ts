/** The engine is killed, which leaves its lock: see `kill/suite.ts`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { points } from "./kill/points";
import { testPoints } from "./kill/suite";

testPoints(points.filter(([, , killed]) => killed === "engine"));

it("the documentation has the steps of the recovery", () => {
  const readme = readFileSync(join(__dirname, "../../src/platform/README.md"), "utf8");
  const steps = [
    "`npx pulumi cancel`",
    "`npx pulumi config rm retainOnDelete` before the last `up`",
    "`npx pulumi refresh --clear-pending-creates`",
  ];
  for (const words of [...steps, "| 409 or 412: the resource exists |"]) expect(readme).toContain(words);
});
