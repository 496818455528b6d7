/** The comment of a pull request: the words of the previews and the pictures of changed dashboards, from artifacts that can be untrusted. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder";
import { expectTruncated, folderWith, longReports, runStep, stepEnv, workflow } from "./workflow";

const { comment } = workflow("comment.yml").jobs;
const png = (bytes = 100) => Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(bytes)]);
const dev = "## of dev\n";
/** The repository of GitHub, next to a stand-in for its command. */
let server: string;

beforeEach(() => {
  // Pull request 3 is closed. Everything else that is not listed fails, as an unknown path does.
  const gh = `case "$*" in
"api --method GET repos/a/b/pulls --raw-field state=open --raw-field head="?*:?*" --jq "*) echo "$PULLS" ;;
"api --paginate repos/a/b/issues/"*"/comments?per_page=100 --jq "*) echo "$THERE" ;;
"api repos/a/b/pulls/3 --jq .state") echo closed ;;
"api repos/a/b/pulls/"?" --jq .state") echo open ;;
"api --silent --method "*" repos/a/b/issues/"*" --field body=@comment.md") echo "$4 $5" >> asked ;;
*) echo "unknown: $*" >&2; exit 1 ;;
esac\n`;
  server = folderWith("gh", gh);
  execFileSync("git", ["init", "--quiet", "--bare", join(server, "a/b")], { env: stepEnv });
});

const usual = {
  /** Open pull requests of the branch: number, commit, repository. */
  pulls: ["7 c0ffee a/b"],
  repository: "a/b",
  /** Files of the artifacts. */
  reports: {},
  pictures: {} as Record<string, string | Buffer>,
  /** Ids of the comments with the marker. */
  there: [] as number[],
};

/** Runs the scripts of the job in a new folder with the downloaded artifacts, with genuine Git. */
function write(given: Partial<typeof usual>) {
  const { pulls, repository, reports, pictures, there } = { ...usual, ...given };
  const place = temporaryFolder();
  for (const [folder, contents] of Object.entries({ reports, pictures })) {
    mkdirSync(join(place, folder));
    for (const [name, content] of Object.entries(contents)) writeFileSync(join(place, folder, name), content);
  }
  symlinkSync(join(place, "outside"), join(place, "pictures/link.png"));
  writeFileSync(join(place, "outside"), png());

  const known: Record<string, string> = {
    "github.token": "token",
    "github.event.workflow_run.head_repository.full_name": repository,
    "github.event.workflow_run.head_repository.owner.login": repository.split("/")[0] ?? "",
    "github.event.workflow_run.head_branch": "$(touch injected)`touch injected`",
    "github.event.workflow_run.head_sha": "c0ffee",
    "github.event.workflow_run.html_url": "https://run",
    "steps.keep.outputs.commit": "",
  };
  const evaluate = (text: string) =>
    text.replace(/\$\{\{ (\S+) \}\}/g, (_, expression: string) => {
      if (!Object.hasOwn(known, expression)) throw new Error(`unknown expression ${expression}`);
      return known[expression] ?? "";
    });
  const read = (name: string) => (existsSync(join(place, name)) ? readFileSync(join(place, name), "utf8") : "");
  let log = "";
  const statuses: (number | null)[] = [];
  for (const step of comment?.steps ?? []) {
    if (!step.run || (step.if && !known["steps.find.outputs.number"])) continue;
    const env = Object.entries({ ...comment?.env, ...step.env }).map(([name, text]) => [name, evaluate(text)]);
    const stubbed = {
      PULLS: pulls.join("\n"),
      THERE: there.join("\n"),
      GITHUB_OUTPUT: join(place, `output-${step.id}`),
      GITHUB_SERVER_URL: server,
    };
    const { status, stdout, stderr } = runStep(step, place, { ...Object.fromEntries(env), ...stubbed }, server);
    log += stdout + stderr;
    statuses.push(status);
    for (const [, key, value = ""] of read(`output-${step.id}`).matchAll(/^(\w+)=(.*)$/gm))
      known[`steps.${step.id}.outputs.${key}`] = value;
  }
  expect(existsSync(join(place, "injected")) || existsSync(join(place, "store/injected"))).toBe(false);
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: join(server, "a/b"), encoding: "utf8", env: stepEnv })
      .trim()
      .split("\n");
  const branches = git("for-each-ref", "--format=%(refname)").filter(Boolean);
  return {
    statuses,
    asked: read("asked").split("\n").filter(Boolean),
    text: read("comment.md"),
    log,
    commit: known["steps.keep.outputs.commit"],
    commits: branches.map((ref) => Number(git("rev-list", "--count", ref))),
    branches: Object.fromEntries(branches.map((ref) => [ref, git("ls-tree", "-r", "--name-only", ref)])),
  };
}

const branch = "refs/heads/pull-request-pictures/7";
const created = "POST repos/a/b/issues/7/comments";
const done = [0, 0, 0, 0];

