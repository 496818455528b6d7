/** The GitHub workflows are safe with secrets, and the scripts of those that users run. That workflows are valid, actionlint says: `.ci/run`. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { scripts } from "../../package.json";
import { temporaryFolder } from "../support/temporary-folder";

type Texts = Record<string, string>;
type Step = { name?: string; uses?: string; run?: string; shell?: string; with?: Record<string, unknown> };

interface Job {
  if?: string;
  permissions?: Texts;
  strategy?: { matrix: { stack?: string[]; script?: string[] } };
  env?: Texts;
  /** None in a job that is another workflow. */
  steps?: Step[];
}

type Workflow = { on: Record<string, unknown>; permissions: unknown; jobs: Record<string, Job> };

const folder = resolve(__dirname, "../../.github/workflows");
const files = readdirSync(folder).filter((file) => file.endsWith(".yml"));
const textOf = (file: string) => readFileSync(join(folder, file), "utf8");
const workflow = (file: string): Workflow => parse(textOf(file));
const stepsOf = (file: string) => Object.values(workflow(file).jobs).flatMap(({ steps = [] }) => steps);

const stacksOf = (file: string) =>
  Object.values(workflow(file).jobs).flatMap(({ strategy, env }) => strategy?.matrix.stack ?? env?.STACK ?? []);

/** The jobs that may write. All others only read the repository, or have no permissions. */
const writers: Record<string, Texts> = {
  "drift.yml issue": { issues: "write" },
  "nightly.yml issue": { issues: "write" },
  "preview.yml comment": { "pull-requests": "write" },
};

describe.each(files)("%s", (file) => {
  const text = textOf(file);
  const { on, permissions, jobs } = workflow(file);
  const steps = stepsOf(file);
  const shell = steps.flatMap(({ run }) => run ?? []).join("\n");

  it("pins each action by its hash and names the version", () => {
    const uses = text.split("\n").filter((line) => /^[\s-]*uses: (?!\.\/)/.test(line));
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("has no permissions by default; a job with write permission runs no code of the repository and has no secrets", () => {
    expect(permissions).toEqual({});
    for (const [name, job] of Object.entries(jobs)) {
      const rights = writers[`${file} ${name}`];
      // With the secrets of a stack, a token of OpenID Connect can take the place of stored keys of a bucket.
      const oidc = JSON.stringify(job).includes("secrets") && { "id-token": "write" };
      if (!rights) expect([undefined, { contents: "read" }, { contents: "read", ...oidc }]).toContainEqual(job.permissions);
      else {
        expect(job.permissions).toEqual(rights);
        expect(JSON.stringify(job)).not.toMatch(/actions\/checkout|actions\/cache|secrets|npm|node |"\.\//);
      }
    }
  });

  it("a job with the secrets of a stack installs no development packages and runs only src", () => {
    for (const job of Object.values(jobs).filter((job) => JSON.stringify(job).includes("secrets"))) {
      const commands = JSON.stringify(job.steps?.map(({ run }) => run));
      expect([...commands.matchAll(/npm ci[^"\\]*/g)].map(([command]) => command)).toEqual(["npm ci --omit=dev --ignore-scripts"]);
      expect(commands).not.toMatch(/test\/|npm (test|install)/);
      const named = [...commands.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = ""]) => name);
      expect(named).not.toEqual([]);
      for (const name of named)
        expect(scripts).toHaveProperty([name], expect.stringMatching(`^node (-r @pulumi/pulumi )?-r tsx/cjs src/cli/${name}\\.ts$`));
    }
  });

  it("keeps no token after the checkout, and builds no shell code from expressions", () => {
    for (const { uses, with: inputs } of steps) {
      if (uses?.startsWith("actions/checkout@")) expect(inputs).toMatchObject({ "persist-credentials": false });
    }
    expect(shell).not.toContain("${{");
  });

  it("gives no secrets to forks", () => {
    // After these events, a workflow has secrets and write permission even for the code of a fork.
    for (const event of ["pull_request_target", "workflow_run"]) expect(on).not.toHaveProperty(event);
    if (!("pull_request" in on)) return;
    for (const [name, job] of Object.entries(jobs)) {
      if (!JSON.stringify(job).includes("secrets") && !writers[`${file} ${name}`]) continue;
      expect(job.if).toContain("github.event.pull_request.head.repo.full_name == github.repository");
    }
  });

  it("names existing scripts, and the same stacks as the others", () => {
    const named = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name);
    const listed = Object.values(jobs).flatMap(({ strategy }) => strategy?.matrix.script?.map((script) => script.split(" ")[0]) ?? []);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining([...named, ...listed]));
    // An environment is in all of these workflows.
    if (shell.includes("pulumi")) expect([stacksOf(file), stacksOf(file).length > 0]).toEqual([stacksOf("preview.yml"), true]);
  });
});

it.each([
  ["preview.yml", "preview", "previewed", ["success", "skipped"], ["failure", "cancelled"]],
  ["check.yml", ["test", "more"], "check", ["success success"], ["success failure", "skipped success", "success cancelled", "success"]],
])("the status of %s for branch protection fails with a job that failed or was cancelled", (file, needs, name, green, red) => {
  const job = workflow(file).jobs[name];
  expect(job).toMatchObject({ needs, if: "always()" });
  const statusOf = (result: string) => runStep(job?.steps?.[0], { env: { RESULT: result, RESULTS: result } }).status;
  expect([green.map(statusOf), red.map(statusOf)]).toEqual([green.map(() => 0), red.map(() => 1)]);
});

it("the drawing of changed dashboards has no secret, no token and no environment, and runs for every pull request", () => {
  const draw = workflow("preview.yml").jobs.draw as Job;
  expect(Object.keys(draw).sort()).toEqual(["outputs", "permissions", "runs-on", "steps", "timeout-minutes"]);
  expect(JSON.stringify(draw)).not.toMatch(/secrets|github\.token|GITHUB_TOKEN/);
});

/** The scripts that `runStep` has run. */
const scriptsRun = new Set<string>();

interface Run {
  /** The programs that the script of shell replaces. */
  programs?: string[];
  script?: string;
  env?: Texts;
  /** Files in the folder of the step. */
  files?: Texts;
}

/** Runs the script of a step as GitHub does. */
function runStep(step: Step | undefined, { programs = [], script = "", env = {}, files = {} }: Run) {
  const { run = "", shell } = step as Step;
  scriptsRun.add(run);
  const place = temporaryFolder();
  for (const program of programs) writeFileSync(join(place, program), `#!/bin/bash\n${script}`, { mode: 0o755 });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), content);
  }
  const usual = { GITHUB_REPOSITORY: "a/b", GITHUB_OUTPUT: "out", GITHUB_STEP_SUMMARY: "summary", RUN: "https://run" };
  const { status } = spawnSync("bash", [...(shell === "bash" ? ["-eo", "pipefail"] : ["-e"]), "-c", run], {
    cwd: place,
    encoding: "utf8",
    env: { ...process.env, ...usual, STACK: "dev", REPORT: "dev.report", ...env, PATH: `${place}:${process.env.PATH}` },
  });
  const read = (name: string) => (existsSync(join(place, name)) ? readFileSync(join(place, name), "utf8") : "");
  return { status, read };
}

