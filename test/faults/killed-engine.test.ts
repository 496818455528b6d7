/** The engine is killed, which leaves its lock: see `kill/suite.ts`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { expectTable } from "../support/readme";
import { allPoints, points } from "./kill/points";
import { testPoints } from "./kill/suite";
import { killTable } from "./table";

testPoints(points.filter(([, , killed]) => killed === "engine"));

const file = "src/platform/README.md";

it("the documentation has the steps of the recovery", () => {
  const readme = readFileSync(join(__dirname, "../..", file), "utf8");
  const steps = [
    "`npx pulumi cancel`",
    "`npx pulumi config rm retainOnDelete` before the last `up`",
    "`npx pulumi refresh --clear-pending-creates`",
  ];
  for (const words of [...steps, "| 409 or 412: the resource exists |"]) expect(readme).toContain(words);
});

// The tests prove each row: a part of the points by default, all of them with TEST_SIZE=full.
it("the documentation has the table of the points", () => expectTable("kills", killTable(allPoints), "test:faults", file));
