/** The engine is killed, which leaves its lock: see `kill/suite.ts`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { expectTable } from "../support/readme";
import { points } from "./kill/points";
import { adoptedIsDeleted, killAt } from "./kill/suite";
import { killTable } from "./table";

killAt(
  points.filter(([, , victim]) => victim === "engine"),
  adoptedIsDeleted,
);

it("is recovered from as the README says", () => {
  const readme = readFileSync(join(__dirname, "../../README.md"), "utf8");
  const steps = [
    "`npx pulumi cancel`",
    "`npx pulumi config rm retainOnDelete` before the last `up`",
    "`npx pulumi refresh --clear-pending-creates`",
  ];
  for (const words of [...steps, "| 409 or 412, it exists already |"]) expect(readme).toContain(words);
});

// What it says is what each point was seen to need, here and in the file beside this one.
it("is in the README's table", () => expectTable("kills", killTable(points), "test:faults"));
