/** The commands in messages, pasted into a shell: each has its words and no other effect, whatever the key in the config or the name in Grafana. */
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  describeExisting,
  managedByOtherStacks,
  missingContactPoint,
  missingDatasources,
  missingFolder,
  releaseProblem,
  syncedFolder,
} from "../../../src/platform/problems";
import { keyDocs, type Problem } from "../../../src/settings";
import { shellWord } from "../../../src/text/sanitize";
import { temporaryFolder } from "../../support/temporary-folder";
import { complete, isSetting, problemsOf } from "../config";
import { untrustedKey, untrustedText } from "./values";

/** The problems of a valid config with additional keys, such as `__proto__`. */
const problemsWith = (keys: readonly string[]) =>
  problemsOf(Object.fromEntries([...Object.entries(complete), ...keys.map((key) => [key, "x"] as const)]));

/**
 * Pastes commands into bash, where `npx` and `npm` record their arguments and no other program exists.
 *
 * @returns the arguments of each call, and the files afterwards
 */
function paste(commands: readonly string[]): { calls: string[][]; files: string[] } {
  const [bin, folder] = [temporaryFolder(), temporaryFolder()];
  const notes = join(bin, "notes");
  writeFileSync(notes, "");
  for (const program of ["npx", "npm"]) {
    writeFileSync(join(bin, program), `#!/bin/bash\nprintf '%s\\0' "$#" "$@" >> '${notes}'\n`);
    chmodSync(join(bin, program), 0o755);
  }
  // A file that * would match.
  writeFileSync(join(folder, "file"), "");
  // The file of the certificate.
  writeFileSync(join(folder, "ca.pem"), "");
  execFileSync("/bin/bash", [], { input: commands.join("\n"), cwd: folder, env: { PATH: bin, HOME: "/home/user" }, stdio: "pipe" });
  const words = readFileSync(notes, "utf8").split("\0").slice(0, -1);
  const calls: string[][] = [];
  while (words.length > 0) calls.push(words.splice(0, Number(words.shift())));
  return { calls, files: readdirSync(folder) };
}

/** The files before the commands. */
const filesBefore = ["ca.pem", "file"];

const removing = (key: string) =>
  key.startsWith("-") ? ["pulumi", "config", "rm", "--stack", "dev", "--", key] : ["pulumi", "config", "rm", key, "--stack", "dev"];

/** Keys that would have another effect without quotes. */
const harmful = [
  "$(touch x)",
  "`touch x`",
  "a; touch x && touch x | touch x > x",
  "a\r\ntouch x",
  "\\'; touch x #",
  "\x1b[2K'\\'!x",
  "a b",
  "*",
  "{a,b}",
  "~",
  "!!",
  "${HOME}",
  "",
  "-y",
  "--stack=prod",
  "\u200bserviceUrl",
  "sеrviceUrl",
  "__proto__",
];

describe("a command that removes a key", () => {
  it("removes exactly that key, for any key", () => {
    const keys = fc.uniqueArray(
      untrustedKey.filter((key) => !isSetting(key) && !harmful.includes(key)),
      { minLength: 60, maxLength: 60 },
    );
    fc.assert(
      fc.property(keys, (others) => {
        const problems = problemsWith([...harmful, ...others]);
        const { calls, files } = paste(problems.map(({ command }) => command));
        const removable = problems.filter(({ command }) => !command.startsWith("#"));
        // A lone surrogate is written as the replacement character.
        expect(calls).toEqual(removable.map(({ key }) => removing(Buffer.from(key, "utf8").toString("utf8"))));
        expect(calls).toEqual(expect.arrayContaining(harmful.map(removing)));
        expect(files).toEqual(filesBefore);
      }),
      { numRuns: 5 },
    );
  });

  it.each(["a\0b", "serviceUrl\0", "a".repeat(300)])("is a comment if no command can contain the key", (key) => {
    expect(problemsWith([key])).toMatchObject([{ key, command: "# no command can contain this key: delete it in Pulumi.dev.yaml" }]);
    expect(paste(problemsWith([key]).map(({ command }) => command)).calls).toEqual([]);
  });
});

describe("a command that sets a key", () => {
  /** A problem of each setting whose command sets it. */
  const problems = keyDocs().map(({ name }) => {
    const found = problemsOf({ ...complete, [name]: "\n" }, [name]).find(({ key, command }) => key === name && command.includes(" set "));
    expect(found, name).toBeDefined();
    return found as Problem;
  });

  it("sets its example, whatever that contains", () => {
    const { calls, files } = paste(problems.map(({ command }) => command));
    const setting = keyDocs().map(({ name, secret, example = "" }) => {
      const words = secret ? ["--secret", name] : [name, ...(example.startsWith("< ") ? [] : [example])];
      return ["pulumi", "config", "set", ...words, "--stack", "dev"];
    });
    expect(calls).toEqual(setting);
    expect(files).toEqual(filesBefore);
  });
});

describe("a message about Grafana", () => {
  const dashboard = { part: "llm-monitoring", uid: "svc", title: "LLM" } as const;
  const adopt = (stack: string, ...from: string[]) => ["run", "adopt", "--", "--stack", stack, ...from];
  const set = (key: string, value: string, stack: string) => ["pulumi", "config", "set", key, value, "--stack", stack];

  /** All messages with commands, with the words of these. @param name from Grafana */
  const messages = (name: string, stack: string): [message: string | undefined, ...commands: string[][]][] => [
    [managedByOtherStacks([{ dashboard, manager: name }], stack)[0], set("managedResources", "none", stack), adopt(stack, "--from", name)],
    [describeExisting([{ id: "loki", what: "datasource loki" }], stack), adopt(stack)],
    [missingContactPoint("x", [{ uid: "u", name }], stack), set("alertContactPoint", name, stack)],
    [missingContactPoint(name, [], stack), set("alertContactPoint", "NAME", stack)],
    [missingFolder("folderParentUid", "f", stack), set("folderParentUid", "UID", stack)],
    [syncedFolder("f", stack), set("folderUid", "UID", stack)],
    [releaseProblem("11.0", true, stack), set("recordingRules", "external", stack)],
  ];

  it("has commands with exactly their words, and no control characters, for any name", () => {
    const names = fc.array(fc.tuple(fc.oneof(fc.constantFrom("x/y;touch${IFS}x|sh", ...harmful), untrustedText), untrustedText), {
      minLength: 20,
      maxLength: 20,
    });
    fc.assert(
      fc.property(names, (names) => {
        const all = names.flatMap(([name, stack]) => messages(name, stack));
        const texts = all.map(([message = ""]) => message);
        expect(texts.join("").replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        const { calls, files } = paste(texts.flatMap((text) => text.match(/(npx pulumi|npm run) .*$/gm) ?? []));
        const pasted = (word: string) => (shellWord(word) === undefined ? "VALUE" : Buffer.from(word, "utf8").toString("utf8"));
        expect(calls).toEqual(all.flatMap(([, ...commands]) => commands.map((words) => words.map(pasted))));
        expect(files).toEqual(filesBefore);
      }),
      { numRuns: 5 },
    );
  });

  it("has a list with a line for each name, whatever the names", () => {
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
});