function runNamed(file: string, wanted: string, run: Run) {
  const step = stepsOf(file).find(({ name }) => name === wanted);
  return runStep(step, run);
}

/** Replaces GitHub's command: prints the ids that exist, and records the changes that it requests. */
const gh = {
  programs: ["gh"],
  script: `set -e; if [[ "$*" == *--paginate* ]]; then printf "$THERE"; else [ "$1 $2 $3" = "api --silent --method" ]; shift 3; echo "$*" >> asked; fi\n`,
};

describe("the comment of a pull request", () => {
  const write = (files: Texts, PICTURES = "", THERE = "") => {
    const env = { PICTURES, THERE, PULL_REQUEST: "7" };
    const { status, read } = runNamed("preview.yml", "Create or update the comment", { ...gh, env, files });
    expect(status).toBe(0);
    return { asked: read("asked"), text: read("comment.md") };
  };
  const created = "POST repos/a/b/issues/7/comments --field body=@comment.md\n";
  const updated = "PATCH repos/a/b/issues/comments/41 --field body=@comment.md\n";
  const dev = { "reports/dev.report": "## of dev\n" };

  it("has the words of all stacks and the link to the pictures, and is the only one", () => {
    const both = write({ ...dev, "reports/prod.report": "## of prod\n", "reports/dev.report.full.md": "long" }, "https://zip");
    expect(both.asked).toBe(created);
    const text =
      /^<!-- preview-report -->\n## of dev\n\nThe full report is in the artifacts of \[this run\]\(https:\/\/run\)\.\n\n## of prod\n\n## Changed dashboards\n\n\[Pictures.*\]\(https:\/\/zip\)\..*\n$/;
    expect(both.text).toMatch(text);
    expect(write(dev, "", "41\\n42\\n")).toEqual({ asked: updated, text: "<!-- preview-report -->\n## of dev\n\n" });
    expect(write({}, "https://zip").asked).toBe(created);
  });

  it("is not written if there is neither a report nor a picture, unless it exists", () => {
    expect(write({}).asked).toBe("");
    const text = "<!-- preview-report -->\n[This run](https://run) has neither a report nor a picture.\n";
    expect(write({}, "", "41\\n")).toEqual({ asked: updated, text });
  });
});

const writeIssue = (report: string, THERE: string, RESULT = "success") => {
  const files = { "reports/dev.report": report, "reports/prod.report": "" };
  const { status, read } = runNamed("drift.yml", "Open the issue, update or close it", { ...gh, env: { THERE, RESULT }, files });
  expect(status).toBe(0);
  return { asked: read("asked"), text: read("issue.md") };
};

