/** The report contains every operation in `changeSummary`, whether or not a step describes it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { operations, parsePreview } from "../../../src/report/parse-preview";
import { renderReport } from "../../../src/report/render";
import { step } from "./steps";

const recorded = join(__dirname, "../../recorded/pulumi");
const isEmpty = (markdown: string) => /^No (drift|changes) in (the )?stack/.test(markdown);

/** Operations that change nothing: see `HasChanges` in Pulumi's pkg/engine/update.go. A refresh only reads. */
const unchanged = ["same", "read", "read-replacement", "discard", "refresh"];

/** Number of operations in a summary that change something. */
const counted = (summary: Record<string, number>) =>
  Object.entries(summary).reduce((sum, [op, number]) => sum + (unchanged.includes(op) ? 0 : number), 0);

describe("recorded output of the engine", () => {
  it.each(readdirSync(recorded))("%s: reports changes if Pulumi counts some; the drift of a refresh alone is an error", (file) => {
    const text = readFileSync(join(recorded, file), "utf8");
    const { changeSummary } = JSON.parse(text);
    const isChanged = counted(changeSummary) > 0;
    const preview = parsePreview(text);
    const { markdown, blocked } = renderReport([preview], { failOn: operations });
    expect(isEmpty(markdown)).toBe(!isChanged);
    if (file.includes("refresh-preview-only")) expect(preview.errors.join()).toContain("Report drift with --stack NAME --drift");
    else expect(blocked > 0).toBe(isChanged);
  });
});

describe("the drift in a recorded preview", () => {
  // Each pair was recorded with the same state of Grafana.
  it.each([
    ["preview-refresh-drift.json", "refresh-preview-only-drift.json"],
    ["24c-preview-refresh-permission.json", "24-refresh-preview-only-permission.json"],
    ["27-preview-refresh-parent-folder.json", "27b-refresh-preview-only-parent-folder.json"],
    ["29g-preview-refresh-rule-group.json", "29f-refresh-preview-only-rule-group.json"],
    ["v12-24c-preview-refresh-permission.json", "v12-24b-refresh-preview-only-run-program-permission.json"],
    ["v12-29g-preview-refresh-rule-group.json", "v12-29f-refresh-preview-only-rule-group.json"],
  ])("%s: equals the count of the refresh %s", (preview, refresh) => {
    const [text, refreshed] = [preview, refresh].map((file) => readFileSync(join(recorded, file), "utf8")) as [string, string];
    const { markdown } = renderReport([parsePreview(text)], { drift: true });
    expect(titled(markdown)).toBe(counted(JSON.parse(refreshed).changeSummary));
  });
});

const custom = "a:b:C";
const kinds = [custom, "grafana:oss/folderPermission:FolderPermission", "pulumi:providers:grafana", "a:b:Component"] as const;
type Kind = (typeof kinds)[number];
const isCustom = (kind: Kind) => kind === custom || kind.startsWith("grafana:");

interface Resource {
  kind: Kind;
  op: string;
  /** Whether the step describes it. */
  described: boolean;
}

/** Steps and summary as the engine writes them: see `previewActions.OnResourceStepPost` and `ShowPreviewDigest`. */
function previewOf(resources: readonly Resource[]) {
  const changeSummary: Record<string, number> = { same: 1 };
  const steps: unknown[] = [step({ op: "same", type: "pulumi:pulumi:Stack", after: {}, state: { custom: false } })];
  for (const [place, { kind, op, described }] of resources.entries()) {
    const base = { type: kind, name: `r${place}`, state: { custom: kind !== "a:b:Component" } };
    changeSummary[op] = (changeSummary[op] ?? 0) + 1;
    if (op === "same" || !described) continue;
    const [before, after] = [{ x: 1 }, { x: 2 }];
    if (op === "replace") {
      // The engine counts a replacement once, however many steps it shows.
      steps.push(step({ ...base, op: "create-replacement", before, after }), step({ ...base, op: "replace", before, after }));
    } else steps.push(step({ ...base, op, ...(op !== "create" && { before }), ...(op !== "delete" && { after }) }));
  }
  return JSON.stringify({ steps, changeSummary });
}

/** The sum of all numbers in the title. */
const titled = (markdown: string) => {
  const title = markdown.split("\n").find((line) => line.startsWith("## ")) ?? "";
  return [...title.matchAll(/(\d+) (?:to \w+|resources?)/g)].reduce((sum, [, number]) => sum + Number(number), 0);
};

describe("generated previews", () => {
  const resource = fc.record({
    kind: fc.constantFrom(...kinds),
    op: fc.constantFrom("same", "create", "update", "replace", "delete", "import", "read", "discard"),
    described: fc.boolean(),
  });

  it("of a deployment: every operation that Pulumi counts is in the title, in the line for components and providers, or an error", () => {
    fc.assert(
      fc.property(fc.array(resource, { maxLength: 8 }), (resources) => {
        const acting = resources.filter(({ op }) => !unchanged.includes(op));
        const described = acting.filter((each) => each.described);
        // An updated provider is listed: it may connect to another Grafana.
        const isListed = ({ kind, op }: Resource) =>
          isCustom(kind) || (kind.startsWith("pulumi:providers") && (op === "update" || op === "replace"));
        const listed = described.filter(isListed).length;
        const { markdown, blocked } = renderReport([parsePreview(previewOf(resources))], { failOn: operations });
        expect(isEmpty(markdown.replace(/^\*\*Blocked.*\n\n/, ""))).toBe(listed === 0 && described.length === acting.length);
        expect([titled(markdown), blocked]).toEqual([listed, listed]);
        expect(markdown.includes("Pulumi also counts")).toBe(listed < described.length);
        expect(markdown.includes("lacks changes that Pulumi counts")).toBe(described.length < acting.length);
      }),
    );
  });
});

it("a preview without a summary: an error says that it did not finish, if there is no other one", () => {
  const steps = [step({ op: "refresh", before: { x: 1 }, after: { x: 1 } })];
  const preview = parsePreview(JSON.stringify({ steps }));
  expect(preview.errors).toEqual(["The output has no change summary: the preview did not finish"]);
  expect(isEmpty(renderReport([preview]).markdown)).toBe(false);
  const diagnostics = [{ severity: "error", message: "error: [GET /folders/{uid}][401]" }];
  expect(parsePreview(JSON.stringify({ steps, diagnostics })).errors).toEqual(["[GET /folders/{uid}][401]"]);
});
