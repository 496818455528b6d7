/** `npm run newest`: which release breaks a check, and the table. */
import { expect, it } from "vitest";
import { judge, type Release, report } from "../support/newest";

const release = (name: string, group = name): Release => ({ name, pinned: "1.0.0", newest: "2.0.0", group, testedBy: "" });
const [a, b, c] = [release("a"), release("b", "two"), release("c", "two")];
const commands = ["check", "test"];

/** Judges all three. `fails` says why a command fails with the releases of these names, if it does. */
async function judged(fails: (command: string, names: string) => string | undefined) {
  const asked: string[] = [];
  const results = await judge([a, b, c], commands, async (releases, commands) => {
    const names = releases.map(({ name }) => name).join("");
    asked.push(`${names}: ${commands.join(" ")}`);
    return new Map(commands.flatMap((command) => [[command, fails(command, names) ?? ""] as const]).filter(([, line]) => line));
  });
  return { asked, results: [a, b, c].map((release) => results.get(release)) };
}

it("all releases together pass in one run", async () => {
  expect(await judged(() => undefined)).toEqual({ asked: ["abc: check test"], results: ["ok", "ok", "ok"] });
});

it("a failure names the release that causes it, with those that are installed with it, and repeats only what failed", async () => {
  const failed = "failed: `test`: `no b`";
  expect(await judged((command, names) => (command === "test" && names.includes("b") ? "no b" : undefined))).toEqual({
    asked: ["abc: check test", ": test", "a: test", "bc: test"],
    results: ["ok", failed, failed],
  });
});

it("no release is blamed for what fails without it, or only with others", async () => {
  const before = "not known, since the pinned releases fail: `check`: `red`";
  expect((await judged((command) => (command === "check" ? "red" : undefined))).results).toEqual([before, before, before]);
  const both = (command: string, names: string) => (command === "check" && names === "abc" ? "both" : undefined);
  const others = "failed, but not alone: `check`: `both`";
  expect((await judged(both)).results).toEqual([others, others, others]);
  const alone = await judged((command, names) => both(command, names) ?? (command === "test" && names.includes("a") ? "a" : undefined));
  expect(alone.results).toEqual(["failed: `test`: `a`", others, others]);
});

it("an installation that fails is a result, and all commands run with the others", async () => {
  const results = await judge([a, b], commands, async (releases) =>
    releases.includes(a) ? new Map([["installation of a", "ERESOLVE"]]) : new Map(),
  );
  expect([...results.values()]).toEqual(["failed: `installation of a`: `ERESOLVE`", "ok"]);
});

it("the table has what is newer; nothing in it ends a cell", () => {
  const unknown = { ...b, newest: new Error("first\nerror: a | `b`") };
  const text = report(
    [a, unknown],
    new Map([
      [a, "ok"],
      [unknown, "not tried"],
    ]),
    ["- `c`: kept: reason"],
  );
  expect(text.split("\n").slice(2, 4)).toEqual(["| a | 1.0.0 | 2.0.0 | ok |", "| b | 1.0.0 | not known: `error: a ' 'b'` | not tried |"]);
  expect(text).toMatch(/\n\n- `c`: kept: reason\n$/);
  expect(report([], new Map(), [])).not.toContain("|");
});
