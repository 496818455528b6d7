/** The drift in a preview with a refresh (`pulumi preview --refresh --run-program --json`), by resource. */
import { expect, it } from "vitest";
import type { Json } from "../../../src/report/json";
import { parsePreview } from "../../../src/report/parse-preview";
import { renderReport } from "../../../src/report/render";
import { preview, step } from "./steps";

type Values = Record<string, Json>;

const lines = (...steps: unknown[]) =>
  renderReport([parsePreview(preview(...steps))], { drift: true })
    .markdown.trim()
    .split("\n")
    .slice(2)
    // Changes by the program are only counted.
    .filter((line) => !line.startsWith("- Pulumi also counts 1 "));

interface Case {
  /** The outputs in the state and in Grafana. */
  stored: Values;
  found: Values;
  /** The inputs of the last deployment and of the program. */
  before: Values;
  after: Values;
  /** The changed properties that the engine names. */
  diffReasons?: string[];
}

/** The steps of a resource that is refreshed and then updated. */
function refreshed(type: string, { stored, found, before, after, diffReasons }: Case) {
  const refresh = step({ op: "refresh", type, before, after });
  const update = step({ type, before, after, more: { diffReasons } });
  return [
    { ...refresh, oldState: { ...refresh.oldState, outputs: stored } },
    { ...update, oldState: { ...update.oldState, outputs: found } },
  ];
}

const [one, two, secret] = [{ x: 1 }, { x: 2 }, { x: 1, key: "[secret]" }];
const hidden = "  - changes that the preview does not show, such as a secret";

it.each<[what: string, Case, lines: string[]]>([
  ["shown", { stored: { y: 1 }, found: { y: 2 }, before: one, after: one, diffReasons: ["y"] }, ["  - y 1 → 2"]],
  [
    "shown, and a change by the program",
    { stored: { y: 1 }, found: { y: 2 }, before: one, after: two, diffReasons: ["y", "x"] },
    ["  - y 1 → 2"],
  ],
  ["shown next to a secret", { stored: { y: 1 }, found: { y: 2 }, before: secret, after: secret }, ["  - y 1 → 2"]],
  ["hidden", { stored: one, found: one, before: one, after: one, diffReasons: ["y"] }, [`${hidden}: y`]],
  ["hidden, and without a reason", { stored: one, found: one, before: one, after: one }, [hidden]],
])("drift that is %s, is reported", (_what, values, expected) => {
  expect(lines(...refreshed("a:b:C", values))).toEqual(["- **drift** C `it`: changed outside of Pulumi", ...expected]);
});

it.each([
  ["a change by the program", one, two],
  ["a change by the program, or a secret in it", secret, secret],
])("%s is not drift", (_what, before, after) => {
  expect(lines(...refreshed("a:b:C", { stored: before, found: before, before, after, diffReasons: ["x"] }))).toEqual([]);
});

it("a connection has drift if the service has another one, whatever the program changes", () => {
  const type = "pulumi-nodejs:dynamic/llm-observability:Connection";
  const inputs = { serviceUrl: "https://svc.example", platformName: "grafana", platformApiKey: "[secret]" };
  const other = { ...inputs, platformName: "signoz" };
  const at = (registeredConnection: string, after: Values) => {
    const stored = { ...inputs, registeredConnection: "current" };
    return lines(...refreshed(type, { stored, found: { ...inputs, registeredConnection }, before: inputs, after }));
  };
  const drifted = ["- **drift** connection `it`: changed outside of Pulumi", "  - registeredConnection `current` → `other`"];
  expect(at("other", inputs)).toEqual(drifted);
  expect(at("other", other)).toEqual(drifted);
  expect(at("current", other)).toEqual([]);
});

it("a deleted resource is drift if the deployment creates it again, not if the program deletes it", () => {
  const folder = {};
  const refresh = step({ op: "refresh", before: folder, after: folder });
  const create = (name: string) => step({ op: "create", name, after: folder });
  const refreshOf = (name: string) => ({ ...refresh, urn: create(name).urn });
  const drift = (name: string) => `- **drift** dashboard \`${name}\`: deleted outside of Pulumi`;
  expect(lines(...["b", "c", "a"].flatMap((name) => [refreshOf(name), create(name)]))).toEqual(["b", "c", "a"].map(drift));
  expect(lines(refresh, step({ op: "delete", before: folder }))).toEqual([]);
  expect(lines(step({ op: "create", after: folder }))).toEqual([]);
});

it("permissions are listed by role, team and user, in any order", () => {
  const type = "grafana:oss/folderPermission:FolderPermission";
  const of = (...permissions: Values[]) => ({ folderUid: "llm", permissions });
  const between = (stored: Values, found: Values) => lines(...refreshed(type, { stored, found, before: stored, after: stored })).slice(1);
  const viewer = { role: "Viewer", permission: "View" };
  const team = { teamId: "0:5", userId: "0", permission: "Edit" };
  const user = { userId: "7", teamId: "0:0", permission: "Admin" };
  expect(between(of(viewer, team), of(user, { ...viewer, permission: "Edit" }))).toEqual([
    "  - Viewer `View` → `Edit`",
    "  - `team 0:5` removed, was `Edit`",
    "  - `user 7` set to `Admin`",
  ]);
  expect(between(of(viewer, team), of(team, viewer))).toEqual(["  - changes that the preview does not show, such as a secret"]);
  // Only those of a folder are such a list.
  const other = { type: "a:b:C", before: { permissions: { read: "a" } }, after: { permissions: { read: "b" } } };
  expect(renderReport([parsePreview(preview(step(other)))]).markdown).toContain("  - `permissions.read` `a` → `b`\n");
  const names = { role: "[x](https://evil.example)", permission: "`Edit`" };
  expect(between(of(), of(names))).toEqual(["  - `[x](https://evil.example)` set to `` `Edit` ``"]);
});
