/** The command `preview-report`, as a pipeline runs it. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { maxCharacters } from "../../../src/report/render";
import { temporaryFolder } from "../../support/temporary-folder";
import { dashboardStep, modelWith, preview, recorded, recordings, step } from "./steps";

const root = resolve(__dirname, "../../..");

function run(args: string[], input = "") {
  // A backend without the user's stacks.
  const backend = { PULUMI_BACKEND_URL: `file://${temporaryFolder()}`, PULUMI_CONFIG_PASSPHRASE: "test", PULUMI_SKIP_UPDATE_CHECK: "true" };
  const options = { cwd: root, encoding: "utf8", input, env: { ...process.env, ...backend } } as const;
  const command = ["-r", "tsx/cjs", "src/cli/preview-report.ts", ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, options);
  return { status, stdout, stderr };
}

it("reads a file or standard input, writes to standard output, exits with 0", () => {
  const fromFile = run([join(recordings, "preview-changed.json")]);
  expect(fromFile).toMatchObject({ status: 0, stderr: "" });
  expect(fromFile.stdout).toMatch(/^## Changes in stack `dev`: 4 to update\n/);
  expect(run(["-"], recorded("preview-changed.json"))).toEqual(fromFile);
});

it("--fail-on: exits with 2 if an operation occurs, with 0 otherwise", () => {
  const deletes = preview(step({ op: "delete", before: { title: "x" } }));
  const stdout = expect.stringMatching(/^\*\*Blocked\*\* by `--fail-on replace,delete`: 1 resource\.\n/);
  expect(run(["-", "--fail-on", "replace,delete"], deletes)).toMatchObject({ status: 2, stdout });
  expect(run(["-", "--fail-on", "create"], deletes).status).toBe(0);
});

it("--out: writes a file, and the full report to another file if it exceeds the limit", () => {
  const out = join(temporaryFolder(), "report.md");
  expect(run([join(recordings, "preview-unchanged.json"), "--out", out])).toMatchObject({ status: 0, stdout: "" });
  expect(readFileSync(out, "utf8")).toBe("No changes in stack `dev`.\n");
  expect(() => readFileSync(`${out}.full.md`)).toThrow();
  const steps = [...Array(40).keys()].map((place) => dashboardStep(modelWith(20, "a"), modelWith(20, "b".repeat(70)), `d${place}`));
  expect(run(["-", "--out", out], preview(...steps)).status).toBe(0);
  const [markdown, full] = [readFileSync(out, "utf8"), readFileSync(`${out}.full.md`, "utf8")];
  expect(markdown.length).toBeLessThanOrEqual(maxCharacters);
  expect(full.length).toBeGreaterThan(maxCharacters);
  expect(markdown).toContain(`All of it is in \`${out}.full.md\`.`);
  expect(run(["-", "--limit", "30000"], preview(...steps)).stdout).toMatch(/^.{25000,30000}$/s);
});

it("exits with 1 for unreadable input and invalid arguments", () => {
  const cases: [string[], RegExp][] = [
    [["dev"], /^No file dev\. Did you mean --stack dev\? Help: /],
    [["-"], /^Cannot read the preview: the input is not JSON/],
    [[], /^Pass either one FILE or --stack NAME/],
    [["-", "--drift"], /^--refresh and --drift require --stack/],
    [["-", "--limit", "1e4"], /^--limit requires a number of at least 1000 characters\. Help: npm run preview-report -- --help/],
    [["-", "--fail-on", "explode"], /^--fail-on does not support the operation "explode"\. Help: npm run preview-report -- --help/],
  ];
  for (const [args, message] of cases) expect(run(args)).toMatchObject({ status: 1, stdout: "", stderr: expect.stringMatching(message) });
});

it("reports the errors of a failed preview and exits with 1", () => {
  const diagnostics = [{ severity: "error", message: "error: no such setting" }];
  expect(run(["-", "--fail-on", "delete"], JSON.stringify({ steps: [step({ op: "delete", before: {} })], diagnostics }))).toMatchObject({
    status: 1,
    stdout: expect.stringContaining("Error:\n```text\nno such setting\n```"),
  });
  const { status, stdout } = run(["--stack", "nosuch", "--stack", "other", "--drift"]);
  expect(status).toBe(1);
  expect(stdout).toMatch(/^## Drift in stack `nosuch`: the preview failed\n\nError:\n```text\n.*no stack named 'nosuch' found/s);
  expect(stdout).toContain("\n## Drift in stack `other`: the preview failed\n");
});