it("the issue of drift is opened once, updated, and closed, unless a job was cancelled, whose report is missing", () => {
  expect(writeIssue("", "").asked).toBe("");
  const { asked, text } = writeIssue("## Report\n", "");
  expect(asked).toBe("POST repos/a/b/issues --raw-field title=Drift: the platform differs from the code --field body=@issue.md\n");
  expect(text).toContain("## Report\n");
  expect(writeIssue("## Report\n", "5\\n").asked).toBe("PATCH repos/a/b/issues/5 --field body=@issue.md\n");
  const closed = /^POST repos\/a\/b\/issues\/5\/comments .*\nPATCH repos\/a\/b\/issues\/5 --raw-field state=closed\n$/;
  expect(writeIssue("", "5\\n").asked).toMatch(closed);
  expect(writeIssue("", "5\\n", "cancelled").asked).toBe("");
});

describe("the scripts", () => {
  it.each([
    ["nothing without drift, whatever the report contains", "No drift.\n\n- Pulumi also counts 2 updates\n", 0, { status: 0, kept: "" }],
    ["the report if drift is found", "## Drift\n", 2, { status: 0, kept: "## Drift\n" }],
    ["the reasons if the comparison failed, and fails", "## Drift: no\n", 1, { status: 1, kept: "## Drift: no\n" }],
  ])("drift keeps for the issue %s", (_what, said, exit, expected) => {
    const script = `echo "$*" > arguments\nprintf '%s' "$SAID" > "$REPORT"\nexit "$EXIT"\n`;
    const run = { programs: ["npm"], script, env: { SAID: said, EXIT: String(exit), ENVIRONMENTS: "2" } };
    const { status, read } = runNamed("drift.yml", "Compare", run);
    expect({ status, kept: read("dev.report") }).toEqual(expected);
    expect(read("summary")).toBe(said);
    const options = "--stack dev --drift --fail-on create,update,replace,delete,import --limit 30000 --out dev.report";
    expect(read("arguments")).toBe(`run --silent preview-report -- ${options}\n`);
  });

  it("a preview fails by the label, and has its share of a comment", () => {
    const previewed = (FAIL_ON: string) => {
      const run = { programs: ["npm"], script: 'echo "$*" > out\n', env: { FAIL_ON, ENVIRONMENTS: "3" } };
      return runNamed("preview.yml", "Preview", run).read("out");
    };
    const command = "run --silent preview-report -- --stack dev --backtest 7d --limit 20000 --out dev.report";
    expect([previewed("replace,delete"), previewed("")]).toEqual([`${command} --fail-on replace,delete\n`, `${command}\n`]);
  });

  it("the doctor's failed checks fail a deployment, except with checks set to warn", () => {
    const script = 'if [ "${0##*/}" = npx ]; then echo "$CHECKS"; else exit "$DOCTOR"; fi\n';
    const ended = (doctor: number, checks: string) => {
      const env = { DOCTOR: String(doctor), CHECKS: checks };
      return runNamed("deploy.yml", "Check the platform", { programs: ["npm", "npx"], script, env }).status;
    };
    expect([ended(0, "on"), ended(1, "on"), ended(1, "warn"), ended(2, "warn")]).toEqual([0, 1, 0, 2]);
  });

  it.each(["drift.yml", "preview.yml"])("%s has a report if it fails early, and sets the read-only token only if there is one", (file) => {
    const server = { GITHUB_SERVER_URL: "https://github.example", GITHUB_RUN_ID: "3" };
    const report = runNamed(file, "Write a fallback report", { env: server }).read("dev.report");
    expect(report).toMatch(/^## .*dev.*\n\n\[This run\]\(https:\S+a\/b\/actions\/runs\/3\)/);
    const set = (token: string) => {
      const run = { programs: ["npx"], script: 'echo "$*: $(cat)" > out\n', env: { GRAFANA_READER_TOKEN: token } };
      return runNamed(file, "Use the read-only token of Grafana", run).read("out");
    };
    expect([set(""), set("t")]).toEqual(["", "pulumi config set --secret grafanaAuth --stack dev: t\n"]);
  });

  it("dashboards are drawn if the pull request changes one, and listed in the summary", () => {
    const changed = (files: string) => {
      const run = { programs: ["git"], script: 'printf "$FILES"\n', env: { FILES: files } };
      return runNamed("preview.yml", "List the changed dashboards", run).read("out");
    };
    expect([changed(""), changed("dashboards/a.json")]).toEqual(["", "changed=true\n"]);
    const drawn = { env: { ARTIFACT: "https://zip" }, files: { "pictures/a.png": "" } };
    expect(runNamed("preview.yml", "List the pictures in the summary", drawn).read("summary")).toContain("- `a.png`\n");
  });

  it("run in a test of this file if they have several lines", () => {
    const ofUsers = ["deploy.yml", "drift.yml", "preview.yml"];
    const untested = ofUsers.flatMap(stepsOf).filter(({ run = "" }) => run.trim().includes("\n") && !scriptsRun.has(run));
    expect(untested.map(({ name }) => name)).toEqual([]);
  });
});
