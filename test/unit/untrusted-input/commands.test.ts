/** The commands in the list of problems, pasted into a shell: each does what it says, whatever the keys of the config are called. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeKeys, type Problem, parseSettings } from "../../../src/settings";
import { complete, hostileKey, isSetting, stackConfig } from "./values";

/** Problems of a complete config with other keys in it. */
function problemsOf(keys: readonly string[]): Problem[] {
  const values = Object.fromEntries([...Object.entries(complete), ...keys.map((key) => [key, "x"] as const)]);
  const result = parseSettings(stackConfig({ values, misplaced: [] }), "dev");
  return "problems" in result ? result.problems : [];
}

/**
 * Runs commands one after the other, as if pasted into bash, where `npx` only notes its arguments and no other program can be found.
 *
 * @returns the arguments of each call of `npx`, and the files that are there afterwards
 */
function paste(commands: readonly string[]): { calls: string[][]; files: string[] } {
  const bin = mkdtempSync(join(tmpdir(), "llm-observability-npx-"));
  const folder = mkdtempSync(join(tmpdir(), "llm-observability-paste-"));
  onTestFinished(() => {
    for (const place of [bin, folder]) rmSync(place, { recursive: true });
  });
  const notes = join(bin, "notes");
  writeFileSync(notes, "");
  writeFileSync(join(bin, "npx"), `#!/bin/bash\nprintf '%s\\0' "$#" "$@" >> '${notes}'\n`);
  chmodSync(join(bin, "npx"), 0o755);
  // A file that a star could stand for.
  writeFileSync(join(folder, "file"), "");
  // What a certificate is read from.
  writeFileSync(join(folder, "ca.pem"), "");
  execFileSync("/bin/bash", [], { input: commands.join("\n"), cwd: folder, env: { PATH: bin, HOME: "/home/of/somebody" }, stdio: "pipe" });
  const words = readFileSync(notes, "utf8").split("\0").slice(0, -1);
  const calls: string[][] = [];
  while (words.length > 0) calls.push(words.splice(0, Number(words.shift())));
  return { calls, files: readdirSync(folder) };
}

/** What is in the folder before anything is pasted. */
const there = ["ca.pem", "file"];

const removing = (key: string) =>
  key.startsWith("-") ? ["pulumi", "config", "rm", "--stack", "dev", "--", key] : ["pulumi", "config", "rm", key, "--stack", "dev"];

/** Keys by which something else would happen, were they not quoted. */
const harmful = [
  "$(touch x)",
  "`touch x`",
  "a; touch x",
  "a && touch x",
  "a | touch x",
  "a > x",
  "a\ntouch x",
  "a\r\ntouch x",
  "'; touch x; '",
  "\\'; touch x #",
  "\n'; touch x; '",
  "\x1b[2K'\\'!x",
  "a b",
  "*",
  "{a,b}",
  "~",
  "=ls",
  "#a",
  "!!",
  "$HOME",
  "${HOME}",
  "",
  "-y",
  "--stack=prod",
  "\u200bserviceUrl",
  "sеrviceUrl",
  "grüße 🙂",
  "__proto__",
];

describe("a command that removes a key", () => {
  it("removes just that, once it is pasted", () => {
    const problems = problemsOf(harmful);
    expect(problems.map(({ key }) => key)).toEqual(harmful);
    const { calls, files } = paste(problems.map(({ command }) => command));
    expect(calls).toEqual(harmful.map(removing));
    expect(files).toEqual(there);
  });

  it("and so do those of any keys", () => {
    const keys = fc.uniqueArray(
      hostileKey.filter((key) => !isSetting(key)),
      { minLength: 60, maxLength: 60 },
    );
    fc.assert(
      fc.property(keys, (keys) => {
        const problems = problemsOf(keys);
        const { calls, files } = paste(problems.map(({ command }) => command));
        const removable = problems.filter(({ command }) => !command.startsWith("#"));
        // A half of a character is written as the sign for what is none.
        expect(calls).toEqual(removable.map(({ key }) => removing(Buffer.from(key, "utf8").toString("utf8"))));
        expect(files).toEqual(there);
      }),
      { numRuns: 5 },
    );
  });

  it.each(["a\0b", "serviceUrl\0", "a".repeat(300)])("is none where no command can name the key", (key) => {
    expect(problemsOf([key])).toMatchObject([{ key, command: "# no command can name this key: delete it in Pulumi.dev.yaml" }]);
    expect(paste(problemsOf([key]).map(({ command }) => command)).calls).toEqual([]);
  });

  it("stands beside a reason that tells look-alikes apart", () => {
    const reasons = problemsOf(["sеrviceUrl", "serviceUrl\u200b"]).map(({ reason }) => reason);
    expect(reasons).toEqual([
      "is not a setting: none has the sign U+0435. Did you mean serviceUrl?",
      "is not a setting: none has the sign U+200B. Did you mean serviceUrl?",
    ]);
  });
});

describe("a command that sets a key", () => {
  /** Each value of no use, in the way in which its command is to set another one. */
  const problems = describeKeys().map(({ name, secret, example, choices, parts }) => {
    const useless = choices || parts ? `${example}x` : secret ? "" : "\n";
    const result = parseSettings(stackConfig({ values: { ...complete, [name]: useless }, misplaced: [name] }), "dev");
    const found = "problems" in result ? result.problems.filter(({ key, command }) => key === name && command.includes(" set ")) : [];
    expect(found, name).not.toEqual([]);
    return found[0] as Problem;
  });

  it("gives it its example, whatever that holds, once it is pasted", () => {
    const { calls, files } = paste(problems.map(({ command }) => command));
    const setting = describeKeys().map(({ name, secret, example = "" }) => {
      const words = secret ? ["--secret", name] : [name, ...(example.startsWith("< ") ? [] : [example])];
      return ["pulumi", "config", "set", ...words, "--stack", "dev"];
    });
    expect(calls).toEqual(setting);
    expect(files).toEqual(there);
  });
});
