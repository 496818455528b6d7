/** The drift in a preview with a refresh (`pulumi preview --refresh --run-program --json`), by resource. */
import { expect, it } from "vitest";
import { linesOf, refreshed, step, type Values } from "./steps";

// Changes by the program are only counted.
const lines = (steps: unknown[]) => linesOf(steps, { drift: true }).filter((line) => !line.startsWith("- Pulumi also counts 1 "));

const [one, two, secret] = [{ x: 1 }, { x: 2 }, { x: 1, key: "[secret]" }];
const hidden = "  - changes that the preview does not show, such as a secret";

it.each<[what: string, stored: Values, found: Values, before: Values, after: Values, diffReasons: string[], lines: string[]]>([
  ["shown", { y: 1 }, { y: 2 }, one, one, ["y"], ["  - y 1 → 2"]],
  ["shown, next to a change by the program", { y: 1 }, { y: 2 }, one, two, ["x", "y"], ["  - y 1 → 2"]],
  ["shown, next to a secret", { y: 1 }, { y: 2 }, secret, secret, [], ["  - y 1 → 2"]],
  ["hidden", one, one, one, one, ["y"], [`${hidden}: y`]],
  ["hidden, without reasons", one, one, one, one, [], [hidden]],
])("drift that is %s, is reported", (_what, stored, found, before, after, diffReasons, expected) => {
  const steps = refreshed({ type: "a:b:C", before, after, more: { diffReasons } }, stored, found);
  expect(lines(steps)).toEqual(["- **drift** C `it`: changed outside of Pulumi", ...expected]);
});

it.each([
  ["a change by the program", one, two],
  ["what a secret of the program can be the cause of", secret, secret],
])("%s is not drift", (_what, before, after) => {
  expect(lines(refreshed({ type: "a:b:C", before, after, more: { diffReasons: ["x"] } }, before, before))).toEqual([]);
});

it("a refresh that writes inputs in other words, next to a change by the program, is not drift", () => {
  const rules = (...words: string[]) => ({ rules: words });
  const options = { type: "a:b:C", before: rules("a", "5m"), after: rules("b", "5m"), more: { diffReasons: ["rules"] } };
  const [refresh, change] = refreshed(options, rules("a", "5m0s"), rules("a", "5m0s"));
  expect(lines([refresh, { ...change, oldState: { ...change?.oldState, inputs: rules("a", "5m0s") } }])).toEqual([]);
});

it("a changed output is drift, whatever the program changes", () => {
  const inputs = { name: "a" };
  const other = { name: "b" };
  const at = (found: string, after: Values) =>
    lines(refreshed({ type: "a:b:C", before: inputs, after }, { ...inputs, found: "current" }, { ...inputs, found }));
  const drifted = ["- **drift** C `it`: changed outside of Pulumi", "  - found `current` → `other`"];
  expect(at("other", inputs)).toEqual(drifted);
  expect(at("other", other)).toEqual(drifted);
  expect(at("current", other)).toEqual([]);
});

it("a deleted resource is drift if the deployment creates it again, not if the program deletes it", () => {
  const create = (name: string) => step({ op: "create", name, after: {} });
  const refresh = (name: string) => step({ op: "refresh", name, before: {}, after: {} });
  const drift = (name: string) => `- **drift** dashboard \`${name}\`: deleted outside of Pulumi`;
  expect(lines(["b", "c", "a"].flatMap((name) => [refresh(name), create(name)]))).toEqual(["b", "c", "a"].map(drift));
  expect(lines([refresh("a"), step({ op: "delete", name: "a", before: {} })])).toEqual([]);
  expect(lines([create("a")])).toEqual([]);
});

it("permissions are listed by role, team and user, in any order", () => {
  const type = "grafana:oss/folderPermission:FolderPermission";
  const of = (...permissions: Values[]) => ({ folderUid: "llm", permissions });
  const between = (stored: Values, found: Values) => lines(refreshed({ type, before: stored, after: stored }, stored, found)).slice(1);
  const viewer = { role: "Viewer", permission: "View" };
  const team = { teamId: "0:5", userId: "0", permission: "Edit" };
  const user = { userId: "7", teamId: "0:0", permission: "Admin" };
  const shown = ["Viewer `View` → `Edit`", "`team 0:5` removed, was `Edit`", "`user 7` set to `Admin`"];
  expect(between(of(viewer, team), of(user, { ...viewer, permission: "Edit" }))).toEqual(shown.map((line) => `  - ${line}`));
  expect(between(of(viewer, team), of(team, viewer))).toEqual(["  - changes that the preview does not show, such as a secret"]);
  // Only those of a folder are such a list.
  const other = { type: "a:b:C", before: { permissions: { read: "a" } }, after: { permissions: { read: "b" } } };
  expect(linesOf([step(other)])).toContain("  - `permissions.read` `a` → `b`");
  const names = { role: "[x](https://evil.example)", permission: "`Edit`" };
  expect(between(of(), of(names))).toEqual(["  - `[x](https://evil.example)` set to `` `Edit` ``"]);
});
