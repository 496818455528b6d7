/** The commands in messages, pasted into a shell: each has its words and no other effect, whatever the key in the config or the name in Grafana. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { checkDatasources, managedByOtherStacks } from "../../../src/platform/existing";
import { checkContactPoint } from "../../../src/platform/requirements";
import { keyDocs } from "../../../src/settings";
import { shellWord } from "../../../src/text/sanitize";
import { temporaryFolder } from "../../support/temporary-folder";
import { complete, problemsOf } from "../config";
import { untrustedText } from "./values";

/** Pastes commands into bash, where `npx` and `npm` record their arguments and no other program exists. They have no other effect. */
function paste(commands: readonly string[]): string[][] {
  const [bin, folder] = [temporaryFolder(), temporaryFolder()];
  const notes = join(bin, "notes");
  for (const program of ["npx", "npm"])
    writeFileSync(join(bin, program), `#!/bin/bash\nprintf '%s\\0' "$#" "$@" >> '${notes}'\n`, { mode: 0o755 });
  // A file that * would match, and that of a certificate.
  for (const file of ["ca.pem", "file"]) writeFileSync(join(folder, file), "");
  execFileSync("/bin/bash", [], { input: commands.join("\n"), cwd: folder, env: { PATH: bin, HOME: "/home/user" }, stdio: "pipe" });
  expect(readdirSync(folder)).toEqual(["ca.pem", "file"]);
  const words = readFileSync(notes, "utf8").split("\0").slice(0, -1);
  const calls: string[][] = [];
  while (words.length > 0) calls.push(words.splice(0, Number(words.shift())));
  return calls;
}

/** Texts that would have another effect without quotes. */
const harmful = [
  ...["$(touch x)", "`touch x`", "a; touch x && touch x | touch x > x", "\\'; touch x #", "[2K'\\'!x", "x/y;touch${IFS}x|sh"],
  ...["a b", "*", "{a,b}", "~", "!!", "${HOME}", "", "-y", "--stack=prod", "sеrviceUrl", "__proto__"],
];

/** Texts that nobody could check in a command. */
const unseen = ["a\r\ntouch x", "\x1b[2K'\\'!x", "\u200bserviceUrl", "a\0b", "serviceUrl\0"];

it("a command that removes a key removes exactly that key", () => {
  // Unlike a spread of literals, this makes an own property of `__proto__`, as JSON does.
  const problems = problemsOf(Object.fromEntries([...Object.entries(complete), ...harmful.map((key) => [key, "x"] as const)]));
  const commands = harmful.map((key) => ["pulumi", "config", "rm", "--stack", "dev", "--", key]);
  expect(paste(problems.map(({ command }) => command))).toEqual(commands);
});

it.each([...unseen, "a".repeat(300)])("is a comment if no command can contain the key", (key) => {
  const command = "# no command can contain this key: delete it in Pulumi.dev.yaml";
  expect(problemsOf({ ...complete, [key]: "x" })).toMatchObject([{ key, command }]);
});

it("a key of 250 characters is in its command", () => {
  const key = "a".repeat(250);
  expect(problemsOf({ ...complete, [key]: "x" })).toMatchObject([{ key, command: `npx pulumi config rm --stack dev -- ${key}` }]);
});

const ofObjects: Record<string, string[]> = {
  prices: ["--path", 'prices["my-model"].input', "0.5"],
  alertBudgets: ["--path", 'alertBudgets["checkout"]', "50"],
};

it("a command that sets a key sets its example, whatever that contains", () => {
  const commands = keyDocs().flatMap(
    ({ name }) =>
      problemsOf({ ...complete, [name]: "\n" }).find(({ key, command }) => key === name && / set /.test(command))?.command ?? [],
  );
  const calls = keyDocs().map(({ name, secret, example = "" }) => {
    const words = secret ? ["--secret", name] : (ofObjects[name] ?? [name, ...(example.startsWith("< ") ? [] : [example])]);
    return ["pulumi", "config", "set", ...words, "--stack", "dev"];
  });
  expect(paste(commands)).toEqual(calls);
});

it("any text without invisible characters is one word, which a shell reads as the text; any other is none", () => {
  const text = fc.oneof(untrustedText, fc.constantFrom(...harmful, ...unseen), fc.string({ unit: "grapheme" }));
  fc.assert(
    fc.property(text, (text) => {
      const [, plain, quoted] = /^(?:([\w@%+:,./-]+)|'((?:[^']|'\\'')*)')$/u.exec(shellWord(text) ?? "") ?? [];
      expect(plain ?? quoted?.replaceAll("'\\''", "'")).toBe(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text) ? undefined : text);
    }),
    { numRuns: 500 },
  );
});

const set = (key: string, value: string) => ["pulumi", "config", "set", key, value, "--stack", "dev"];

/** A Grafana with these contact points, or with these datasources. */
const grafanaWith = (body: object[]) => ({
  stack: "dev",
  release: Promise.resolve("12.4.3"),
  identity: Promise.resolve({ owner: "project/dev@1", isNew: false }),
  read: async <T>(path: string) => (path.includes("?name") ? [] : body) as T,
});

it("a message with a name from Grafana has commands with exactly their words, a line for each name, and no control characters", async () => {
  const messages: string[] = [];
  const names = [...harmful, ...unseen];
  for (const name of names) {
    messages.push(String(managedByOtherStacks([{ what: "dashboard svc", manager: name, isOfService: true }], "dev")[0]));
    messages.push(String((await checkContactPoint(grafanaWith([]), name)).problems?.[0]));
  }
  expect(paste(messages.flatMap((text) => text.match(/(npx pulumi|npm run) .*$/gm) ?? []))).toEqual(
    names.flatMap((name) => [
      set("managedResources", "none"),
      ["run", "adopt", "--", "--stack", "dev", "--from", unseen.includes(name) ? "VALUE" : name],
      set("alertContactPoint", "NAME"),
    ]),
  );
  const other = { uid: "other", url: "http://other" };
  const existing = grafanaWith(names.map((name) => ({ uid: name, type: name, name })));
  const planned = { prometheus: other, loki: { uid: "wanted" }, tempo: other };
  const [list = ""] = (await checkDatasources(existing, planned, "all")).problems ?? [];
  expect(list.split("\n")).toHaveLength(7 + names.length);
  const ofOne = names.map((uid) => checkDatasources(grafanaWith([{ uid, type: "loki", name: "L" }]), planned, "all"));
  const proposed = (await Promise.all(ofOne)).flatMap(({ problems }) => problems[0]?.match(/npx pulumi config set lokiUid .*$/gm) ?? []);
  expect(paste(proposed)).toEqual(names.map((uid) => set("lokiUid", unseen.includes(uid) ? "VALUE" : uid)));
  expect([...messages, list].join("").replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
});
