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
  const files = readdirSync(recorded);
  it.each(files.filter((file) => !file.includes("refresh-preview-only")))("%s: reports changes if Pulumi counts some", (file) => {
    const text = readFileSync(join(recorded, file), "utf8");
    const { changeSummary } = JSON.parse(text);
    const { markdown, blocked } = renderReport([parsePreview(text)], { failOn: operations });
    expect(isEmpty(markdown)).toBe(counted(changeSummary) === 0);
    expect(blocked > 0).toBe(counted(changeSummary) > 0);
  });

  it.each(files.filter((file) => file.includes("refresh-preview-only")))("%s: an error, as drift is no change", (file) => {
    const { errors } = parsePreview(readFileSync(join(recorded, file), "utf8"));
    expect(errors.join()).toContain("Report drift with --stack NAME --drift");
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

  it("reports none if there is none", () => {
    const text = readFileSync(join(recorded, "29b-preview-refresh-rule-group-unchanged.json"), "utf8");
    expect(renderReport([parsePreview(text)], { drift: true }).markdown).toBe("No drift in stack `dev`.\n");
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

  it("of a deployment with --refresh: the drift that the refresh found", () => {
    const change = fc.record({
      drift: fc.constantFrom("none", "shown", "hidden", "deleted"),
      program: fc.constantFrom("none", "changed", "secret"),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), (resources) => {
        const changeSummary: Record<string, number> = {};
        const steps = resources.flatMap(({ drift, program }, place) => {
          const base = { type: custom, name: `r${place}` };
          const inputs = { x: 1, ...(program === "secret" && { key: "[secret]" }) };
          const stored = { ...step({ ...base, op: "refresh", before: inputs, after: inputs }) };
          const refresh = { ...stored, oldState: { ...stored.oldState, outputs: { ...inputs, y: 1 } } };
          const wanted = program === "changed" ? { ...inputs, x: 2 } : inputs;
          const op = drift === "deleted" ? "create" : drift === "none" && program === "none" ? "same" : "update";
          changeSummary[op] = (changeSummary[op] ?? 0) + 1;
          if (op === "same") return [refresh];
          if (op === "create") return [refresh, step({ ...base, op, after: wanted })];
          const update = step({ ...base, op, before: inputs, after: wanted });
          const outputs = { ...inputs, y: drift === "shown" ? 2 : 1 };
          const reasons = [...(drift === "none" ? [] : ["y"]), ...(program === "none" ? [] : [program === "changed" ? "x" : "key"])];
          return [refresh, { ...update, oldState: { ...update.oldState, outputs }, diffReasons: reasons }];
        });
        const isDrift = ({ drift, program }: (typeof resources)[number]) =>
          // Drift that no property shows is not reported if the program, or a secret in it, can be the cause.
          drift === "shown" || drift === "deleted" || (drift === "hidden" && program === "none");
        const drifted = resources.filter(isDrift).length;
        const preview = parsePreview(JSON.stringify({ steps, changeSummary }));
        const { markdown } = renderReport([preview], { drift: true });
        expect(isEmpty(markdown)).toBe(drifted === 0);
        expect(titled(markdown)).toBe(drifted);
        const rest = counted(changeSummary) - drifted;
        expect(Number(/Pulumi also counts (\d+)/.exec(markdown)?.[1] ?? 0)).toBe(rest);
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
