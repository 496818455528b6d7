/** The GitHub workflows: valid by GitHub's own parser, and safe with secrets. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { register } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scripts } from "../../package.json";
import { operations } from "../../src/report/parse-preview";
import {
  expectTruncated,
  files,
  folderWith,
  type Job,
  longReports,
  root,
  runStep,
  type Step,
  scriptsRun,
  textOf,
  workflow,
} from "./workflows/workflow";

/** The jobs that may write. All others only read the repository, or have no permissions. */
const writers: Record<string, Record<string, string>> = {
  "comment.yml comment": { actions: "read", contents: "write", "pull-requests": "write" },
  "drift.yml issue": { issues: "write" },
  "newest.yml issue": { issues: "write" },
};

// The parser imports JSON without an import attribute, which bundlers accept and Node.js does not.
const jsonAttribute = `export const load = (url, context, next) =>
  next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context);`;
register(`data:text/javascript,${encodeURIComponent(jsonAttribute)}`);

describe.each(files)("%s", (file) => {
  const text = textOf(file);
  const { on, permissions, jobs } = workflow(file);
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const shell = steps.flatMap(({ run }) => run ?? []).join("\n");

  it("is a valid workflow", async () => {
    const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import("@actions/workflow-parser");
    const { context, value } = parseWorkflow({ name: file, content: text }, new NoOperationTraceWriter());
    if (value) await convertWorkflowTemplate(context, value);
    expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
  });

  it("pins each action by its hash and names the version", () => {
    const uses = text.split("\n").filter((line) => /^[\s-]*uses:/.test(line));
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("has no permissions by default; a job with write permission runs no code of the repository and has no secrets", () => {
    expect(permissions).toEqual({});
    for (const [name, job] of Object.entries(jobs)) {
      const rights = writers[`${file} ${name}`];
      expect([undefined, { contents: "read" }, ...(rights ? [rights] : [])]).toContainEqual(job.permissions);
      if (!rights) continue;
      expect(job.permissions).toEqual(rights);
      expect(JSON.stringify(job)).not.toMatch(/actions\/checkout|actions\/cache|secrets\.|npm|node /);
    }
  });

  it("keeps no token after the checkout, and builds no shell code from expressions", () => {
    for (const { uses, with: inputs } of steps) {
      if (uses?.startsWith("actions/checkout@")) expect(inputs).toMatchObject({ "persist-credentials": false });
    }
    expect(shell).not.toContain("${{");
  });

  it("gives no secrets to forks", () => {
    expect(Object.keys(on)).not.toContain("pull_request_target");
    // After a run of a fork, a workflow has secrets and write permission. It may have them if it runs nothing of the fork.
    expect("workflow_run" in on).toBe(file === "comment.yml");
    if ("workflow_run" in on) expect(text).not.toMatch(/secrets\.|actions\/checkout|pull_request\.head/);
    if (!("pull_request" in on)) return;
    for (const job of Object.values(jobs).filter((job) => JSON.stringify(job).includes("secrets."))) {
      expect(job.if).toContain("github.event.pull_request.head.repo.full_name == github.repository");
    }
  });

  it("names existing scripts and stacks", () => {
    const named = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
    for (const { workflows = [] } of Object.values(on).filter(Boolean) as { workflows?: string[] }[]) {
      expect(files).toEqual(expect.arrayContaining(workflows.map((name) => `${name}.yml`)));
    }
    const stacks = Object.values(jobs).flatMap(({ strategy, env }) => strategy?.matrix.stack ?? env?.STACK ?? []);
    if (shell.includes("pulumi")) expect(stacks).not.toEqual([]);
    const setUp = readFileSync(join(root, ".github/workflows/README.md"), "utf8");
    // The set-up creates the file of each stack.
    expect(stacks.filter((stack) => !setUp.includes(`\`Pulumi.${stack}.yaml\``))).toEqual([]);
  });
});

describe("drift detection", () => {
  const [look] = Object.values(workflow("drift.yml").jobs);
  const step = look?.steps.find(({ run }) => run?.includes("preview-report"));

  /** Runs the step; `npm run preview-report` is replaced by a script that writes this report and exits with this status. */
  function compare(report: string, status: number) {
    const place = folderWith("npm", `echo "$*" > arguments\nprintf '%s' "$WRITTEN" > "$REPORT"\nexit ${status}\n`);
    const env = { WRITTEN: report, STACK: "dev", REPORT: "dev.report", GITHUB_STEP_SUMMARY: "summary" };
    const { status: ended } = runStep(step as Step, place, env);
    const read = (file: string) => readFileSync(join(place, file), "utf8");
    return { ended, args: read("arguments"), report: read("dev.report"), summary: read("summary") };
  }

  it.each([
    ["nothing without drift, whatever the report contains", "No drift.\n\n- Pulumi also counts 2 updates\n", 0, { ended: 0, report: "" }],
    ["the report if drift is found", "## Drift\n", 2, { ended: 0, report: "## Drift\n" }],
    ["the reasons if the comparison failed, and fails", "## Drift: no\n", 1, { ended: 1, report: "## Drift: no\n" }],
  ])("keeps for the issue %s", (_what, said, status, kept) => {
    const { args, ...written } = compare(said, status);
    expect(written).toEqual({ ...kept, summary: said });
    expect(args).toContain(`run --silent preview-report -- --stack dev --drift --fail-on ${operations.join(",")} `);
  });
});

it.each([
  ["preview.yml", "preview", "previewed", [0, 0, 1, 1]],
  ["check.yml", "test", "check", [0, 1, 1, 1]],
])("the status of %s for branch protection fails with a job that failed or was cancelled", (file, needs, name, expected) => {
  const job = workflow(file).jobs[name];
  expect(job).toMatchObject({ needs, if: "always()" });
  const statusOf = (result: string) => runStep(job?.steps[0] as Step, ".", { RESULT: result }).status;
  expect(["success", "skipped", "failure", "cancelled"].map(statusOf)).toEqual(expected);
});

it("the drawing of changed dashboards has no secret, no token and no environment, and runs for every pull request", () => {
  const draw = workflow("preview.yml").jobs.draw as Job;
  expect(Object.keys(draw).sort()).toEqual(["permissions", "runs-on", "steps", "timeout-minutes"]);
  expect(JSON.stringify(draw)).not.toMatch(/secrets|github\.token|GITHUB_TOKEN/);
});

describe.each([
  ["drift.yml", ["dev.report", "prod.report"], /title=Drift: /],
  ["newest.yml", ["newest.report"], /title=Newest releases: /],
])("the issue of %s", (file, names, title) => {
  /** Runs the last step, for the open issues of the list. Returns the changes that it requested from GitHub, and the text. */
  function write(there: string, reports: string[]) {
    // Replaces GitHub's command: prints the existing objects, and records the requested changes.
    const place = folderWith("gh", `if [[ "$*" == *--paginate* ]]; then printf "$THERE"; else echo "$*" >> asked; fi\n`);
    writeFileSync(join(place, "asked"), "");
    mkdirSync(join(place, "reports"));
    for (const [index, name] of names.entries()) writeFileSync(join(place, "reports", name), reports[index] ?? "");
    const { status } = runStep(workflow(file).jobs.issue?.steps.at(-1) as Step, place, { THERE: there, RUN: "https://run", LC_ALL: "C" });
    expect(status).toBe(0);
    const [asked, text] = ["asked", "issue.md"].map((file) => readFileSync(join(place, file), "utf8")) as [string, string];
    return { asked: asked.replaceAll("api --silent --method ", "").split("\n").slice(0, -1), text };
  }

  if (file === "drift.yml") it("truncates long reports, with a link", () => expectTruncated(write("", Object.values(longReports)).text));

  it("is opened with a report, updated, and closed without one", () => {
    expect(write("", []).asked).toEqual([]);
    const opened = write("", ["## Report\n"]);
    expect(opened.asked).toEqual([expect.stringMatching(/^POST repos\/a\/b\/issues .* --field body=@issue.md$/)]);
    expect(opened.asked[0]).toMatch(title);
    expect(opened.text).toContain("## Report\n");
    expect(write("5\\n", ["## Report\n"]).asked).toEqual(["PATCH repos/a/b/issues/5 --field body=@issue.md"]);
    expect(write("5\\n", []).asked).toEqual([
      expect.stringContaining("POST repos/a/b/issues/5/comments "),
      "PATCH repos/a/b/issues/5 --raw-field state=closed",
    ]);
  });
});

describe("the scripts", () => {
  /** Runs a step by its name, with one stand-in for all of these programs. */
  function runNamed(
    file: string,
    name: string,
    programs: string[],
    script: string,
    env: Record<string, string> = {},
    place = folderWith("stand-in", script),
  ) {
    const step = Object.values(workflow(file).jobs)
      .flatMap(({ steps }) => steps)
      .find((step) => step.name === name);
    for (const program of programs) writeFileSync(join(place, program), `#!/bin/bash\n${script}`, { mode: 0o755 });
    writeFileSync(join(place, "out"), "");
    const { status } = runStep(step as Step, place, {
      STACK: "dev",
      GITHUB_OUTPUT: "out",
      GITHUB_STEP_SUMMARY: "out",
      REPORT: "out",
      ...env,
    });
    return { status, text: readFileSync(join(place, "out"), "utf8") };
  }

  it("the doctor's failed checks fail a deployment, except with checks set to warn", () => {
    const ended = (doctor: number, checks: string) =>
      runNamed(
        "deploy.yml",
        "Check the platform",
        ["npm", "npx"],
        'if [ "${0##*/}" = npx ]; then echo "$CHECKS"; else exit "$DOCTOR"; fi\n',
        {
          DOCTOR: String(doctor),
          CHECKS: checks,
        },
      ).status;
    expect([ended(0, "on"), ended(1, "on"), ended(1, "warn"), ended(2, "warn")]).toEqual([0, 1, 0, 2]);
  });

  it.each(["drift.yml", "preview.yml"])("%s has a report if it fails early, and sets the read-only token only if there is one", (file) => {
    const server = { GITHUB_SERVER_URL: "https://github.example", GITHUB_RUN_ID: "3" };
    expect(runNamed(file, "Write a fallback report", [], "", server).text).toMatch(
      /^## .*dev.*\n\n\[This run\]\(https:\S+a\/b\/actions\/runs\/3\)/,
    );
    const set = (token: string) =>
      runNamed(file, "Use the read-only token of Grafana", ["npx"], 'echo "$*: $(cat)" > out\n', { GRAFANA_READER_TOKEN: token }).text;
    expect([set(""), set("t")]).toEqual(["", "pulumi config set --secret grafanaAuth --stack dev: t\n"]);
  });

  it("dashboards are drawn if the pull request changes one, and listed in the summary", () => {
    const changed = (files: string) =>
      runNamed("preview.yml", "List the changed dashboards", ["git"], 'printf "$FILES"\n', { FILES: files }).text;
    expect([changed(""), changed("dashboards/a.json")]).toEqual(["", "changed=true\n"]);
    const place = folderWith("unused", "");
    mkdirSync(join(place, "pictures"));
    writeFileSync(join(place, "pictures/a.png"), "");
    expect(runNamed("preview.yml", "List the pictures in the summary", [], "", { ARTIFACT: "https://zip" }, place).text).toContain(
      "- `a.png`\n",
    );
  });

  it("a Grafana that does not start fails the job, with its log", () => {
    const start = (failures: number) =>
      runNamed(
        "genuine.yml",
        "Start Grafana",
        ["docker", "curl", "sleep"],
        'echo "${0##*/} $1" >> out; [ "${0##*/}" != curl ] || [ "$(grep -c curl out)" -gt "$FAILURES" ]\n',
        {
          RELEASE: "latest",
          FAILURES: String(failures),
        },
      );
    expect(start(2)).toEqual({ status: 0, text: expect.not.stringContaining("docker logs") });
    expect(start(100)).toEqual({ status: 1, text: expect.stringMatching(/^docker run\n(.*\n)*docker logs\n$/) });
  });

  it("newest releases: a run without a report fails, and without a table nothing is reported", () => {
    const table = "| a | 1 | 2 | failed |\n";
    const tried = (report: string, status: number) => {
      const place = folderWith("npm", `printf '%s' "$WRITTEN"; exit ${status}\n`);
      const env = { WRITTEN: report, GITHUB_STEP_SUMMARY: "summary" };
      const ended = runStep(workflow("newest.yml").jobs.try?.steps.find(({ name }) => name?.startsWith("Try")) as Step, place, env).status;
      return [ended, readFileSync(join(place, "newest.report"), "utf8")];
    };
    expect([tried(table, 1), tried("nothing newer", 0), tried("", 1)]).toEqual([
      [0, table],
      [0, ""],
      [1, ""],
    ]);
  });

  // Those of comment.yml run in workflows/comment.test.ts.
  it("run in a test of this file if they have several lines", () => {
    const others = files
      .filter((file) => file !== "comment.yml")
      .flatMap((file) => Object.values(workflow(file).jobs).flatMap(({ steps }) => steps));
    const untested = others.filter(({ run = "" }) => run.trim().includes("\n") && !scriptsRun.has(run));
    expect(untested.map(({ name }) => name)).toEqual([]);
  });
});