it("has the words of all stacks, then the pictures, at an address that never changes", () => {
  const pictures = { "usage.png": png(), "llm-cost.png": png(), "pictures.md": "not used" };
  const reports = { "dev.report": dev, "prod.report": "## of prod\n", "dev.report.full.md": "not used" };
  const { statuses, asked, text, branches, commit, log } = write({ reports, pictures });
  expect({ statuses, asked }).toEqual({ statuses: done, asked: [created] });
  expect(text).toMatch(/^<!-- preview-report -->\n## of dev\n\n## of prod\n\n## Changed dashboards\n/);
  expect(branches).toEqual({ [branch]: ["llm-cost.png", "usage.png"] });
  expect(commit).toMatch(/^[0-9a-f]{40}$/);
  expect(log).not.toContain("pictures.md");
  expect(text).toContain(`### \`llm-cost\`\n\n![llm-cost, before and after](../blob/${commit}/llm-cost.png?raw=true)\n\n### \`usage\`\n`);
  expect(text.trim().split("\n").at(-1)).toContain("in the artifact `pictures` of [this run](https://run).");
});

it("of a fork has only its pictures, whatever its artifacts contain", () => {
  const many = Object.fromEntries([..."abcdefgh"].map((name) => [`${name}.png`, png()]));
  const bad = {
    "0)](evil).png": png(),
    "0.png\n::error::x.png": png(),
    "0$(touch injected).png": png(),
    "1.png": "<svg onload='x'/>",
    "2.png": png(5_000_000),
    ".gitattributes": "*.png filter=x",
    "dev.report": "hostile",
    "pictures.md": "hostile",
  };
  const { statuses, asked, text, log, branches, commit } = write({
    repository: "x/b",
    pulls: ["6 c0ffee x/other", "5 bad x/b", "7 c0ffee x/b"],
    reports: { "dev.report": "hostile" },
    pictures: { ...bad, ...many },
  });
  expect({ statuses, asked, branches }).toEqual({
    statuses: done,
    asked: [created],
    branches: { [branch]: ["a.png", "b.png", "c.png", "d.png", "e.png", "f.png"] },
  });
  expect(text).not.toMatch(/hostile|evil/);
  expect([...text.matchAll(/!\[.*\]\(.*\)/g)].map(([image]) => image)).toEqual(
    [..."abcdef"].map((name) => `![${name}, before and after](../blob/${commit}/${name}.png?raw=true)`),
  );
  expect(log).not.toMatch(/^::/m);
  for (const name of ["1.png", "2.png", "g.png", "h.png", "link.png"]) expect(log).toContain(`ignored: ${name}\n`);
});

it("is not written if there is neither a report nor a picture, unless it exists", () => {
  const none = write({});
  expect([none.statuses, none.asked, none.branches]).toEqual([done, [], {}]);
  const { asked, text } = write({ there: [41] });
  expect(asked).toEqual(["PATCH repos/a/b/issues/comments/41"]);
  expect(text).toBe("<!-- preview-report -->\n[This run](https://run) has neither a report nor a picture.\n");
});

it("is not written for an older commit, a closed pull request or another repository", () => {
  for (const pulls of [[], ["7 01de57 a/b"], ["7 c0ffee x/b"], ["7 c0ffee null"]]) {
    const { statuses, asked, branches } = write({ pulls, reports: { "dev.report": dev }, pictures: { "a.png": png() } });
    expect({ statuses, asked, branches }).toEqual({ statuses: [0], asked: [], branches: {} });
  }
});

it("is updated: new pictures replace the old ones, and without changes they are removed", () => {
  const first = write({ pictures: { "a.png": png(), "b.png": png() } });
  const second = write({ reports: { "dev.report": dev }, pictures: { "a.png": png(5) }, there: [41, 42] });
  expect(second).toMatchObject({ asked: ["PATCH repos/a/b/issues/comments/41"], branches: { [branch]: ["a.png"] }, commits: [1] });
  expect(second.commit).not.toBe(first.commit);
  const third = write({ reports: { "dev.report": dev }, there: [41] });
  expect(third).toMatchObject({ statuses: done, asked: ["PATCH repos/a/b/issues/comments/41"] });
  expect(third.branches).toEqual({});
  expect(third.text).toBe("<!-- preview-report -->\n## of dev\n\n");
});

it("deletes the pictures of closed pull requests, and keeps those of open ones", () => {
  for (const number of ["3", "4"]) write({ pulls: [`${number} c0ffee a/b`], pictures: { "a.png": png() } });
  const other = "refs/heads/pull-request-pictures/4";
  const { statuses, branches } = write({ pictures: { "a.png": png() } });
  expect({ statuses, branches }).toEqual({ statuses: done, branches: { [other]: ["a.png"], [branch]: ["a.png"] } });
});

it("has at most 65,536 characters: long reports are truncated, with a link", () => {
  expectTruncated(write({ reports: longReports }).text);
});

it("takes the artifacts of the run that the event names, and does nothing without a pull request", () => {
  const downloads = comment?.steps.filter(({ uses }) => uses?.startsWith("actions/download-artifact@")) ?? [];
  expect(downloads.map((step) => [step.if, step.with?.pattern, step.with?.path])).toEqual([
    ["steps.find.outputs.number", "preview-*", "reports"],
    ["steps.find.outputs.number", "pictures", "pictures"],
  ]);
  const scripts = comment?.steps.filter(({ run }) => run).map((step) => step.if);
  // The pictures may be refused, for example because a rule protects all branches.
  const evenWithoutPictures = "${{ !cancelled() && steps.keep.outcome != 'skipped' }}";
  expect(scripts).toEqual([undefined, "steps.find.outputs.number", evenWithoutPictures, "steps.find.outputs.number"]);
  for (const step of downloads) expect(step.with).toMatchObject({ "run-id": "${{ github.event.workflow_run.id }}" });
  expect(comment?.if).toContain("github.event.workflow_run.event == 'pull_request'");
});
