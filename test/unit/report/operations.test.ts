/** The report contains every operation in `changeSummary`, whether or not a step describes it. */
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { parsePreview } from "../../../src/report/parse-preview";
import { renderReport } from "../../../src/report/render";
import { recorded, recordings, step } from "./steps";

const isEmpty = (markdown: string) => /^No (drift|changes) in (the )?stack/.test(markdown);

const operations = ["create", "update", "replace", "delete", "import"] as const;
/** Operations that change nothing: see `HasChanges` in Pulumi's pkg/engine/update.go. A refresh only reads. */
const unchanged = ["same", "read", "read-replacement", "discard", "refresh"];

/** Number of operations in a summary that change something. */
const counted = (summary: Record<string, number>) =>
  Object.entries(summary).reduce((sum, [op, number]) => sum + (unchanged.includes(op) ? 0 : number), 0);

it.each(readdirSync(recordings))(
  "recorded output of the engine, %s: reports changes if Pulumi counts some; the drift of a refresh alone is an error",
  (file) => {
    const text = recorded(file);
    const { changeSummary } = JSON.parse(text);
    const isChanged = counted(changeSummary) > 0;
    const preview = parsePreview(text);
    const { markdown, blocked } = renderReport([preview], { failOn: operations });
    expect(isEmpty(markdown)).toBe(!isChanged);
    if (file.includes("refresh-preview-only")) expect(preview.errors.join()).toContain("Report drift with --stack NAME --drift");
    else expect(blocked > 0).toBe(isChanged);
  },
);

// Each pair was recorded with the same state of Grafana.
it.each([
  ["preview-refresh-drift.json", "refresh-preview-only-drift.json"],
  ["24c-preview-refresh-permission.json", "24-refresh-preview-only-permission.json"],
  ["27-preview-refresh-parent-folder.json", "27b-refresh-preview-only-parent-folder.json"],
  ["29g-preview-refresh-rule-group.json", "29f-refresh-preview-only-rule-group.json"],
  ["v12-24c-preview-refresh-permission.json", "v12-24b-refresh-preview-only-run-program-permission.json"],
  ["v12-29g-preview-refresh-rule-group.json", "v12-29f-refresh-preview-only-rule-group.json"],
])("the drift in %s: equals the count of the refresh %s", (preview, refresh) => {
  const { markdown } = renderReport([parsePreview(recorded(preview))], { drift: true });
  expect(titled(markdown)).toBe(counted(JSON.parse(recorded(refresh)).changeSummary));
});

/** The sum of all numbers in the title. */
const titled = (markdown: string) => {
  const title = markdown.split("\n").find((line) => line.startsWith("## ")) ?? "";
  return [...title.matchAll(/(\d+) (?:to \w+|resources?)/g)].reduce((sum, [, number]) => sum + Number(number), 0);
};

const [resource, component] = [{ type: "a:b:C" }, { type: "a:b:Component", state: { custom: false } }];
const provider = { type: "pulumi:providers:grafana" };

it.each<[what: string, ops: readonly string[], options: typeof resource, listed: number, others: number]>([
  ["of a resource", operations, resource, 1, 0],
  ["of a resource", unchanged, resource, 0, 0],
  ["of a component", operations, component, 0, 1],
  // An updated provider may connect to another Grafana.
  ["of a provider", ["update", "replace"], provider, 1, 0],
  ["of a provider", ["create", "delete"], provider, 0, 1],
])("an operation %s, such as %j: is in the title, only counted, or no change", (_what, ops, options, listed, others) => {
  for (const op of ops) {
    const steps = [step({ ...options, op, before: { x: 1 }, after: { x: 2 } })];
    const parsed = (times: number, number: number) =>
      parsePreview(JSON.stringify({ steps: Array(times).fill(steps).flat(), changeSummary: { same: 1, [op]: number } }));
    const { markdown, blocked } = renderReport([parsed(1, 1)], { failOn: operations });
    expect([titled(markdown), blocked]).toEqual([listed, listed]);
    expect(isEmpty(markdown)).toBe(listed === 0);
    expect(markdown.includes(`to ${op}\n`)).toBe(listed === 1);
    expect(markdown.includes("Pulumi also counts 1 change of components and providers.")).toBe(others === 1);
    // Operations that the engine counts without a step. A replacement is counted once, however many steps it has.
    expect(parsed(1, 2).errors).toEqual(
      unchanged.includes(op) ? [] : [expect.stringMatching(/^The output lacks changes that Pulumi counts/)],
    );
    expect(parsed(2, 1).errors).toEqual([]);
  }
});

it("a preview without a summary: an error says that it did not finish, if there is no other one", () => {
  const steps = [step({ op: "refresh", before: { x: 1 }, after: { x: 1 } })];
  const preview = parsePreview(JSON.stringify({ steps }));
  expect(preview.errors).toEqual(["The output has no change summary: the preview did not finish"]);
  expect(isEmpty(renderReport([preview]).markdown)).toBe(false);
  const diagnostics = [{ severity: "error", message: "error: [GET /folders/{uid}][401]" }];
  expect(parsePreview(JSON.stringify({ steps, diagnostics })).errors).toEqual(["[GET /folders/{uid}][401]"]);
});
