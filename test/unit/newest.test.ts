/** `npm run newest`: which release breaks a command. */
import { expect, it } from "vitest";
import { firstLine, judge, type Release } from "../support/newest";
import { CommandError } from "../support/run";

const release = (name: string, group = name): Release => ({ name, pinned: "1.0.0", newest: "2.0.0", group });
const all = [release("a"), release("b", "two"), release("c", "two")];

/** Judges all three. `fails` says why a command fails with the releases of these names, if it does. */
async function judged(fails: (command: string, names: string) => string | false) {
  const runs: string[] = [];
  const results = await judge(all, ["check", "test"], async (releases, commands) => {
    const names = releases.map(({ name }) => name).join("");
    runs.push(`${names}: ${commands.join(" ")}`);
    return new Map(commands.map((command) => [command, fails(command, names) || ""] as const).filter(([, line]) => line));
  });
  return { runs, results: all.map((each) => results.get(each)) };
}

it("all releases together pass in one run", async () => {
  expect(await judged(() => false)).toEqual({ runs: ["abc: check test"], results: ["ok", "ok", "ok"] });
});

it("a failure names the release that causes it, with those that are tried with it, and repeats only what failed", async () => {
  expect(await judged((command, names) => command === "test" && names.includes("b") && "no b")).toEqual({
    runs: ["abc: check test", ": test", "a: test", "bc: test"],
    results: ["ok", "failed: `test`: `no b`", "failed: `test`: `no b`"],
  });
});

it("no release is blamed for what fails without it, or only with others", async () => {
  const before = "not known, since the pinned releases fail: `check`: `red`";
  expect((await judged((command) => command === "check" && "red")).results).toEqual([before, before, before]);
  const together = (command: string, names: string) => command === "check" && names === "abc" && "both";
  const others = "failed, but not alone: `check`: `both`";
  expect((await judged(together)).results).toEqual([others, others, others]);
  const mixed = await judged((command, names) => together(command, names) || (command === "test" && names.includes("a") && "a"));
  expect(mixed.results).toEqual(["failed: `test`: `a`", others, others]);
});

it("the reason is the first line with an error, and does not end a cell or a code span", () => {
  expect(firstLine(new CommandError("npm", 1, "failed", "\u001b[1mchecking\u001b[0m\nsrc/a.ts: error: a | `b`\nmore"))).toBe(
    "src/a.ts: error: a ' 'b'",
  );
  expect(firstLine(new CommandError("npm", 1, "failed with exit code 1", ""))).toBe("npm failed with exit code 1");
});
