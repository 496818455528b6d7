/** The comment of a pull request: the words of the previews and the pictures of changed dashboards, from artifacts that can be untrusted. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder";
import { gitEnv, workflow } from "./workflow";

describe("the comment of a pull request", () => {
  const { comment } = workflow("comment.yml").jobs;
  const png = (bytes = 100) => Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(bytes)]);
  const dev = "## of dev\n";

  interface Given {
    /** Open pull requests of the branch: number, commit, repository. */
    pulls?: string[];
    repository?: string;
    /** Files of the artifacts. */
    reports?: Record<string, string>;
    pictures?: Record<string, string | Buffer>;
    /** Ids of the comments with the marker. */
    there?: number[];
  }

  /** Conditions of steps, by their text. */
  const conditions: Record<string, (found: boolean, kept: string, succeeds: boolean) => boolean> = {
    "": (_found, _kept, succeeds) => succeeds,
    "steps.find.outputs.number": (found, _kept, succeeds) => succeeds && found,
    "${{ !cancelled() && steps.keep.outcome != 'skipped' }}": (_found, kept) => kept !== "skipped",
  };

  /** Runs the scripts of the job in a folder with the downloaded artifacts, with genuine Git and a stand-in for GitHub's command. */
  function write(place: string, given: Given) {
    const { pulls = ["7 c0ffee a/b"], repository = "a/b", reports = {}, pictures = {}, there = [] } = given;
    for (const name of ["reports", "pictures", "store", "asked", "log", "comment.md"]) {
      rmSync(join(place, name), { recursive: true, force: true });
    }
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
      "steps.find.outputs.number": "",
      "steps.keep.outputs.commit": "",
    };
    const evaluate = (env: Record<string, string> = {}) =>
      Object.fromEntries(
        Object.entries(env).map(([name, value]) => [
          name,
          value.replace(/\$\{\{ (\S+) \}\}/g, (_, expression: string) => {
            if (!Object.hasOwn(known, expression)) throw new Error(`unknown expression ${expression}`);
            return known[expression] ?? "";
          }),
        ]),
      );
    let succeeds = true;
    const outcomes: Record<string, string> = {};
    for (const { id, name = "", run, env, if: condition = "" } of comment?.steps ?? []) {
      if (!run) continue;
      const holds = conditions[condition];
      if (!holds) throw new Error(`unknown condition ${condition}`);
      outcomes[name] = "skipped";
      if (!holds(known["steps.find.outputs.number"] !== "", outcomes["Keep the pictures"] ?? "", succeeds)) continue;
      const { status, stdout, stderr } = spawnSync("bash", ["-eo", "pipefail", "-c", run], {
        cwd: place,
        encoding: "utf8",
        env: {
          ...gitEnv,
          ...evaluate(comment?.env),
          ...evaluate(env),
          PATH: `${place}:${process.env.PATH}`,
          PULLS: pulls.join("\n"),
          THERE: there.join("\n"),
          ASKED: join(place, "asked"),
          GITHUB_OUTPUT: join(place, "output"),
          GITHUB_REPOSITORY: "a/b",
          GITHUB_SERVER_URL: join(place, "github"),
        },
      });
      writeFileSync(join(place, "log"), stdout + stderr, { flag: "a" });
      outcomes[name] = status === 0 ? "success" : "failure";
      succeeds &&= status === 0;
      const output = existsSync(join(place, "output")) ? readFileSync(join(place, "output"), "utf8") : "";
      rmSync(join(place, "output"), { force: true });
      for (const [, key, value = ""] of output.matchAll(/^(\w+)=(.*)$/gm)) known[`steps.${id}.outputs.${key}`] = value;
    }
    expect(existsSync(join(place, "injected")) || existsSync(join(place, "store/injected"))).toBe(false);
    const read = (name: string) => (existsSync(join(place, name)) ? readFileSync(join(place, name), "utf8") : "");
    const git = (...args: string[]) => execFileSync("git", args, { cwd: join(place, "github/a/b"), encoding: "utf8", env: gitEnv });
    const branches = git("for-each-ref", "--format=%(refname)").split("\n").filter(Boolean);
    return {
      outcomes: Object.values(outcomes),
      asked: read("asked").split("\n").filter(Boolean),
      text: read("comment.md"),
      log: read("log"),
      commit: known["steps.keep.outputs.commit"],
      branches: Object.fromEntries(branches.map((ref) => [ref, git("ls-tree", "-r", "--name-only", ref).split("\n").filter(Boolean)])),
      commits: branches.map((ref) => Number(git("rev-list", "--count", ref))),
    };
  }

  let place: string;

  beforeEach(() => {
    place = temporaryFolder();
    // Pull request 3 is closed. Everything else that is not listed fails, as an unknown path does.
    const gh = `#!/bin/bash
case "$*" in
  "api --method GET repos/a/b/pulls --raw-field state=open --raw-field head="?*:?*" --jq "*) echo "$PULLS" ;;
  "api --paginate repos/a/b/issues/"*"/comments?per_page=100 --jq "*) echo "$THERE" ;;
  "api repos/a/b/pulls/3 --jq .state") echo closed ;;
  "api repos/a/b/pulls/"?" --jq .state") echo open ;;
  "api --silent --method "*" repos/a/b/issues/"*" --field body=@comment.md") echo "$4 $5" >> "$ASKED" ;;
  *) echo "unknown: $*" >&2; exit 1 ;;
esac\n`;
    writeFileSync(join(place, "gh"), gh, { mode: 0o755 });
    mkdirSync(join(place, "github/a/b"), { recursive: true });
    execFileSync("git", ["init", "--quiet", "--bare", join(place, "github/a/b")], { env: gitEnv });
  });

  const branch = "refs/heads/pull-request-pictures/7";
  const created = "POST repos/a/b/issues/7/comments";
  const done = ["success", "success", "success", "success"];

  it("has the words of all stacks, then the pictures, at an address that never changes", () => {
    const pictures = { "usage.png": png(), "llm-cost.png": png(), "pictures.md": "not used" };
    const { outcomes, asked, text, branches, commits, commit, log } = write(place, {
      reports: { "dev.report": dev, "prod.report": "## of prod\n" },
      pictures,
    });
    expect({ outcomes, asked }).toEqual({ outcomes: done, asked: [created] });
    expect(text).toMatch(/^<!-- preview-report -->\n## of dev\n\n## of prod\n\n## Changed dashboards\n/);
    expect(branches).toEqual({ [branch]: ["llm-cost.png", "usage.png"] });
    expect(commits).toEqual([1]);
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
    expect(log).not.toContain("pictures.md");
    expect(text).toContain(`### \`llm-cost\`\n\n![llm-cost, before and after](../blob/${commit}/llm-cost.png?raw=true)\n\n### \`usage\`\n`);
    expect(text.trim().split("\n").at(-1)).toContain("in the artifact `pictures` of [this run](https://run).");
  });

  it("has only words without pictures", () => {
    const words = write(place, { reports: { "dev.report": dev, "prod.report": "## of prod\n", "dev.report.full.md": "x" } });
    expect(words).toMatchObject({ outcomes: done, asked: [created] });
    expect(words.branches).toEqual({});
    expect(words.text).toBe("<!-- preview-report -->\n## of dev\n\n## of prod\n\n");
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
    const { outcomes, asked, text, log, branches, commit } = write(place, {
      repository: "x/b",
      pulls: ["6 c0ffee x/other", "5 bad x/b", "7 c0ffee x/b"],
      reports: { "dev.report": "hostile" },
      pictures: { ...bad, ...many },
    });
    expect({ outcomes, asked, branches }).toEqual({
      outcomes: done,
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
    const none = write(place, {});
    expect([none.outcomes, none.asked, none.branches]).toEqual([done, [], {}]);
    const { asked, text } = write(place, { there: [41] });
    expect(asked).toEqual(["PATCH repos/a/b/issues/comments/41"]);
    expect(text).toBe("<!-- preview-report -->\n[This run](https://run) has neither a report nor a picture.\n");
  });

  it("is not written for an older commit, a closed pull request or another repository", () => {
    for (const pulls of [[], ["7 01de57 a/b"], ["7 c0ffee x/b"], ["7 c0ffee null"]]) {
      const { outcomes, asked, branches } = write(place, { pulls, reports: { "dev.report": dev }, pictures: { "a.png": png() } });
      expect({ outcomes, asked, branches }).toEqual({ outcomes: ["success", "skipped", "skipped", "skipped"], asked: [], branches: {} });
    }
  });

  it("is updated: new pictures replace the old ones, and without changes they are removed", () => {
    const first = write(place, { pictures: { "a.png": png(), "b.png": png() } });
    const second = write(place, { reports: { "dev.report": dev }, pictures: { "a.png": png(5) }, there: [41, 42] });
    expect(second).toMatchObject({ asked: ["PATCH repos/a/b/issues/comments/41"], commits: [1] });
    expect(second.branches).toEqual({ [branch]: ["a.png"] });
    expect(second.commit).not.toBe(first.commit);
    const third = write(place, { reports: { "dev.report": dev }, there: [41] });
    expect(third).toMatchObject({ outcomes: done, asked: ["PATCH repos/a/b/issues/comments/41"] });
    expect(third.branches).toEqual({});
    expect(third.text).toBe("<!-- preview-report -->\n## of dev\n\n");
  });

  it("deletes the pictures of closed pull requests, and keeps those of open ones", () => {
    for (const number of ["3", "4"]) write(place, { pulls: [`${number} c0ffee a/b`], pictures: { "a.png": png() } });
    const other = "refs/heads/pull-request-pictures/4";
    const { outcomes, branches } = write(place, { pictures: { "a.png": png() } });
    expect({ outcomes, branches }).toEqual({ outcomes: done, branches: { [other]: ["a.png"], [branch]: ["a.png"] } });
  });

  it("has at most 65,536 characters: long reports are truncated, with a link", () => {
    const long = "é line\n".repeat(7_000);
    const reports = { "dev.report": `## of dev\n${long}`, "prod.report": `## of prod\n${long}` };
    const { text } = write(place, { reports });
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain("\n## of prod\n");
    expect(text.split("The rest is in the summary and in the artifacts of [this run](https://run).")).toHaveLength(3);
  });

  it("takes the artifacts of the run that the event names", () => {
    const downloads = comment?.steps.filter(({ uses }) => uses?.startsWith("actions/download-artifact@")) ?? [];
    expect(downloads.map((step) => [step.if, step.with?.pattern, step.with?.path])).toEqual([
      ["steps.find.outputs.number", "preview-*", "reports"],
      ["steps.find.outputs.number", "pictures", "pictures"],
    ]);
    for (const step of downloads) expect(step.with).toMatchObject({ "run-id": "${{ github.event.workflow_run.id }}" });
    expect(comment?.if).toContain("github.event.workflow_run.event == 'pull_request'");
  });
});
